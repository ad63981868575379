#include "runtime/engine/device_session.hpp"

#include "adbproto/wire/errc.hpp"
#include "base/async/blocking.hpp"
#include "base/async/memory_budget.hpp"
#include "base/at_exit.hpp"
#include "runtime/ui/hierarchy.hpp"

namespace clawperator {
namespace {

Result<std::string> hash_of(std::string_view xml) {
  TRY(const UiTree tree, parse_hierarchy(xml));
  return tree_hash(tree);
}

}  // namespace

Task<std::unique_ptr<CommandLog>> DeviceSession::join_log(std::shared_ptr<Device> device,
                                                          KnownPhone known,
                                                          ResultCollector* collector) {
  while (starting_) co_await started_.wait();
  const bool linked = pump_ && !pump_->is_over();
  if (pump_) {
    if (auto log = pump_->join(collector)) co_return log;
    pump_->retire();
  }
  // Other executions wait for the one that opens the log, whether it succeeds or fails.
  starting_ = true;
  const AtExit over([this] {
    starting_ = false;
    started_.notify_all();
  });
  operator_package_.clear();
  if (!linked) {
    ++link_;
    last_tree_.reset();
  }
  CO_TRY(pump_, co_await LogPump::start(std::move(device), std::move(known), scope_, reconnect_));
  auto log = pump_->join(collector);
  if (!log && pump_->end()) co_return std::unexpected(*pump_->end());
  if (!log) co_return fail(errc::link_lost, "the device's log ended as it was opened");
  co_return log;
}

bool DeviceSession::has_operator(const std::string& package) const {
  return pump_ && !pump_->is_over() && !package.empty() && operator_package_ == package;
}

asio::awaitable<DeviceMemory> DeviceSession::recall(std::string serial) {
  if (!memory_) {
    auto read = co_await adbproto::run_blocking(
        [&serial]() -> Result<DeviceMemory> { return recall_device(serial); });
    // Another execution may have stored newer facts by now.
    if (!memory_) memory_ = read.value_or(DeviceMemory{});
  }
  co_return *memory_;
}

void DeviceSession::remember(std::string serial, DeviceMemory memory) {
  memory_ = std::move(memory);
  unsaved_ = true;
  if (std::exchange(saving_, true)) return;
  scope_->spawn(save(shared_from_this(), std::move(serial)));
}

asio::awaitable<void> DeviceSession::save(std::shared_ptr<DeviceSession> self, std::string serial) {
  while (std::exchange(self->unsaved_, false)) {
    const DeviceMemory memory = *self->memory_;
    [[maybe_unused]] const auto saved = co_await adbproto::run_blocking([&]() -> Result<void> {
      remember_device(serial, memory);
      return ok();
    });
  }
  self->saving_ = false;
}

void DeviceSession::note_tree(std::string xml) {
  unhashed_ = Unhashed{std::move(xml), Clock::now(), link_};
  if (!hashing_) scope_->spawn(hash_trees(shared_from_this()));
}

asio::awaitable<void> DeviceSession::hash_trees(std::shared_ptr<DeviceSession> self) {
  self->hashing_ = true;
  const AtExit over([&] {
    self->hashing_ = false;
    self->hashed_.notify_all();
  });
  while (self->unhashed_) {
    const Unhashed tree = *std::exchange(self->unhashed_, std::nullopt);
    const std::string* xml = &tree.xml;
    auto hash = co_await run_blocking([xml] { return hash_of(*xml); });
    if (hash && tree.link == self->link_) self->last_tree_ = SeenTree{*std::move(hash), tree.at};
  }
}

asio::awaitable<std::optional<SeenTree>> DeviceSession::last_tree() {
  while (hashing_) co_await hashed_.wait();
  co_return pump_ && !pump_->is_over() ? last_tree_ : std::nullopt;
}

bool DeviceSession::is_idle() const {
  return !starting_ && !saving_ && (!pump_ || pump_->is_over());
}

DeviceSessions::DeviceSessions(const asio::any_io_executor& executor, ResolveDevice reopen)
    : executor_(executor), reopen_(std::move(reopen)), scope_(executor), lines_(executor) {
  adbproto::MemoryBudget::of(executor).set_limit(adbproto::MemoryBudget::kServerLimit);
}

namespace {

// The phone at the port where it was plugged in, because twins share a serial; else wherever it is
// attached now.
Task<std::shared_ptr<Device>> open_again(ResolveDevice reopen, std::string serial,
                                         std::string place) {
  TargetOptions target;
  target.honour_android_serial = false;
  target.authorization_limit = {};
  if (!place.empty()) {
    target.device = std::move(place);
    auto device = co_await reopen(target);
    if (device && (*device)->serial() == serial) {
      co_return std::shared_ptr<Device>(*std::move(device));
    }
  }
  target.device = std::move(serial);
  CO_TRY(auto device, co_await reopen(std::move(target)));
  co_return std::shared_ptr<Device>(std::move(device));
}

}  // namespace

Reconnect DeviceSessions::reconnect_to(const Device& device) const {
  if (!reopen_) return {};
  return [reopen = reopen_, serial = device.serial(), place = device.facts().place] {
    return open_again(reopen, serial, place);
  };
}

std::shared_ptr<DeviceSession> DeviceSessions::of(const Device& device) {
  if (sessions_.size() >= kMaxIdle) {
    std::erase_if(sessions_, [](const auto& entry) { return entry.second->is_idle(); });
  }
  auto& session = sessions_[{std::string(device.route()), device.serial(), device.facts().place}];
  if (!session) {
    session = std::make_shared<DeviceSession>(executor_, &scope_, reconnect_to(device));
  }
  return session;
}

asio::awaitable<void> DeviceSessions::stop() {
  scope_.cancel();
  co_await scope_.join();
}

}  // namespace clawperator
