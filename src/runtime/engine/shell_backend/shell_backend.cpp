#include "runtime/engine/shell_backend/shell_backend.hpp"

#include <algorithm>

#include "adbproto/wire/errc.hpp"
#include "base/error_members.hpp"
#include "base/text.hpp"
#include "runtime/android/chore_commands.hpp"
#include "runtime/contract/action_table.hpp"
#include "runtime/device/identity.hpp"
#include "runtime/engine/answer.hpp"
#include "runtime/engine/device_input.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/engine/opened_app.hpp"
#include "runtime/engine/preflight.hpp"
#include "runtime/engine/screen_size.hpp"
#include "runtime/engine/shell_backend/shell_run.hpp"

namespace clawperator {
namespace {

using std::chrono::milliseconds;

// `getprop` prints one line; a busy phone takes long to start a shell.
constexpr auto kFactsLimit = milliseconds(5000);

constexpr std::string_view kSuppressed =
    "Android's uiautomator reads the screen: while it does, all other accessibility services "
    "are "
    "suppressed, the Operator's among them";
constexpr std::string_view kServiceGone =
    "the Operator's accessibility service is no longer switched on after Android's uiautomator "
    "read the screen; doctor --fix brings it back";

bool takes_pictures_only(const Execution& execution) {
  return std::ranges::all_of(execution.actions,
                             [](const Action& action) { return action.is<Screenshot>(); });
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
    step.action_type = action_name(action.type());
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
Error after_acting(const Error& error, const Execution& execution, const Action* last) {
  Error named =
      is_link_error(error) ? Error(errc::link_lost, error.message(), error.members()) : error;
  if (!last) return named;
  ErrorMembers details;
  details.text("commandId", execution.command_id).text("taskId", execution.task_id);
  details.text("lastActionId", last->id).text("lastActionType", action_name(last->type()));
  const bool is_over = error.code() == errc::input_failed;
  const bool says_so = error.members().find("dispatchAttempted") != std::string::npos;
  if (!says_so && !is_over) {
    details.boolean("dispatchAttempted", true).text("executionPosition", "unknown");
  }
  return with_details(named, details);
}

}  // namespace

std::unique_ptr<ExecutionBackend> make_shell_backend(const BackendParts& parts) {
  return std::make_unique<ShellBackend>(parts);
}

ShellBackend::ShellBackend(const BackendParts& parts)
    : job_(parts.job), observer_(parts.observer), phone_(parts.phone), answered_(parts.executor) {
  points_.begin(job_->request.execution, phone_->recalled());
}

Task<std::optional<DeviceFacts>> ShellBackend::prepare() {
  const Execution& plan = job_->request.execution;
  if (takes_pictures_only(plan)) co_return std::nullopt;
  CO_TRY_VOID(check_shell_can(plan));
  using namespace base::parallel;
  points_.ask_in_any_case();
  auto [facts, app] = co_await (ask_facts(phone_->device()) && check_opened_app(job_, phone_) &&
                                points_.ask(phone_->device(), &answered_));
  if (!facts && facts.error().code() == errc::refused && !names_lost_link(facts.error())) {
    co_return std::unexpected(
        closed_shell(phone_->package_name(), phone_->advised_name(), facts.error()));
  }
  if (!facts) co_return std::unexpected(after_acting(facts.error(), plan, nullptr));
  identity_ = facts->identity;
  sdk_ = facts->sdk;
  CO_TRY_VOID(co_await phone_->meet(identity_));
  if (!app) co_return std::unexpected(std::move(app).error());
  CO_TRY_VOID(co_await points_.judge(&answered_, &phone_->memory()));
  phone_->remember();
  DeviceFacts known;
  known.serialno = identity_.serialno;
  known.boot_id = identity_.boot_id;
  co_return known;
}

Task<void> ShellBackend::act() {
  const ExecuteRequest& request = job_->request;
  ExecuteResult& result = job_->result;
  if (takes_pictures_only(request.execution)) {
    result.envelope = unanswered(request.execution);
    co_return ok();
  }
  may_be_running_ = true;
  const auto limit = milliseconds(static_cast<std::int64_t>(request.execution.timeout_ms));
  const auto warn_one = [this](std::string_view text) { observer_->warn({std::string(text)}); };
  ShellHand hand(phone_->device(), acting_rungs(sdk_, identity_, phone_->recalled()),
                 Clock::now() + limit, warn_one);
  ServiceListing listing = ServiceListing::unknown;
  if (request.shown || std::ranges::any_of(request.execution.actions, needs_tree)) {
    listing = co_await ask_service_listing(hand.channel(), phone_->package_name());
  }
  if (listing == ServiceListing::listed) warn_one(kSuppressed);
  const auto report = [this](const Stage& stage) {
    if (job_->request.on_stage) job_->request.on_stage(stage);
  };
  ShellRun run(&hand, &request.execution, request.shown ? &*request.shown : nullptr, report,
               &job_->secrets);
  CO_TRY(result.envelope, co_await carry_out(&run, &hand));
  if (listing == ServiceListing::listed) {
    const auto now = co_await ask_service_listing(hand.channel(), phone_->package_name());
    if (now == ServiceListing::missing) warn_one(kServiceGone);
  }
  CO_TRY_VOID(co_await show_tree(job_, phone_->session()));
  if (request.ask_screen_size) result.screen = co_await ask_screen_size(phone_->device());
  co_return ok();
}

Task<Envelope> ShellBackend::carry_out(ShellRun* run, const ShellHand* hand) {
  const auto start = Clock::now();
  Result<Envelope> envelope = fail(errc::cancelled, "cancelled");
  try {
    envelope = co_await run->run();
  } catch (const std::exception&) {
    // A cancelled step is unwound by an exception; its command may go on.
    envelope = fail(errc::cancelled, "cancelled");
  }
  job_->result.timings.device += observer_->trace().phase("device", start);
  // A command that the device refused has ended; of any other error the outcome is unknown.
  may_be_running_ = !envelope && hand->has_acted() && envelope.error().code() != errc::input_failed;
  if (!envelope) {
    co_return std::unexpected(after_acting(envelope.error(), job_->request.execution,
                                           hand->has_acted() ? run->last() : nullptr));
  }
  if (run->stale() && !hand->has_acted()) co_return std::unexpected(*run->stale());
  co_return envelope;
}

}  // namespace clawperator
