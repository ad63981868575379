#include "runtime/device/discovery/device_model.hpp"

#include <algorithm>
#include <set>

namespace clawperator {
namespace {

bool stands_for(const DeviceRow& connected, const DeviceRow& row) {
  if (row.transport == Transport::usb) return holds(connected, row);
  if (row.transport != Transport::mdns || row.service == AdbService::tls_pairing ||
      connected.transport == Transport::mdns) {
    return false;
  }
  const bool is_there = connected.serial == row.address || connected.address == row.address;
  return is_there || connected.serial == row.serial ||
         connected.serial.starts_with(row.serial + "._adb");
}

std::set<std::string> keys_of(const std::vector<DeviceRow>& rows) {
  std::set<std::string> keys;
  for (const DeviceRow& row : rows) keys.insert(route_key(row));
  return keys;
}

const DeviceRow* find(const std::vector<DeviceRow>& rows, const std::string& key) {
  const auto at = std::ranges::find(rows, key, route_key);
  return at == rows.end() ? nullptr : &*at;
}

}  // namespace

std::string route_key(const DeviceRow& row) {
  std::string key = std::string(transport_name(row.transport)) + "|";
  if (row.transport == Transport::usb) return key + row.bus_address;
  if (row.transport == Transport::mdns) return key.append(service_name(row)) + "|" + row.serial;
  const std::string id = row.transport_id ? std::to_string(*row.transport_id) : "";
  return key + row.serial + "|" + id + "|" + row.bus_address;
}

void DeviceModel::replace(Transport source, std::vector<DeviceRow> rows) {
  auto& list = lists_[source];
  const auto kept = keys_of(rows);
  for (const DeviceRow& old : list) {
    const std::string key = route_key(old);
    if (!kept.contains(key)) identities_.erase(key);
  }
  list = std::move(rows);
  merge();
}

void DeviceModel::learn(const std::string& key, const std::string& identity) {
  const auto known = [&](const auto& list) { return find(list.second, key) != nullptr; };
  if (identity.empty() || !std::ranges::any_of(lists_, known)) return;
  identities_[key] = identity;
  merge();
}

void DeviceModel::merge() {
  rows_.clear();
  std::set<std::string> keys;
  for (const auto& [source, list] : lists_) {
    for (const DeviceRow& row : list) {
      const std::string key = route_key(row);
      const auto shown = [&](const DeviceRow& other) { return stands_for(other, row); };
      if (std::ranges::any_of(rows_, shown) || !keys.insert(key).second) continue;
      DeviceRow merged = row;
      const auto known = identities_.find(key);
      if (merged.identity.empty() && known != identities_.end()) merged.identity = known->second;
      rows_.push_back(std::move(merged));
    }
  }
}

std::vector<DeviceEvent> changes(const std::vector<DeviceRow>& before,
                                 const std::vector<DeviceRow>& after) {
  using Kind = DeviceEvent::Kind;
  std::vector<DeviceEvent> events;
  for (const DeviceRow& row : before) {
    if (!find(after, route_key(row))) events.push_back({Kind::removed, row});
  }
  for (const DeviceRow& row : after) {
    const DeviceRow* old = find(before, route_key(row));
    if (!old) events.push_back({Kind::added, row});
    if (old && *old != row) events.push_back({Kind::changed, row});
  }
  return events;
}

}  // namespace clawperator
