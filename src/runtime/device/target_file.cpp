#include "runtime/device/target_file.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "adbproto/client/server_address.hpp"
#include "base/json_text.hpp"

namespace clawperator {

namespace {

constexpr StateFile kFile("targets.json", std::size_t{64} * 1024);
constexpr std::string_view kNamePrefix = "adb-";
constexpr std::size_t kMaxTargets = 64;   // the daemon keeps a link to each
constexpr std::size_t kMaxChanges = 128;  // twice kMaxTargets: removed ones count, too
// A double holds whole numbers up to here.
constexpr std::uint64_t kMaxNumber = std::uint64_t{1} << 53;

Result<void> write_targets(const TargetList& list, const OnNotice& on_notice) {
  JsonObject changes;
  for (const auto& [name, number] : list.changes) {
    changes.number(name, static_cast<std::int64_t>(number));
  }
  JsonObject file;
  file.strings("targets", list.addresses).object("changes", changes);
  file.number("lastChange", static_cast<std::int64_t>(list.last_change));
  return kFile.replace(file.str(), list.is_damaged, on_notice);
}

Task<FileHandle> lock_targets() {
  if (kFile.path().empty()) co_return fail(errc::io, "HOME is not set, so targets cannot be kept");
  co_return co_await kFile.lock();
}

void read_addresses(const nlohmann::json& entries, TargetList* list) {
  list->is_damaged = list->is_damaged || !(entries.is_array() || entries.is_null());
  if (!entries.is_array()) return;
  for (const auto& entry : entries) {
    auto name = entry.is_string() ? target_name(entry.get<std::string>()) : std::string();
    const bool is_one = name && !name->empty() && list->addresses.size() < kMaxTargets;
    if (is_one) list->addresses.push_back(*std::move(name));
    list->is_damaged = list->is_damaged || !is_one;
  }
}

// Without them no phone is forgotten.
void read_changes(const nlohmann::json& entries, TargetList* list) {
  if (!entries.is_object()) return;
  for (const auto& [name, entry] : entries.items()) {
    if (list->changes.size() == kMaxChanges || !entry.is_number_unsigned()) continue;
    const auto number = entry.get<std::uint64_t>();
    if (number < kMaxNumber) list->changes[name] = number;
  }
}

TargetList parse_targets(std::string_view text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  TargetList list;
  list.is_damaged = !json.is_object();
  if (list.is_damaged) return list;
  const auto member = [&](const char* name) { return json.value(name, nlohmann::json()); };
  read_addresses(member("targets"), &list);
  read_changes(member("changes"), &list);
  const auto last = member("lastChange");
  if (last.is_number_unsigned() && last.get<std::uint64_t>() < kMaxNumber) list.last_change = last;
  for (const auto& [name, number] : list.changes) {
    list.last_change = std::max(list.last_change, number);
  }
  return list;
}

void note_change(TargetList* list, const std::string& name) {
  auto& changes = list->changes;
  const auto number = [](const auto& change) { return change.second; };
  changes[name] = ++list->last_change;
  if (changes.size() > kMaxChanges) changes.erase(std::ranges::min_element(changes, {}, number));
}

}  // namespace

std::optional<std::string> instance_name(const std::string& text) {
  std::string name = text.substr(0, text.find("._adb"));
  const bool is_typed = name.size() != text.size();
  const bool is_bare = text.starts_with(kNamePrefix) && text.find(':') == std::string::npos;
  if (name.empty() || name == kNamePrefix || !(is_typed || is_bare)) return std::nullopt;
  return name;
}

Result<std::string> target_name(const std::string& text) {
  if (auto name = instance_name(text)) return *std::move(name);
  if (text == "adb-" || text.contains("._adb")) {
    return fail(errc::invalid_argument, "no phone is called '" + text + "'");
  }
  TRY(const auto address, adbproto::parse_device_address(text));
  return address.to_string();
}

Result<TargetList> read_targets(const OnNotice& on_notice) {
  return read_state(kFile, parse_targets, on_notice);
}

Task<void> add_target(std::string address, OnNotice on_notice) {
  CO_TRY(const auto lock, co_await lock_targets());
  CO_TRY(TargetList list, read_targets());
  if (std::ranges::find(list.addresses, address) != list.addresses.end()) co_return ok();
  if (list.addresses.size() >= kMaxTargets) {
    co_return fail(errc::limit, "too many targets; disconnect one");
  }
  list.addresses.push_back(address);
  note_change(&list, address);
  co_return write_targets(list, on_notice);
}

Task<bool> remove_target(std::string address, OnNotice on_notice) {
  CO_TRY(const auto known, read_targets());  // an invalid target needs no file
  if (std::ranges::find(known.addresses, address) == known.addresses.end()) co_return false;
  CO_TRY(const auto lock, co_await lock_targets());
  CO_TRY(TargetList list, read_targets());
  if (std::erase(list.addresses, address) == 0) co_return false;
  list.changes.erase(address);
  CO_TRY_VOID(write_targets(list, on_notice));
  co_return true;
}

Task<void> note_disconnected(std::string name, OnNotice on_notice) {
  CO_TRY(const auto lock, co_await lock_targets());
  CO_TRY(TargetList list, read_targets());
  note_change(&list, name);
  co_return write_targets(list, on_notice);
}

}  // namespace clawperator
