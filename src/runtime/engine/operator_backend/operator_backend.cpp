#include "runtime/engine/operator_backend/operator_backend.hpp"

#include <algorithm>

#include "base/error_members.hpp"
#include "runtime/contract/action_table.hpp"
#include "runtime/contract/advice.hpp"
#include "runtime/engine/answer.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/engine/opened_app.hpp"
#include "runtime/engine/screen_size.hpp"

namespace clawperator {
namespace {

// The Operator app never answers for a step that types an empty text.
Result<void> check_texts(const Execution& execution) {
  for (const Action& action : execution.actions) {
    const auto* enter = action.as<EnterText>();
    if (!enter || enter->text != "") continue;
    return fail(errc::not_implemented, "the Operator app cannot empty a field",
                ErrorMembers()
                    .text("hint", "The shell backend can.")
                    .object("details", ErrorMembers()
                                           .text("actionId", action.id)
                                           .text("actionType", action_name(action.type())))
                    .str());
  }
  return ok();
}

}  // namespace

std::unique_ptr<ExecutionBackend> make_operator_backend(const BackendParts& parts) {
  return std::make_unique<OperatorBackend>(parts);
}

OperatorBackend::OperatorBackend(const BackendParts& parts)
    : job_(parts.job),
      observer_(parts.observer),
      phone_(parts.phone),
      answered_(parts.executor),
      screen_answered_(!job_->request.ask_screen_size),
      search_(job_, observer_, phone_, &answered_),
      conversation_({job_, observer_, phone_, &search_, &log_}, &job_->request.execution,
                    Conversation::Kind::plan) {
  points_.begin(job_->request.execution, phone_->recalled());
  if (!job_->request.shown) return;
  guard_.emplace(ConversationParts{job_, observer_, phone_, &search_, &log_});
  conversation_.guard_by(&*guard_);
}

bool OperatorBackend::asks_beside() const {
  return job_->request.ask_screen_size || points_.asks() || !search_.is_trusted();
}

// Each query is sent once, and each stage waits only for its own: the dispatch for the Operator,
// unless this boot had it before; a plan that opens one app for that app; the end for the size of
// the screen.
asio::awaitable<void> OperatorBackend::ask_beside() {
  using namespace base::parallel;
  auto screen = measure_screen() && points_.ask(phone_->device(), &answered_);
  if (search_.is_trusted()) {
    co_await std::move(screen);
  } else {
    co_await (search_.answer() && std::move(screen));
  }
  if (!is_cancelled(co_await asio::this_coro::cancellation_state)) co_await until_cancelled();
}

asio::awaitable<void> OperatorBackend::measure_screen() {
  if (!job_->request.ask_screen_size) co_return;
  job_->result.screen = co_await ask_screen_size(phone_->device());
  screen_answered_ = true;
  answered_.notify_all();
}

Task<std::unique_ptr<CommandLog>> OperatorBackend::attach() {
  const auto start = Clock::now();
  KnownPhone known = known_phone(phone_->recalled());
  Result<std::unique_ptr<CommandLog>> log = nullptr;
  if (DeviceSession* session = phone_->session()) {
    log = co_await session->join_log(phone_->link(), std::move(known), &log_.collector);
  } else {
    auto stream = co_await LogStream::attach(phone_->device(), std::move(known));
    if (stream) {
      log = read_alone(*std::move(stream), &log_.collector);
    } else {
      log = std::unexpected(stream.error());
    }
  }
  job_->result.timings.attach = observer_->trace().phase("attach", start);
  if (log) CO_TRY_VOID(co_await phone_->meet({(*log)->facts().serialno, (*log)->facts().boot_id}));
  co_return log;
}

// A plan that stops apps changes the phone before its dispatch, so it waits for the answer.
bool OperatorBackend::is_remembered(const DeviceFacts& facts) const {
  const DeviceMemory& recalled = phone_->recalled();
  return !clawperator::stops_apps(job_->request.execution) && !facts.boot_id.empty() &&
         facts.boot_id == recalled.boot_id &&
         phone_->choice().remembered(recalled) == recalled.operator_package &&
         recalled.rungs.of(AndroidService::activity).has_value();
}

Task<std::optional<DeviceFacts>> OperatorBackend::prepare() {
  using namespace base::parallel;
  CO_TRY_VOID(check_texts(job_->request.execution));
  auto log = Result<std::unique_ptr<CommandLog>>(nullptr);
  Result<void> app = ok();
  if (opens_app_first(job_->request.execution)) {
    std::tie(log, app) = co_await (attach() && check_opened_app(job_, phone_));
  } else {
    log = co_await attach();
  }
  OperatorChoice& choice = phone_->choice();
  if (log && is_remembered((*log)->facts())) {
    choice.use(choice.remembered(phone_->recalled()));
    observer_->warn(choice.rival_warnings(phone_->advised_name()));
  } else {
    choice.use(std::nullopt);  // another boot may have other apps
    if (!co_await search_.answer()) co_return fail(errc::cancelled, "cancelled");
    CO_TRY_VOID(search_.judged());
    choice.use(choice.found_one().package);
  }
  if (!log) co_return std::unexpected(std::move(log).error());
  if (!app) co_return std::unexpected(std::move(app).error());
  log_.stream = *std::move(log);
  phone_->know(log_.stream->facts());
  phone_->remember();
  CO_TRY_VOID(co_await points_.judge(&answered_, &phone_->memory()));
  phone_->remember();
  CO_TRY_VOID(co_await check_features());
  co_return log_.stream->facts();
}

// Nothing is sent that the app would ignore, misunderstand or never answer. Where a step depends on
// the version, the package manager's answer is awaited: the app may have been replaced since a
// remembered version was read. `strict`, which every MCP action sets, needs no such answer where
// this process found the app over the present link.
Task<void> OperatorBackend::check_features() {
  const auto uses = feature_uses(job_->request.execution);
  if (uses.empty()) co_return ok();
  const OperatorChoice& choice = phone_->choice();
  auto version = choice.version(phone_->recalled());
  const bool only_strict = std::ranges::all_of(
      uses, [](const FeatureUse& use) { return use.feature->name == "strict"; });
  const bool is_known = version && search_.is_trusted() && only_strict;
  if (needs_version(uses) && !is_known) {
    if (!co_await search_.answer()) co_return fail(errc::cancelled, "cancelled");
    CO_TRY_VOID(search_.judged());
    version = choice.version(phone_->recalled());
    if (!version) version = co_await ask_version(phone_->device(), phone_->package_name());
  }
  CO_TRY(const auto warnings, judge_features(uses, version));
  observer_->warn(warnings);
  co_return ok();
}

Task<void> OperatorBackend::stop_apps() {
  if (!clawperator::stops_apps(job_->request.execution)) co_return ok();
  const auto start = Clock::now();
  auto stopped = co_await stop_closed_apps(phone_->channel(), &job_->request.execution);
  observer_->trace().phase("stop apps", start);
  co_return stopped;
}

Task<void> OperatorBackend::act() {
  CO_TRY_VOID(co_await stop_apps());
  CO_TRY_VOID(co_await conversation_.run());
  if (guard_) CO_TRY_VOID(co_await guard_->explain_miss(&conversation_));
  co_return co_await answer();
}

// Turns the app's envelope into the result.
Task<void> OperatorBackend::answer() {
  const auto start = Clock::now();
  const Execution& plan = job_->request.execution;
  Envelope& envelope = job_->result.envelope;
  envelope = conversation_.take_envelope();
  envelope.command_id = plan.command_id;
  take_over_host_steps(envelope, plan);
  settle_closed_apps(envelope, plan);
  observer_->warn(attach_snapshots(envelope, plan, conversation_.take_hierarchies()));
  // Our command waited behind another one until its own time was over.
  const bool timed_out = envelope.status == EnvelopeStatus::failed && envelope.step_results.empty();
  if (timed_out && log_.collector.is_queued()) {
    envelope.hint = busy_operator_hint(log_.collector.other_commands());
  }
  CO_TRY_VOID(co_await show_tree(job_, phone_->session()));
  job_->result.timings.parse += observer_->trace().phase("parse", start);
  while (!screen_answered_) co_await answered_.wait();
  co_return ok();
}

}  // namespace clawperator
