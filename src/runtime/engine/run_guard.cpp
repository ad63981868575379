// A run whose plan names a node by a ref: nothing is sent but for the node that was shown, on the
// phone and in the app where it was shown.

#include <algorithm>

#include "base/async/blocking.hpp"
#include "base/error_members.hpp"
#include "runtime/contract/action_table.hpp"
#include "runtime/engine/run.hpp"
#include "runtime/engine/ulid.hpp"
#include "runtime/ui/errc.hpp"
#include "runtime/ui/hierarchy.hpp"

namespace clawperator {
namespace {

constexpr std::string_view kGone = "its node is not there any more";

// It keeps the plan's ids: errors and log lines of it name the same command.
Execution plan_of_look(const Execution& plan) {
  Execution look = plan;
  look.actions.resize(1);
  look.actions.front() = {};
  look.actions.front().id = "shown";
  look.actions.front().type = ActionType::snapshot_ui;
  return look;
}

Error unread(const Error& error, const std::string& ref) {
  return {error.code(),
          "ref " + ref + " was not used: the screen could not be read: " + error.message(),
          error.members()};
}

}  // namespace

// A hash says nothing of the phone: two may show the same screen, and one of them was shown it.
Result<void> Run::check_shower() const {
  if (!request_.shown || request_.shown->shown_by.empty()) return ok();
  const std::string& by = request_.shown->shown_by;
  if (has_shown(by, device_->serial(), own_name(result_))) return ok();
  const std::string shower = by.substr(0, by.find('\t'));
  return std::unexpected(
      with_details(stale_ref(*request_.shown,
                             "phone " + shower + " has shown it, and this is " + device_->serial()),
                   ErrorMembers().text("shownBy", shower)));
}

// `by_look`: which knows whose windows they are.
Task<void> Run::make_sure(bool by_look) {
  if (!request_.shown || looking_) co_return ok();
  if (by_look) {
    guard_ = RefGuard::look;
  } else {
    CO_TRY(guard_, co_await choose_guard());
  }
  if (guard_ == RefGuard::look) CO_TRY_VOID(co_await look_for_shown());
  co_return ok();
}

// A remembered version is trusted as long as the phone was not started again.
Task<RefGuard> Run::choose_guard() {
  auto version = operator_.version(recalled_);
  if (!version) version = co_await ask_version(device_.get(), package_name());
  binds_ = knows_strict(version);
  co_return guard_of(*request_.shown, request_.execution, version, log_stream_->facts().sdk);
}

Task<void> Run::look_for_shown() {
  CO_TRY(const UiTree now, co_await look());
  if (const auto found = find_shown(now, *request_.shown); !found) {
    co_return std::unexpected(stale_ref(*request_.shown, found.error(), main_package(now)));
  }
  co_return ok();
}

// Nothing was touched. A text that changed is no other window: what a look says decides, once.
Task<void> Run::explain_miss() {
  const bool misses = request_.shown && has_missed(result_.envelope);
  if (!misses || scrolls_first(request_.execution)) co_return ok();
  const auto now = co_await look();
  const auto found = now ? find_shown(*now, *request_.shown) : std::unexpected(kGone);
  const bool is_first = std::exchange(guard_, RefGuard::look) != RefGuard::look;
  if (!found || !is_first) {
    const std::string front = now ? main_package(*now) : "";
    co_return std::unexpected(stale_ref(*request_.shown, found ? kGone : found.error(), front));
  }
  machine_ = DispatchMachine(dispatch_rules(false));
  begin_again();
  CO_TRY_VOID(co_await converse());
  co_return co_await explain_miss();
}

// By a dispatch of its own, which has another id than the plan's.
Task<UiTree> Run::look() {
  const auto start = Clock::now();
  const std::string id = std::exchange(dispatch_id_, new_dispatch_id());
  Execution plan = std::exchange(request_.execution, plan_of_look(request_.execution));
  const DispatchMachine machine = std::exchange(machine_, DispatchMachine(dispatch_rules(true)));
  looking_ = true;
  begin_dispatch(dispatch_id_);
  const auto answered = co_await converse();
  Result<UiTree> tree = UiTree();
  if (answered) tree = co_await read_look();
  if (!answered) tree = std::unexpected(unread(answered.error(), request_.shown->ref));
  looking_ = false;
  request_.execution = std::move(plan);
  machine_ = machine;
  begin_dispatch(id);
  trace_.phase("look", start);
  co_return tree;
}

Task<UiTree> Run::read_look() {
  Envelope& envelope = result_.envelope;
  attach_snapshots(envelope, request_.execution, std::move(hierarchies_));
  const std::string* xml = snapshot_text(envelope);
  if (!xml) {
    reconcile(envelope, {advised_name(request_, result_), package_name(), service_});
    ErrorMembers members;
    if (envelope.hint) members.text("hint", *envelope.hint);
    const Error error(errc::snapshot_extraction_failed,
                      envelope.error.value_or("no whole hierarchy arrived"), members.str());
    co_return std::unexpected(unread(error, request_.shown->ref));
  }
  co_return co_await run_blocking([xml] { return parse_hierarchy(*xml); });
}

}  // namespace clawperator
