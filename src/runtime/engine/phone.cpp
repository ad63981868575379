#include "runtime/engine/phone.hpp"

#include "runtime/device/known_phones.hpp"
#include "runtime/engine/ref_guard.hpp"

namespace clawperator {

KnownPhone known_phone(const DeviceMemory& memory) {
  return {memory.boot_id, memory.serialno, memory.sdk};
}

std::optional<adbproto::EarlyOpen> early_log(const ExecuteRequest& request) {
  if (!request.target.device || request.sessions || request.backend == Backend::shell) return {};
  const DeviceMemory memory = recall_device(*request.target.device);
  const auto rung = memory.rungs.of(AndroidService::activity);
  const bool has_shell_v2 = rung && *rung != Rung::legacy_shell;
  if (!has_shell_v2 || !memory.greets_with_delayed_ack) return {};
  return adbproto::EarlyOpen{.service = LogStream::service_of(known_phone(memory)),
                             .delayed_ack = *memory.greets_with_delayed_ack};
}

Task<void> Phone::take(std::unique_ptr<Device> device) {
  link_ = std::move(device);
  if (DeviceSessions* sessions = job_->request.sessions) session_ = sessions->of(*link_);
  device_ = std::make_unique<ObservedDevice>(link_, static_cast<ObservedDevice::Observer*>(this));
  job_->result.device_id = device_->serial();
  job_->result.place = device_->facts().place;
  if (session_) {
    recalled_ = co_await session_->recall(device_->serial());
  } else {
    recalled_ = recall_device(device_->serial());
  }
  if (job_->request.shown) {
    CO_TRY_VOID(check_shower(*job_->request.shown, device_->serial(), own_name(job_->result)));
  }
  memory_ = recalled_;
  channel_.emplace(device_.get(), recalled_.rungs);
  co_return ok();
}

void Phone::on_open(const std::string& service) { observer_->service_opens(service); }

void Phone::on_opened(const std::string& service, const Error* error) {
  if (error) return;
  has_answered_ = true;
  if (on_dispatched_ && is_dispatch(service)) on_dispatched_();
}

void Phone::on_closed(const std::string& service, std::chrono::microseconds after,
                      std::size_t bytes) {
  observer_->service_closed(service, after, bytes);
}

Task<void> Phone::meet(Identity identity) {
  const auto note = std::exchange(job_->request.target.meets_later, nullptr);
  if (!note) co_return ok();
  co_return co_await meet_phone(&job_->request.target, link_.get(), std::move(identity),
                                note.get());
}

Task<void> Phone::meet_by_asking() {
  const auto note = std::exchange(job_->request.target.meets_later, nullptr);
  if (!note) co_return ok();
  co_return co_await meet_phone(&job_->request.target, link_.get(), note.get());
}

// Facts remembered from an earlier boot are probed again.
void Phone::note_boot() {
  if (!recalled_.boot_id.empty() && recalled_.boot_id != facts_->boot_id) {
    rebooted_ = true;
    memory_ = {};
  }
  if (!rebooted_) memory_.rungs = channel_->rungs();
  memory_.boot_id = facts_->boot_id;
  memory_.serialno = facts_->serialno;
  memory_.sdk = facts_->sdk;
  memory_.greets_with_delayed_ack.reset();
  const adbproto::RouteFacts link = device_->facts();
  if (link.agreed_at_once) memory_.greets_with_delayed_ack = link.delayed_ack;
  choice_.note(&memory_);
}

// Without the log's first line the boot counts as the same as last time; what a picture shows is
// true of every boot.
void Phone::remember() {
  if (facts_) {
    if (facts_->boot_id.empty()) return;
    note_boot();
  }
  if (memory_ == recalled_) return;
  recalled_ = memory_;
  if (session_) {
    session_->remember(device_->serial(), memory_);
  } else {
    remember_device(device_->serial(), memory_);
  }
}

}  // namespace clawperator
