// The sources of the model: one coroutine a source, and the links that are kept. The adb server
// reports changes by itself; the bus and the folder of targets.json report when to read again. A
// phone on USB is touched only after the server had its chance to take it, and only until its state
// is known.

#include <algorithm>

#include "base/async/folder_watch.hpp"
#include "base/system/environment.hpp"
#include "runtime/device/discovery/announced.hpp"
#include "runtime/device/supervisor/backoff.hpp"
#include "runtime/device/supervisor/supervisor_state.hpp"

namespace clawperator {

using std::chrono::milliseconds;

namespace {

// Where changes of targets.json are not reported: a person notices no second.
constexpr auto kTargetsPause = milliseconds(1000);
constexpr auto kRescanPause = milliseconds(60000);  // a change may be missed
constexpr auto kHandsOff = milliseconds(300);       // an adb server gets a new phone first
constexpr auto kUdevPause = milliseconds(200);      // it may set the node's rights a little late
constexpr int kUdevTries = 3;  // 400 ms in all; a rule that is missing never comes
// An adb server on this computer answers at once; a command waits this long at most.
constexpr auto kServerReportLimit = milliseconds(500);
// A server sends it at once; one that was stopped connects and never does.
constexpr auto kFirstListLimit = milliseconds(5000);

// Of the last change to that target.
std::optional<std::uint64_t> number(const TargetList& targets, const std::string& name) {
  const auto change = targets.changes.find(name);
  return change == targets.changes.end() ? std::nullopt : std::optional(change->second);
}

}  // namespace

// Never started here, found again whenever it comes back.
asio::awaitable<void> LiveSupervisor::watch_server() {
  using namespace base::parallel;
  Backoff backoff(kServerPause);
  for (;;) {
    const auto followed = co_await follow_server();
    if (!server_error_) backoff.reset();
    server_error_ = followed.error();
    take_server_list({});
    co_await (sleep_for(backoff.next()) || server_needed_.wait());
  }
}

asio::awaitable<void> LiveSupervisor::find_server() {
  using namespace base::parallel;
  if (!server_error_ || stopping_) co_return;
  const auto here = count_caller();
  const auto reported = [](LiveSupervisor* self) -> asio::awaitable<void> {
    while (self->awaited_.contains(Transport::server)) co_await self->changed_.wait();
  };
  awaited_.insert(Transport::server);
  server_needed_.notify_all();
  co_await (reported(this) || sleep_for(kServerReportLimit) || stop_signal_.wait());
}

// Ends only with an error.
Task<void> LiveSupervisor::follow_server() {
  CO_TRY(auto client, routes_.server());
  CO_TRY(const auto tracker, co_await client.track_devices(ListFormat::detailed));
  auto lines =
      co_await with_deadline(tracker->next(), kFirstListLimit, "the adb server's first list");
  while (lines) {
    server_error_.reset();
    take_server_list(*lines);
    lines = co_await tracker->next();
  }
  co_return std::unexpected(lines.error());
}

// A phone that the server no longer holds may be free for us.
void LiveSupervisor::take_server_list(const std::vector<DeviceLine>& lines) {
  std::vector<UsbDevice> held;
  for (const auto& [address, known] : phones_) {
    if (server_holds(known.first)) held.push_back(known.first);
  }
  std::vector<DeviceRow> rows;
  std::set<std::string> ready;  // route keys
  for (const DeviceLine& line : lines) {
    rows.push_back(server_row(line));
    if (rows.back().state == State::device) ready.insert(route_key(rows.back()));
  }
  model_.replace(Transport::server, std::move(rows));
  for (auto& [key, opened] : opened_) {
    if (opened.held && !ready.contains(key)) opened.held->lose("the adb server lost the device");
  }
  for (const UsbDevice& phone : held) {
    if (!server_holds(phone)) start_probe(phone);
  }
  if (options_.detail == Detail::described) describe_server_devices();
  source_reported(Transport::server);
}

void LiveSupervisor::describe_server_devices() {
  for (DeviceRow& row : rows()) {
    const bool is_known = row.transport != Transport::server || !row.identity.empty();
    const std::string key = route_key(row);
    if (is_known || row.state != State::device || probing_.contains(key)) continue;
    run([](LiveSupervisor* self, DeviceRow one, std::string name) -> asio::awaitable<void> {
      const auto mark = self->hold(&self->probing_, name);
      const DeviceRow described = co_await self->routes_.describe_server_row(std::move(one));
      self->model_.learn(name, described.identity);
      self->changed();
    }(this, std::move(row), key));
  }
}

// A phone on USB is probed when it arrives and when its rights change, then left alone until a
// caller needs it.
asio::awaitable<void> LiveSupervisor::watch_usb() {
  const auto bus = co_await routes_.usb_bus();
  if (!bus) co_return source_reported(Transport::usb);
  for (;;) {
    take_usb_list(co_await (*bus)->devices());
    const auto waited = co_await (*bus)->wait_change();
    if (!waited || stopping_) co_return;
  }
}

void LiveSupervisor::take_usb_list(const std::vector<UsbDevice>& phones) {
  std::erase_if(phones_, [&](const auto& known) {
    const UsbDevice& phone = known.second.first;
    return std::ranges::none_of(phones, [&](const UsbDevice& other) {
      return other.address == phone.address && other.device_number == phone.device_number;
    });
  });
  for (const UsbDevice& phone : phones) {
    const auto known = phones_.find(phone.address);
    if (known == phones_.end()) {
      phones_[phone.address] = {phone, usb_row(phone)};
      phones_[phone.address].second.state = State::connecting;
      start_probe(phone);
      continue;
    }
    const bool is_new = std::exchange(known->second.first, phone) != phone;
    const bool is_fine =
        answers(known->second.second.state) && phone.access == UsbDevice::Access::open;
    if (is_new && !is_fine) start_probe(phone);
  }
  publish_usb();
}

void LiveSupervisor::publish_usb() {
  std::vector<DeviceRow> rows;
  bool all_seen = true;
  for (const auto& [address, known] : phones_) {
    rows.push_back(known.second);
    all_seen = all_seen && known.second.state != State::connecting;
  }
  model_.replace(Transport::usb, std::move(rows));
  if (all_seen) awaited_.erase(Transport::usb);
  changed();
}

void LiveSupervisor::start_probe(const UsbDevice& phone) {
  const std::string key = phone.address + "|" + std::to_string(phone.device_number);
  if (probing_.contains(key)) return;
  run([](LiveSupervisor* self, UsbDevice one, std::string name) -> asio::awaitable<void> {
    const auto mark = self->hold(&self->probing_, name);
    co_await self->probe_phone(std::move(one));
  }(this, phone, key));
}

asio::awaitable<void> LiveSupervisor::probe_phone(UsbDevice phone) {
  using namespace base::parallel;
  while (awaited_.contains(Transport::server)) co_await changed_.wait();
  if (settled_ && !server_error_) co_await sleep_for(kHandsOff);
  // Until it changes on the bus, or a caller opened it and found it in another state.
  const auto touched = [](LiveSupervisor* self, UsbDevice one) -> asio::awaitable<void> {
    for (;;) {
      const auto known = self->phones_.find(one.address);
      const bool is_same = known != self->phones_.end() && known->second.first == one;
      if (!is_same || known->second.second.state != State::unauthorized) co_return;
      co_await self->changed_.wait();
    }
  };
  Backoff backoff;
  for (int denied = 0;;) {
    if (is_here(phone)) phone = phones_.at(phone.address).first;
    if (co_await probe_once(&phone)) co_return;
    const auto& [now, row] = phones_.at(phone.address);
    const bool no_right = row.state == State::no_permissions;
    if (no_right && ++denied >= kUdevTries && now == phone) co_return;
    if (row.state == State::unauthorized) {
      co_await (touched(this, phone) || sleep_for(kLockedPause));
    } else {
      co_await sleep_for(no_right ? kUdevPause : backoff.next());
    }
  }
}

bool LiveSupervisor::server_holds(const UsbDevice& phone) const {
  return std::ranges::any_of(model_.rows(),
                             [&](const DeviceRow& row) { return holds(row, phone); });
}

bool LiveSupervisor::is_here(const UsbDevice& phone) const {
  const auto known = phones_.find(phone.address);
  return known != phones_.end() && known->second.first.device_number == phone.device_number;
}

// True when there is nothing more to find out.
asio::awaitable<bool> LiveSupervisor::probe_once(const UsbDevice* phone) {
  using namespace base::parallel;
  const std::string key = route_key(usb_row(*phone));
  while (is_here(*phone) && busy_.contains(key)) co_await changed_.wait();
  if (!is_here(*phone) || opened_.contains(key)) co_return true;
  if (server_holds(*phone)) {
    const auto server = routes_.server();
    const std::string where = server ? " at " + server->address().to_string() : "";
    show_phone(phone->address, State::busy, "held by the adb server" + where);
    co_return true;
  }
  const auto busy = hold(&busy_, key);
  const auto departure = [](LiveSupervisor* self, const UsbDevice* of) -> asio::awaitable<void> {
    while (self->is_here(*of)) co_await self->changed_.wait();
  };
  auto described = co_await (routes_.describe_usb_phone(*phone) || departure(this, phone));
  if (described.index() != 0 || !is_here(*phone)) co_return true;
  auto& row = phones_[phone->address].second;
  row = std::get<0>(std::move(described));
  const bool is_known = answers(row.state);
  publish_usb();
  co_return is_known;
}

void LiveSupervisor::show_phone(const std::string& address, State state, std::string obstacle) {
  const auto phone = phones_.find(address);
  if (phone == phones_.end()) return;
  phone->second.second.state = state;
  phone->second.second.obstacle = std::move(obstacle);
  publish_usb();
}

asio::awaitable<void> LiveSupervisor::watch_targets() {
  adbproto::FolderWatch folder(state_folder().string());
  for (;;) {
    if (auto targets = read_targets()) take_targets(*std::move(targets));
    publish_links();
    co_await wait_change(&folder, folder.is_watching() ? kRescanPause : kTargetsPause);
  }
}

// Forgets disconnected addresses. One that is still connected then starts again, with whichever
// phone answers next.
void LiveSupervisor::take_targets(TargetList targets) {
  const auto before = std::exchange(targets_, std::move(targets));
  std::erase_if(identities_, [&](const auto& known) {  // of phones that the server dialled
    const std::string& name = known.second.row.serial;
    return known.second.row.transport == Transport::server &&
           number(targets_, name) != number(before, name);
  });
  std::vector<std::string> outdated;
  for (const auto& [name, kept] : kept_) {
    if (is_outdated(name, kept)) outdated.push_back(name);
  }
  for (const std::string& name : outdated) drop(name);
  if (options_.connect_paired && !outdated.empty()) follow_paired(announced_);
  for (const std::string& address : targets_.addresses) {
    keep(address, {.serial = address, .transport = Transport::tcp}, Origin::target);
  }
}

// The user disconnected it, and may have connected it again.
bool LiveSupervisor::is_outdated(const std::string& name, const Kept& kept) const {
  const bool is_target = std::ranges::count(targets_.addresses, name) != 0;
  if (kept.origin == Origin::target && !is_target) return true;
  return number(targets_, name).value_or(0) != kept.change;
}

void LiveSupervisor::drop(const std::string& name) {
  const auto at = kept_.find(name);
  at->second.link->silence();
  at->second.scope->cancel();
  identities_.erase(memory_key(at->second.link->row()));
  kept_.erase(at);
  publish_links();
}

std::shared_ptr<KeptLink> LiveSupervisor::keep(const std::string& name, DeviceRow row,
                                               Origin origin) {
  if (const auto at = kept_.find(name); at != kept_.end()) {
    if (origin == Origin::target) at->second.origin = origin;
    return at->second.link;
  }
  Kept kept{.link = std::make_shared<KeptLink>(executor_, routes_, std::move(row),
                                               [this] { publish_links(); }),
            .scope = std::make_unique<adbproto::Scope>(executor_),
            .origin = origin};
  kept.change = number(targets_, name).value_or(0);
  if (!stopping_) {
    kept.scope->spawn([](std::shared_ptr<KeptLink> link) -> asio::awaitable<void> {
      co_await link->keep();
    }(kept.link));
  }
  return kept_.emplace(name, std::move(kept)).first->second.link;
}

void LiveSupervisor::publish_links() {
  std::vector<DeviceRow> rows;
  bool all_tried = true;
  for (const auto& [name, kept] : kept_) {
    rows.push_back(kept.link->row());
    all_tried = all_tried && kept.link->tries() != 0;
  }
  model_.replace(Transport::tcp, std::move(rows));
  if (all_tried) source_reported(Transport::tcp);
  changed();
}

asio::awaitable<void> LiveSupervisor::watch_announcements() {
  const auto surroundings = surroundings_of(options_.target);
  const auto discovery = co_await start_discovery(surroundings.get());
  source_reported(Transport::mdns);
  if (!discovery) co_return;
  for (bool reported = false;;) {
    take_announcements((*discovery)->services());
    const auto& notice = options_.target.on_notice;
    if (notice && (*discovery)->is_flooded() && !std::exchange(reported, true))
      notice(kFloodNotice);
    const auto waited = co_await (*discovery)->wait_change();
    if (!waited || stopping_) co_return;
  }
}

void LiveSupervisor::take_announcements(const std::vector<DiscoveredService>& services) {
  std::vector<DeviceRow> rows;
  rows.reserve(services.size());
  for (const DiscoveredService& service : services) rows.push_back(announced_row(service));
  announced_ = services;
  if (options_.connect_paired) follow_paired(announced_);
  model_.replace(Transport::mdns, options_.discover ? std::move(rows) : std::vector<DeviceRow>{});
  changed();
}

void LiveSupervisor::follow_paired(const std::vector<DiscoveredService>& services) {
  const auto surroundings = surroundings_of(options_.target);
  if (!surroundings->known_hosts) return;
  for (const std::string& guid : surroundings->known_hosts()) {
    if (guid.empty()) continue;
    const auto service = last_announced(services, guid, AdbService::tls_connect);
    if (!service) continue;
    const std::string address = address_text(*service);
    const auto kept = kept_.find(guid);
    if (kept != kept_.end()) kept->second.link->move_to(address);
    DeviceRow row{.serial = guid, .transport = Transport::tcp};
    row.address = address;
    keep(guid, std::move(row), Origin::announced);
  }
}

}  // namespace clawperator
