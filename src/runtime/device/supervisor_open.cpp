// Which device work goes to, and that it is still the same one.

#include <algorithm>

#include "runtime/contract/errc.hpp"
#include "runtime/contract/error_members.hpp"
#include "runtime/device/supervisor_state.hpp"

namespace clawperator {

using SharedDevice = std::shared_ptr<Device>;

namespace {

constexpr auto kReturnLimit = std::chrono::milliseconds(1000);
constexpr std::ptrdiff_t kMaxAsked = 64;
constexpr std::size_t kMaxKnown = 256;

// The phone on USB that was named and does not answer those who look: connecting goes further.
const DeviceRow* offline_phone(const std::vector<DeviceRow>& rows, const Question& question) {
  if (!question.serial) return nullptr;
  const DeviceRow* found = nullptr;
  for (const DeviceRow& row : rows) {
    if (!question.matches(row) || row.transport == Transport::tcp) continue;
    if (found || row.transport != Transport::usb || row.state != State::offline) return nullptr;
    found = &row;
  }
  return found;
}

bool is_announced(const DeviceRow& row) { return row.transport == Transport::mdns; }

}  // namespace

std::vector<DeviceRow> LiveSupervisor::rows_for(Transport transport) const {
  auto all = rows();
  std::erase_if(all, is_announced);
  if (transport == Transport::automatic) return all;
  std::erase_if(all, [&](const DeviceRow& row) { return row.transport != transport; });
  return all;
}

// A device that work went to may be back in a moment.
asio::awaitable<void> LiveSupervisor::wait_return(Question question, Transport transport) {
  using namespace adbproto::parallel;
  const bool had_work = std::ranges::any_of(
      identities_, [&](const auto& known) { return question.matches(known.second.row); });
  if (!had_work) co_return;
  const auto here = [](LiveSupervisor* self, Question asked,
                       Transport over) -> asio::awaitable<void> {
    while (!choose_rows(self->rows_for(over), asked)) co_await self->changed_.wait();
  };
  co_await (here(this, std::move(question), transport) || sleep_for(kReturnLimit));
}

// Only who asks for USB hears of phones that the server stands for.
Error LiveSupervisor::why_none(const Question& question, Transport transport, Error error) const {
  for (const auto& [name, kept] : kept_) {
    if (kept.link->refusal() && question.matches(kept.link->row())) return *kept.link->refusal();
  }
  const auto shown = rows_for(transport);
  for (const auto& [address, known] : phones_) {
    const DeviceRow& row = known.second;
    const bool counts =
        transport == Transport::usb || std::ranges::count(shown, route_key(row), route_key) != 0;
    if (!counts || !question.matches(row)) continue;
    if (row.state == State::busy) return {errc::usb_busy, row.obstacle};
    if (row.state == State::no_permissions) return {errc::usb_no_permission, row.obstacle};
    if (row.state == State::unauthorized) return {errc::device_unauthorized, row.obstacle};
  }
  return why_nothing().value_or(std::move(error));
}

std::optional<Error> LiveSupervisor::why_nothing() const {
  if (!server_error_ || !rows().empty()) return std::nullopt;
  return routes_.server_failure(*server_error_);
}

Task<SharedDevice> LiveSupervisor::open(TargetOptions target) {
  if (stopping_) co_return fail(errc::cancelled, "the supervisor is stopping");
  co_return co_await until_stopped(open_chosen(std::move(target)));
}

Task<SharedDevice> LiveSupervisor::open_chosen(TargetOptions target) {
  const Question question = question_of(target);
  auto chosen = choose_rows(rows_for(target.transport), question);
  const bool absent = !chosen && chosen.error().code() != errc::multiple_devices_device_id_required;
  const bool dials = target.transport == Transport::tcp && question.serial;
  const bool waits = !dials || !target_name(*question.serial);  // an address is dialled at once
  if (absent && waits) co_await wait_return(question, target.transport);
  const auto rows = rows_for(target.transport);
  if (absent) chosen = choose_rows(rows, question);
  const KeyOffer offer = offer_of(target);
  if (!chosen) {
    const auto locked = row_to_authorize(rows, question);
    if (locked && offer.is_made()) co_return co_await open_one(rows[*locked], offer);
    if (const DeviceRow* mute = offline_phone(rows, question)) {
      auto device = co_await open_one(*mute, offer);
      if (device) co_return device;
    }
    if (!locked && dials) co_return co_await open_address(*question.serial, offer);
    co_return std::unexpected(why_none(question, target.transport, chosen.error()));
  }
  std::vector<DeviceRow> candidates;
  for (const std::size_t at : *chosen) candidates.push_back(rows[at]);
  if (candidates.size() > 1) co_return co_await open_only(std::move(candidates));
  co_return co_await open_one(std::move(candidates.front()), KeyOffer::kNever);
}

// Several ways that may lead to one phone. One that does not open may be another phone: never is
// it passed over for those that do.
Task<SharedDevice> LiveSupervisor::open_only(std::vector<DeviceRow> rows) {
  std::vector<Way> ways;
  std::vector<std::string> opened_here;
  Result<SharedDevice> first = fail(errc::link_lost, "");
  for (const DeviceRow& row : rows) {
    const std::string key = route_key(row);
    const bool is_new = !opened_before(key);
    auto device = co_await open_one(row, KeyOffer::kNever);
    ways.push_back({row, device ? identities_[memory_key(row)].identity : Identity{}});
    if (device && is_new && first) opened_here.push_back(key);
    if (device && is_new && !first) opened_here.insert(opened_here.begin(), key);
    if (!first) first = std::move(device);
  }
  if (!is_one_phone(ways)) first = std::unexpected(several_devices(rows));
  for (const std::string& key : opened_here) {
    const auto at = opened_.find(key);
    if (at != opened_.end() && !(first && at->second.device == *first)) release(key);
  }
  co_return first;
}

Task<SharedDevice> LiveSupervisor::open_one(DeviceRow row, KeyOffer offer) {
  const auto kept = row.transport == Transport::tcp ? kept_.find(row.serial) : kept_.end();
  if (kept != kept_.end()) {
    kept->second.wanted = ++wants_;
    co_return co_await open_kept(kept->second.link, offer);
  }
  const std::string key = route_key(row);
  while (busy_.contains(key)) co_await changed_.wait();
  if (auto device = opened_before(key)) co_return device;
  const Busy busy(this, key);
  co_return co_await open_fresh(std::move(row), offer);
}

// Lets go of a phone of ours that nobody else uses meanwhile: its interface, its link.
void LiveSupervisor::release(const std::string& key) {
  constexpr long kOurs = 2;  // the entry and who watches it
  const auto at = opened_.find(key);
  if (at->second.held || at->second.device.use_count() > kOurs) return;
  at->second.released->notify_all();
  opened_.erase(at);
}

SharedDevice LiveSupervisor::opened_before(const std::string& key) {
  const auto at = opened_.find(key);
  if (at == opened_.end() || (at->second.held && at->second.held->is_lost())) return nullptr;
  return at->second.device;
}

Task<SharedDevice> LiveSupervisor::open_fresh(DeviceRow row, KeyOffer offer) {
  Route route{.row = row};
  if (row.transport == Transport::usb) {
    const auto phone = phones_.find(row.bus_address);
    if (phone == phones_.end()) co_return fail(errc::link_lost, "the phone was unplugged");
    route.usb = phone->second.first;
  }
  if (offer.is_made()) show_phone(row.bus_address, State::authorizing);
  auto device = co_await routes_.open(&route, offer);
  if (!device) {
    if (route.usb) {
      show_phone(row.bus_address, route_state(device.error()), device.error().message());
    }
    co_return std::unexpected(device.error());
  }
  if (const auto fit = check_state({}, **device); !fit) {
    show_phone(row.bus_address, state_of(**device));
    co_return std::unexpected(fit.error());
  }
  CO_TRY_VOID(co_await check_identity(device->get(), &row));
  co_return remember(row, *std::move(device));
}

Task<void> LiveSupervisor::check_identity(Device* device, const DeviceRow* row) {
  CO_TRY(const Identity now, co_await read_identity(device));
  const auto at = identities_.find(memory_key(*row));
  const Identity before = at == identities_.end() ? now : at->second.identity;
  if (!is_same_phone(before, now)) {
    co_return std::unexpected(identity_changed(row->serial, row->transport, before, now));
  }
  know(*row, updated(before, now));
  co_return ok();
}

// Of phones that are not here, those that work went to last are remembered.
void LiveSupervisor::know(const DeviceRow& row, const Identity& identity) {
  identities_[memory_key(row)] = {row, identity, ++wants_};
  if (identities_.size() <= kMaxKnown) return;
  std::set<std::string> here;
  for (const DeviceRow& shown : rows()) here.insert(memory_key(shown));
  auto oldest = identities_.end();
  for (auto at = identities_.begin(); at != identities_.end(); ++at) {
    if (here.contains(at->first)) continue;
    if (oldest == identities_.end() || at->second.used < oldest->second.used) oldest = at;
  }
  if (oldest != identities_.end()) identities_.erase(oldest);
}

SharedDevice LiveSupervisor::remember(const DeviceRow& row, DevicePtr device) {
  const std::string key = route_key(row);
  Opened opened;
  if (row.transport == Transport::server) {
    opened.held = HeldDevice::make(executor_, std::move(device));
    opened.device = opened.held;
    const auto now = rows();
    const auto at = std::ranges::find(now, key, route_key);
    if (at == now.end()) opened.held->lose("the adb server lost the device");
  } else {
    opened.device = std::move(device);
    show_phone(row.bus_address, State::device);
  }
  model_.learn(key, identities_[memory_key(row)].identity.serialno);
  opened.released = std::make_shared<adbproto::Signal>(executor_);
  SharedDevice shared = opened.device;
  auto released = opened.released;
  opened_.insert_or_assign(key, std::move(opened));
  run(await_loss(key, shared, std::move(released)));
  return shared;
}

asio::awaitable<void> LiveSupervisor::await_loss(std::string key, SharedDevice device,
                                                 std::shared_ptr<adbproto::Signal> released) {
  using namespace adbproto::parallel;
  const auto is_known = [&] {
    const auto at = opened_.find(key);
    return at != opened_.end() && at->second.device == device;
  };
  if (!is_known()) co_return;
  co_await (device->wait_lost() || released->wait());
  if (!is_known()) co_return;
  opened_.erase(key);
  for (const auto& [address, known] : phones_) {
    if (route_key(known.second) != key) continue;
    look_at(known.first);
    show_phone(address, State::offline);
    break;
  }
  changed();
}

// A person is asked on a second link; the kept one goes on trying meanwhile.
Task<void> LiveSupervisor::authorize(std::shared_ptr<KeptLink> link, KeyOffer offer) {
  using namespace adbproto::parallel;
  const KeptLink::Authorizing shown(link.get());
  Route route{.row = link->row()};
  CO_TRY(auto device, co_await routes_.open(&route, std::move(offer)));
  link->adopt(std::move(device));
  const auto taken = [](LiveSupervisor* self, KeptLink* by) -> asio::awaitable<void> {
    while (!by->device() && !by->refusal()) co_await self->changed_.wait();
  };
  co_await (taken(this, link.get()) || sleep_for(kReturnLimit));
  co_return ok();
}

Task<SharedDevice> LiveSupervisor::open_kept(std::shared_ptr<KeptLink> link, KeyOffer offer) {
  const std::string serial = link->row().serial;
  const bool locked = link->row().state == State::unauthorized;
  if (locked && offer.is_made()) CO_TRY_VOID(co_await authorize(link, offer));
  if (link->refusal()) co_return std::unexpected(*link->refusal());
  if (!link->device() && locked) {
    co_return fail(errc::device_unauthorized, serial + " does not know this computer's key");
  }
  if (!link->device()) co_return fail(errc::link_lost, "the link to " + serial + " is gone");
  know(link->row(), link->identity());
  co_return link->device();
}

bool LiveSupervisor::is_kept(const std::string& name, const std::shared_ptr<KeptLink>& link) const {
  const auto at = kept_.find(name);
  return at != kept_.end() && at->second.link == link;
}

// Of the links that nobody connected to, those that were wanted last are kept.
void LiveSupervisor::mark_wanted(const std::string& name) {
  kept_.at(name).wanted = ++wants_;
  std::ptrdiff_t asked = 0;
  auto oldest = kept_.end();
  for (auto at = kept_.begin(); at != kept_.end(); ++at) {
    if (at->second.origin != Origin::asked) continue;
    ++asked;
    if (oldest == kept_.end() || at->second.wanted < oldest->second.wanted) oldest = at;
  }
  if (asked > kMaxAsked) drop(oldest->first);
}

// Dialled now, whatever was known. An address that nobody connected to before is kept from now on,
// if it answers.
Task<SharedDevice> LiveSupervisor::open_address(std::string address, KeyOffer offer) {
  std::string name = address;
  if (!kept_.contains(address)) {
    CO_TRY(name, target_name(address));
  }
  const auto link = keep(name, {.serial = name, .transport = Transport::tcp}, Origin::asked);
  mark_wanted(name);
  const std::size_t before = link->tries();
  const auto is_there = [&] { return answers(link->row().state); };
  if (!is_there()) link->try_now();
  while (!is_there() && link->tries() == before && is_kept(name, link)) {
    co_await changed_.wait();
  }
  if (link->device() || link->row().state == State::unauthorized) {
    co_return co_await open_kept(link, std::move(offer));
  }
  if (link->refusal()) co_return std::unexpected(*link->refusal());
  if (is_there()) {
    co_return std::unexpected(choose_rows({link->row()}, Question{.serial = name}).error());
  }
  const bool is_ours = is_kept(name, link) && kept_.at(name).origin == Origin::asked;
  if (is_ours && link->identity() == Identity{}) drop(name);
  co_return fail(errc::device_not_found, "Device " + name + " not found: it does not answer",
                 ErrorMembers().object("details", ErrorMembers().strings("connected", {})).str());
}

}  // namespace clawperator
