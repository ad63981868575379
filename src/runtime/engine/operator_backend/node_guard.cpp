#include "runtime/engine/operator_backend/node_guard.hpp"

#include "base/async/blocking.hpp"
#include "base/error_members.hpp"
#include "runtime/android/shell_lines.hpp"
#include "runtime/engine/ulid.hpp"
#include "runtime/ui/errc.hpp"
#include "runtime/ui/hierarchy.hpp"

namespace clawperator {
namespace {

constexpr std::string_view kGone = "its node is not there any more";

// It keeps the plan's ids, so that errors and log lines name the same command.
Execution plan_of_look(const Execution& plan) {
  Execution look = plan;
  look.actions = {{Snapshot{}, "shown"}};
  return look;
}

Error unread(const Error& error, const std::string& ref) {
  return {error.code(),
          (ref.empty() ? "nothing was done" : "ref " + ref + " was not used") +
              ": the screen could not be read: " + error.message(),
          error.members()};
}

}  // namespace

// `by_look`: by a snapshot, which knows whose windows they are. Once it was needed, the phone's
// shell cannot distinguish them, and would hold back every later dispatch, too.
Task<void> NodeGuard::make_sure(bool by_look) {
  looks_ = looks_ || by_look;
  if (looks_) {
    guard_ = RefGuard::look;
  } else {
    CO_TRY(guard_, co_await choose());
  }
  if (guard_ == RefGuard::look) CO_TRY_VOID(co_await look_for_shown());
  co_return ok();
}

// A remembered version is trusted until the phone restarts.
Task<RefGuard> NodeGuard::choose() {
  Phone& phone = *parts_.phone;
  const int sdk = parts_.log->stream->facts().sdk;
  if (shown_->ref.empty()) {
    co_return guard_of(*shown_, parts_.job->request.execution, std::nullopt, sdk);
  }
  auto version = phone.choice().version(phone.recalled());
  if (!version) version = co_await ask_version(phone.device(), phone.package_name());
  binds_ = knows_strict(version);
  co_return guard_of(*shown_, parts_.job->request.execution, version, sdk);
}

Execution NodeGuard::bound(Execution plan) const {
  return binds_ ? bound_plan(std::move(plan), *shown_, guard_) : plan;
}

CommandChannel::Wrap NodeGuard::wrap() const {
  if (guard_ != RefGuard::shell) return {};
  return [app = shown_->app, sdk = parts_.log->stream->facts().sdk](std::string line) {
    return line_if_in_front(app, sdk, line);
  };
}

void NodeGuard::clean(Envelope& envelope) const {
  if (binds_) hide_container(envelope, parts_.job->request.execution);
}

Task<void> NodeGuard::look_for_shown() {
  CO_TRY(const UiTree now, co_await look());
  if (const auto found = find_shown(now, *shown_); !found) {
    co_return std::unexpected(stale_ref(*shown_, found.error(), main_package(now)));
  }
  co_return ok();
}

// Nothing was touched. A changed text does not mean another window: a snapshot decides, once.
Task<void> NodeGuard::explain_miss(Conversation* conversation) {
  if (shown_->ref.empty() || scrolls_first(parts_.job->request.execution)) co_return ok();
  while (has_missed(conversation->envelope())) {
    const auto now = co_await look();
    const auto found = now ? find_shown(*now, *shown_) : std::unexpected(kGone);
    const bool is_first = std::exchange(guard_, RefGuard::look) != RefGuard::look;
    if (!found || !is_first) {
      const std::string front = now ? main_package(*now) : "";
      co_return std::unexpected(stale_ref(*shown_, found ? kGone : found.error(), front));
    }
    CO_TRY_VOID(co_await conversation->repeat());
  }
  co_return ok();
}

// Takes a snapshot by a dispatch with an id of its own.
Task<UiTree> NodeGuard::look() {
  const auto start = Clock::now();
  ExecutionJob& job = *parts_.job;
  const std::string id = std::exchange(job.dispatch_id, new_dispatch_id());
  const Execution plan = plan_of_look(job.request.execution);
  Result<UiTree> tree = UiTree();
  {
    Conversation look(parts_, &plan, Conversation::Kind::look);
    const auto answered = co_await look.run();
    if (answered) tree = co_await read(&look, &plan);
    if (!answered) tree = std::unexpected(unread(answered.error(), shown_->ref));
  }
  job.dispatch_id = id;
  parts_.observer->trace().phase("look", start);
  co_return tree;
}

Task<UiTree> NodeGuard::read(Conversation* look, const Execution* plan) const {
  Envelope envelope = look->take_envelope();
  attach_snapshots(envelope, *plan, look->take_hierarchies());
  const std::string* xml = snapshot_text(envelope);
  if (!xml) {
    reconcile(envelope,
              {parts_.phone->advised_name(), parts_.phone->package_name(), parts_.job->service});
    ErrorMembers members;
    if (envelope.hint) members.text("hint", *envelope.hint);
    const Error error(errc::snapshot_extraction_failed,
                      envelope.error.value_or("no whole hierarchy arrived"), members.str());
    co_return std::unexpected(unread(error, shown_->ref));
  }
  co_return co_await run_blocking([xml] { return parse_hierarchy(*xml); });
}

}  // namespace clawperator
