// A run without the Operator app: the plan's steps over the device's shell, under the same lock,
// with the same post-processing. Pictures alone need neither lock nor plan.

#include <algorithm>

#include "adbproto/wire/errc.hpp"
#include "base/error_members.hpp"
#include "base/text.hpp"
#include "runtime/android/chore_commands.hpp"
#include "runtime/contract/action_table.hpp"
#include "runtime/device/identity.hpp"
#include "runtime/engine/by_shell/shell_run.hpp"
#include "runtime/engine/device_input.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/engine/run.hpp"
#include "runtime/engine/screen_size.hpp"

namespace clawperator {
namespace {

using std::chrono::milliseconds;

constexpr auto kFactsLimit = milliseconds(5000);

constexpr std::string_view kSuppressed =
    "Android's uiautomator looks at the screen: while it does, all other accessibility services "
    "are "
    "suppressed, the Operator's among them";
constexpr std::string_view kServiceGone =
    "the Operator's accessibility service is no longer switched on after Android's uiautomator "
    "looked at the screen; doctor --fix brings it back";

bool takes_pictures_only(const Execution& execution) {
  return std::ranges::all_of(execution.actions, [](const Action& action) {
    return action.type == ActionType::take_screenshot;
  });
}

// The envelope of a plan of pictures before any of them is taken.
Envelope unanswered(const Execution& execution) {
  Envelope envelope;
  envelope.command_id = execution.command_id;
  envelope.task_id = execution.task_id;
  envelope.status = EnvelopeStatus::success;  // until a picture is missing
  for (const Action& action : execution.actions) {
    StepResult& step = envelope.step_results.emplace_back();
    step.id = action.id;
    step.action_type = action_name(action.type);
  }
  return envelope;
}

struct ShellFacts {
  Identity identity;
  std::string sdk;  // as the device printed it
};

Task<ShellFacts> ask_facts(adbproto::Device* device) {
  using namespace base::parallel;
  auto [identity, sdk] =
      co_await (read_identity(device) && run_command_line(device, sdk_line(), kFactsLimit));
  if (!identity) co_return std::unexpected(std::move(identity).error());
  if (!sdk) co_return std::unexpected(std::move(sdk).error());
  co_return ShellFacts{*std::move(identity), sdk->out};
}

// `last`: the step that may have changed the phone; null where nothing has.
Error after_acting(const Error& error, const Execution& execution, const ShellAction* last) {
  Error named =
      is_link_error(error) ? Error(errc::link_lost, error.message(), error.members()) : error;
  if (!last) return named;
  ErrorMembers details;
  details.text("commandId", execution.command_id).text("taskId", execution.task_id);
  details.text("lastActionId", last->id).text("lastActionType", action_name(last->type));
  const bool is_over = error.code() == errc::input_failed;
  const bool says_so = error.members().find("dispatchAttempted") != std::string::npos;
  if (!says_so && !is_over) {
    details.boolean("dispatchAttempted", true).text("executionPosition", "unknown");
  }
  return with_details(named, details);
}

}  // namespace

Task<ExecuteResult> Run::run_by_shell() {
  if (takes_pictures_only(request_.execution)) {
    result_.envelope = unanswered(request_.execution);
  } else {
    CO_TRY_VOID(co_await act_by_shell());
  }
  co_return co_await add_pictures();
}

Task<void> Run::act_by_shell() {
  CO_TRY(const auto actions, read_shell_actions(request_.execution));
  using namespace base::parallel;
  points_.ask_in_any_case();
  auto [facts, app] = co_await (ask_facts(device_.get()) && check_opened_app() &&
                                points_.ask(device_.get(), &*answered_));
  if (!facts && facts.error().code() == errc::refused && !names_lost_link(facts.error())) {
    co_return std::unexpected(
        closed_shell(package_name(), advised_name(request_, result_), facts.error()));
  }
  if (!facts) co_return std::unexpected(after_acting(facts.error(), request_.execution, nullptr));
  CO_TRY_VOID(co_await meet(facts->identity));
  if (!app) co_return app;
  CO_TRY_VOID(co_await points_.judge(&*answered_, &memory_));
  remember();
  const Identity& identity = facts->identity;
  DeviceFacts known;
  known.serialno = identity.serialno;
  known.boot_id = identity.boot_id;
  CO_TRY_VOID(co_await take_turn(known));
  CO_TRY_VOID(co_await announce_effects());
  co_await look_before();

  shell_may_run_ = true;
  dispatch_start_ = Clock::now();
  const auto limit = milliseconds(static_cast<std::int64_t>(request_.execution.timeout_ms));
  const auto warn_one = [this](std::string_view text) { warn({std::string(text)}); };
  ShellHand hand(device_.get(), acting_rungs(facts->sdk, identity, recalled_),
                 dispatch_start_ + limit, warn_one);
  ServiceListing listing = ServiceListing::unknown;
  if (request_.shown || std::ranges::any_of(actions, needs_tree)) {
    listing = co_await ask_service_listing(hand.channel(), package_name());
  }
  if (listing == ServiceListing::listed) warn_one(kSuppressed);
  const ShownNode* shown = request_.shown ? &*request_.shown : nullptr;
  const auto tell = [this](const Stage& stage) {
    if (request_.on_stage) request_.on_stage(stage);
  };
  ShellRun run(&hand, &request_.execution, &actions, shown, tell, &secrets_);
  Result<Envelope> envelope = fail(errc::cancelled, "cancelled");
  try {
    envelope = co_await run.run();
  } catch (const std::exception&) {
    // A cancelled step is unwound by an exception; what it had begun may go on.
    envelope = fail(errc::cancelled, "cancelled");
  }
  result_.timings.device += trace_.phase("device", dispatch_start_);
  // What the device refused is over; of everything else nobody knows.
  const bool is_over =
      envelope || !hand.has_acted() || envelope.error().code() == errc::input_failed;
  shell_may_run_ = !is_over;
  if (!envelope) {
    co_return std::unexpected(after_acting(envelope.error(), request_.execution,
                                           hand.has_acted() ? run.last() : nullptr));
  }
  if (run.stale() && !hand.has_acted()) co_return std::unexpected(*run.stale());
  result_.envelope = *std::move(envelope);
  if (listing == ServiceListing::listed) {
    const auto now = co_await ask_service_listing(hand.channel(), package_name());
    if (now == ServiceListing::missing) warn_one(kServiceGone);
  }
  CO_TRY_VOID(co_await show_tree());
  if (request_.ask_screen_size) result_.screen = co_await ask_screen_size(device_.get());
  co_return ok();
}

}  // namespace clawperator
