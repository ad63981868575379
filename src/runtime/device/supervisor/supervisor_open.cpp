// The transports of a process that lives long are the rows that it already has. An opened device is
// kept and returned again. Before that its identity is compared: another phone may answer in its
// place by then.

#include <algorithm>

#include "adbproto/client/emulator_console.hpp"
#include "adbproto/wire/errc.hpp"
#include "runtime/device/errc.hpp"
#include "runtime/device/resolver/resolver.hpp"
#include "runtime/device/supervisor/supervisor_state.hpp"

namespace clawperator {

using SharedDevice = std::shared_ptr<Device>;

namespace {

// adbd is back on the bus within a second (docs/internals/protocol.md, 9); an error comes this late
// at most.
constexpr auto kReturnLimit = std::chrono::milliseconds(1000);
constexpr std::ptrdiff_t kMaxNamed = 64;  // each keeps a link; as many as kMaxTargets
constexpr std::size_t kMaxKnown = 256;    // more devices than one daemon serves; bounds memory

// Something that work went to may be back in a moment. With --transport tcp an address is dialled
// at once; otherwise a list may have had it.
bool may_return(const Decision& decision, Transport transport) {
  if (const auto* dial = std::get_if<Dial>(&decision)) {
    return transport == Transport::automatic || !target_name(dial->address);
  }
  const auto* refusal = std::get_if<Refuse>(&decision);
  if (refusal) return refusal->why.code() != errc::multiple_devices_device_id_required;
  return std::holds_alternative<Connect>(decision);
}

// The one row of decide()'s `Open`, without the other candidates: they only matter for the error
// when there is none.
std::optional<DeviceRow> ready_row(const std::vector<DeviceRow>& rows, const Question& question,
                                   Transport over) {
  std::vector<DeviceRow> matching;
  for (const DeviceRow& row : rows) {
    const bool is_allowed = over == Transport::automatic || row.transport == over;
    const bool is_way = row.transport != Transport::mdns;
    if (is_way && is_allowed && question.takes(row.state) && question.matches(row)) {
      matching.push_back(row);
    }
  }
  const auto chosen = choose_rows(matching, question);
  if (!chosen || chosen->size() != 1) return std::nullopt;
  return std::move(matching[chosen->front()]);
}

}  // namespace

// The problem of a link of our own, as far as it is known.
std::optional<Error> LiveSupervisor::problem_of(const DeviceRow& row) const {
  if (row.transport == Transport::tcp && kept_.contains(row.serial)) {
    if (const auto& refusal = kept_.at(row.serial).link->refusal()) return refusal;
    if (row.state != State::unauthorized) return std::nullopt;
    return Error(errc::device_unauthorized, row.serial + " does not know this computer's key");
  }
  if (row.transport != Transport::usb) return std::nullopt;
  if (row.state == State::busy) return Error(errc::usb_busy, row.obstacle);
  if (row.state == State::no_permissions) return Error(errc::usb_no_permission, row.obstacle);
  if (row.state == State::unauthorized) return Error(errc::device_unauthorized, row.obstacle);
  return std::nullopt;
}

// Phones that the server holds are candidates only for a question about USB, and only as busy ones.
// A silent phone is woken, which may reset it, only where it is named: this process lives long and
// gets many questions.
Found LiveSupervisor::found(const Question& question, Transport over) const {
  Found found;
  const bool uses_server = over == Transport::automatic || over == Transport::server;
  if (uses_server && server_error_) found.server_error = routes_.server_failure(*server_error_);
  auto& all = found.candidates;
  for (const DeviceRow& row : model_.rows()) {
    const bool is_way = row.transport != Transport::mdns;
    const bool is_allowed = over == Transport::automatic || row.transport == over;
    if (!is_way || !is_allowed) continue;
    all.push_back({row, problem_of(row)});
    const bool is_silent = row.transport == Transport::usb && row.state == State::offline;
    if (is_silent && question.serial) {
      all.back().problem = Error(errc::deadline_exceeded, "the phone does not answer");
    }
  }
  if (over != Transport::usb) return found;
  for (const auto& [address, known] : phones_) {
    auto problem = problem_of(known.second);
    if (!problem || !server_holds(known.first)) continue;
    all.push_back({known.second, std::move(problem)});
    all.back().row.state = State::busy;
  }
  return found;
}

Decision LiveSupervisor::decide_now(const Question& question, Transport transport) const {
  const Found now = found(question, transport);
  return decide(now.candidates, question, now.server_error);
}

// A device that work went to may be back in a moment. One in its first try gets as long as that
// try takes: the caller may just have connected it.
asio::awaitable<void> LiveSupervisor::wait_ready(Question question, Transport transport) {
  using namespace base::parallel;
  const bool had_work = std::ranges::any_of(
      identities_, [&](const auto& known) { return question.matches(known.second.row); });
  const auto ready = [](LiveSupervisor* self, const Question* query, Transport over,
                        bool only_coming) -> asio::awaitable<void> {
    for (;;) {
      const Found now = self->found(*query, over);
      const bool is_coming = std::ranges::any_of(now.candidates, [&](const Candidate& one) {
        return one.row.state == State::connecting && query->matches(one.row);
      });
      if (only_coming && !is_coming) co_return;
      if (std::holds_alternative<Open>(decide(now.candidates, *query, now.server_error))) co_return;
      co_await self->changed_.wait();
    }
  };
  co_await (ready(this, &question, transport, true) || sleep_for(KeptLink::kDialLimit));
  if (had_work) {
    co_await (ready(this, &question, transport, false) || sleep_for(kReturnLimit));
  }
}

std::optional<Error> LiveSupervisor::why_nothing() const {
  if (!server_error_ || !model_.rows().empty()) return std::nullopt;
  return routes_.server_failure(*server_error_);
}

class LiveSupervisor::KeptTransports final : public Transports<SharedDevice> {
 public:
  KeptTransports(LiveSupervisor* self, Found found) : self_(self), found_(std::move(found)) {}

  [[nodiscard]] Found found() const override { return found_; }
  Task<SharedDevice> open(std::size_t at, KeyOffer offer) override {
    const DeviceRow& row = row_of(at);
    if (!self_->ready_device(row)) opened_.push_back(route_key(row));
    return self_->open_one(row, std::move(offer));
  }
  Task<SharedDevice> dial(std::string address, KeyOffer offer) override {
    return self_->open_address(std::move(address), std::move(offer));
  }
  asio::awaitable<Identity> identity(std::size_t at, Device* /*device*/) override {
    co_return self_->identities_[memory_key(row_of(at))].identity;
  }
  void keep_only(const Device* device) override {
    for (const std::string& key : opened_) {
      const auto opened = self_->opened_.find(key);
      const bool is_other = opened != self_->opened_.end() && opened->second.device.get() != device;
      if (is_other) self_->release(key);
    }
  }
  Task<SharedDevice> open_from_holder(std::size_t /*at*/) override {
    co_return fail(errc::device_not_found, "the adb server's list is followed already");
  }

 private:
  [[nodiscard]] const DeviceRow& row_of(std::size_t at) const { return found_.candidates[at].row; }

  LiveSupervisor* self_;
  Found found_;
  std::vector<std::string> opened_;  // route keys of devices that this opened
};

Task<SharedDevice> LiveSupervisor::open(TargetOptions target) {
  if (stopping_) co_return fail(errc::cancelled, "the supervisor is stopping");
  target.adb_server = options_.target.adb_server;  // its list is the one that is followed
  const auto row = ready_row(model_.rows(), question_of(target), target.transport);
  if (auto device = row ? ready_device(*row) : nullptr) co_return device;
  co_return co_await until_stopped(open_chosen(std::move(target)));
}

Task<SharedDevice> LiveSupervisor::open_chosen(TargetOptions target) {
  const Question question = question_of(target);
  if (auto row = ready_row(model_.rows(), question, target.transport)) {
    co_return co_await open_one(*std::move(row), KeyOffer::kNever);
  }
  if (target.uses(Transport::server)) co_await find_server();
  if (may_return(decide_now(question, target.transport), target.transport)) {
    co_await wait_ready(question, target.transport);
  }
  KeptTransports transports(this, found(question, target.transport));
  co_return co_await resolve(&transports, question, offer_of(target));
}

// A device that is already open.
SharedDevice LiveSupervisor::ready_device(const DeviceRow& row) {
  const auto kept = row.transport == Transport::tcp ? kept_.find(row.serial) : kept_.end();
  if (kept == kept_.end()) {
    const auto at = opened_.find(route_key(row));
    if (at == opened_.end() || (at->second.held && at->second.held->is_lost())) return nullptr;
    return at->second.device;
  }
  const auto& link = kept->second.link;
  if (!link->device()) return nullptr;
  kept->second.used = ++uses_;
  remember_identity(link->row(), link->identity());
  return link->device();
}

Task<SharedDevice> LiveSupervisor::open_one(DeviceRow row, KeyOffer offer) {
  if (auto device = ready_device(row)) co_return device;
  const auto kept = row.transport == Transport::tcp ? kept_.find(row.serial) : kept_.end();
  if (kept != kept_.end()) {
    kept->second.used = ++uses_;
    co_return co_await open_kept(kept->second.link, offer);
  }
  const std::string key = route_key(row);
  while (busy_.contains(key)) co_await changed_.wait();
  if (auto device = ready_device(row)) co_return device;
  const auto busy = hold(&busy_, key);
  co_return co_await open_fresh(std::move(row), offer);
}

// Closes a phone that we opened and no caller uses any more: its interface, its link.
void LiveSupervisor::release(const std::string& key) {
  constexpr long kOurs = 2;  // the entry and its watcher
  const auto at = opened_.find(key);
  if (at->second.held || at->second.device.use_count() > kOurs) return;
  at->second.released->notify_all();
  opened_.erase(at);
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
  auto read = co_await read_identity(device);
  if (!read && read.error().code() == errc::closed) {
    co_return fail(errc::link_lost, read.error().message());
  }
  CO_TRY(const Identity now, std::move(read));
  const auto at = identities_.find(memory_key(*row));
  const Identity before = at == identities_.end() ? now : at->second.identity;
  if (!is_same_phone(before, now)) {
    co_return std::unexpected(identity_changed(row->serial, row->transport, before, now));
  }
  remember_identity(*row, updated(before, now));
  co_return ok();
}

// Of phones that are not here, those that work went to last are remembered.
void LiveSupervisor::remember_identity(const DeviceRow& row, const Identity& identity) {
  identities_[memory_key(row)] = {row, identity, ++uses_};
  if (identities_.size() <= kMaxKnown) return;
  std::set<std::string> here;
  for (const DeviceRow& shown : model_.rows()) here.insert(memory_key(shown));
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
    const auto& now = model_.rows();
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
  using namespace base::parallel;
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
    start_probe(known.first);
    show_phone(address, State::offline);
    break;
  }
  changed();
}

// A second link waits for the owner's consent; the kept link goes on trying meanwhile.
Task<void> LiveSupervisor::authorize(std::shared_ptr<KeptLink> link, KeyOffer offer) {
  using namespace base::parallel;
  link->set_authorizing(true);
  const AtExit at_end([&] { link->set_authorizing(false); });
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
  if (const auto problem = problem_of(link->row()); problem && !link->device()) {
    co_return std::unexpected(*problem);
  }
  if (!link->device()) co_return fail(errc::link_lost, "the link to " + serial + " is gone");
  remember_identity(link->row(), link->identity());
  co_return link->device();
}

bool LiveSupervisor::is_kept(const std::string& name, const std::shared_ptr<KeptLink>& link) const {
  const auto at = kept_.find(name);
  return at != kept_.end() && at->second.link == link;
}

// Of the links without `clawperator connect`, those that were used last are kept.
void LiveSupervisor::mark_used(const std::string& name) {
  kept_.at(name).used = ++uses_;
  std::ptrdiff_t named = 0;
  auto oldest = kept_.end();
  for (auto at = kept_.begin(); at != kept_.end(); ++at) {
    if (at->second.origin != Origin::named) continue;
    ++named;
    if (oldest == kept_.end() || at->second.used < oldest->second.used) oldest = at;
  }
  if (named > kMaxNamed) drop(oldest->first);
}

// Dialled now, whatever its state was. If it answers, the address is kept from now on, even without
// `clawperator connect`.
Task<SharedDevice> LiveSupervisor::open_address(std::string address, KeyOffer offer) {
  std::string name = address;
  if (!kept_.contains(address) && !adbproto::console_port(address)) {
    CO_TRY(name, target_name(address));
  }
  const auto link = keep(name, {.serial = name, .transport = Transport::tcp}, Origin::named);
  mark_used(name);
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
  const bool is_ours = is_kept(name, link) && kept_.at(name).origin == Origin::named;
  if (is_ours && link->identity() == Identity{}) drop(name);
  co_return fail(errc::device_not_found, "Device " + name + " not found: it does not answer");
}

}  // namespace clawperator
