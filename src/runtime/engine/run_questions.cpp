// What a run asks beside its stages, and what a stage does with the answers.
//
// Nothing is asked twice, and each stage waits only for what concerns it: the dispatch for the
// Operator, unless this boot had it before; the plan that opens one app for that app; the end for
// the size of the screen.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/async/signal.hpp"
#include "base/at_exit.hpp"
#include "base/error_members.hpp"
#include "base/json_document.hpp"
#include "runtime/contract/action_table.hpp"
#include "runtime/contract/advice.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/engine/run.hpp"
#include "runtime/engine/screen_size.hpp"

namespace clawperator {

bool Run::asks_beside() const {
  return !needs_no_operator() && (request_.ask_screen_size || points_.asks() || !trusts_operator_);
}

asio::awaitable<void> Run::ask_beside() {
  using namespace base::parallel;
  auto screen = measure_screen() && points_.ask(device_.get(), &*answered_);
  if (trusts_operator_) {
    co_await std::move(screen);
  } else {
    co_await (operator_answer() && std::move(screen));
  }
  if (!is_cancelled(co_await asio::this_coro::cancellation_state)) co_await until_cancelled();
}

asio::awaitable<void> Run::measure_screen() {
  if (!request_.ask_screen_size) co_return;
  result_.screen = co_await ask_screen_size(device_.get());
  screen_answered_ = true;
  answered_->notify_all();
}

// Asks, where nobody does. False when it is cancelled.
asio::awaitable<bool> Run::operator_answer() {
  if (!operator_.is_answered() && !asks_operator_) co_await check();
  if (is_cancelled(co_await asio::this_coro::cancellation_state)) co_return false;
  co_return co_await wait_until(&*answered_, [this] { return operator_.is_answered(); });
}

asio::awaitable<void> Run::check() {
  const auto start = Clock::now();
  asks_operator_ = true;
  const AtExit over([this] { asks_operator_ = false; });
  auto found = co_await find_operator(&*channel_, operator_.named(), recalled_.sdk);
  if (!found && found.error().code() == errc::cancelled) co_return;
  result_.timings.preflight = trace_.phase_beside("preflight", start);
  on_operator_found(std::move(found));
}

void Run::on_operator_found(Result<FoundApps> found) {
  operator_.found(std::move(found));
  const auto verdict = judged();
  const PackageCheck check = operator_.found_one();
  if (verdict) {
    write_log(LogLevel::info, "preflight.apk.pass", check.package + " is installed");
    warn(*verdict);
  } else if (verdict.error().code() == errc::operator_not_installed) {
    write_log(LogLevel::error, "preflight.apk.missing", verdict.error().message());
  }
  warn(operator_.rival_warnings(advised_name(request_, result_)));
  const bool usable = check.installed && check.rivals.empty();
  if (session_) session_->note_operator(usable ? check.package : "");
  if (log_stream_) remember();
  answered_->notify_all();
}

Result<std::vector<std::string>> Run::judged() const {
  return operator_.judged(*channel_, advised_name(request_, result_));
}

// Nothing goes out that the app would ignore, take for something else or never answer. Where a step
// depends on the version, the package manager's answer is awaited: a remembered version may be that
// of an app which was replaced meanwhile. That a step is strict, as all that acts over MCP is,
// costs no such answer where this process found the app over this very link.
Task<void> Run::check_features() {
  const auto uses = feature_uses(request_.execution);
  if (uses.empty()) co_return ok();
  auto version = operator_.version(recalled_);
  const bool only_strict = std::ranges::all_of(
      uses, [](const FeatureUse& use) { return use.feature->name == "strict"; });
  const bool is_known = version && trusts_operator_ && only_strict;
  if (needs_version(uses) && !is_known) {
    if (!co_await operator_answer()) co_return fail(errc::cancelled, "cancelled");
    CO_TRY_VOID(judged());
    version = operator_.version(recalled_);
    if (!version) version = co_await ask_version(device_.get(), package_name());
  }
  CO_TRY(const auto warnings, judge_features(uses, version));
  warn(warnings);
  co_return ok();
}

bool Run::stops_apps() const {
  return std::ranges::any_of(request_.execution.actions, [](const Action& action) {
    return action.type == ActionType::close_app;
  });
}

// A plan that stops apps changes the phone before its dispatch, so it waits for the answer.
bool Run::is_remembered(const DeviceFacts& facts) const {
  return !stops_apps() && !facts.boot_id.empty() && facts.boot_id == recalled_.boot_id &&
         operator_.remembered(recalled_) == recalled_.operator_package &&
         recalled_.rungs.of(AndroidService::activity).has_value();
}

Error Run::nobody_there() {
  const bool has_other = operator_.used_one(recalled_).alternate_installed;
  return has_other ? wrong_variant() : after_dispatch(judged().error());
}

namespace {

// The app that a plan of nothing but open_app opens.
const std::string* only_opened_app(const Execution& execution) {
  const auto& actions = execution.actions;
  const bool opens = actions.size() == 1 && actions.front().type == ActionType::open_app;
  return opens && actions.front().application_id ? &*actions.front().application_id : nullptr;
}

}  // namespace

// Only a plain "no" to whether the app to be opened is there counts as an answer.
Task<void> Run::check_opened_app() {
  const std::string* app = only_opened_app(request_.execution);
  if (!app) co_return ok();
  CO_TRY(const bool absent, co_await is_absent(&*channel_, *app));
  if (!absent) co_return ok();
  co_return fail(errc::android_app_launch_failed,
                 *app + " is not installed on " + device_->serial(),
                 ErrorMembers()
                     .text("hint", absent_app_hint(advised_name(request_, result_)))
                     .object("details", ErrorMembers().text("applicationId", *app))
                     .str());
}

namespace {

// The Operator app never answers for a step that is to type nothing.
Result<void> check_texts(const Execution& execution) {
  for (const Action& action : execution.actions) {
    if (action.type != ActionType::enter_text || !action.params) continue;
    const Json params = Json::parse(*action.params, nullptr, false);
    const Json* text = find_member(params, "text");
    if (!text || *text != "") continue;
    return fail(errc::not_implemented, "the Operator app cannot empty a field",
                ErrorMembers()
                    .text("hint", "With --backend shell it works, and by `type \"\" --clear`.")
                    .object("details", ErrorMembers()
                                           .text("actionId", action.id)
                                           .text("actionType", action_name(action.type)))
                    .str());
  }
  return ok();
}

}  // namespace

Task<void> Run::attach_and_check() {
  using namespace base::parallel;
  CO_TRY_VOID(check_texts(request_.execution));
  auto log = Result<std::unique_ptr<CommandLog>>(nullptr);
  Result<void> app = ok();
  if (only_opened_app(request_.execution)) {
    std::tie(log, app) = co_await (attach() && check_opened_app());
  } else {
    log = co_await attach();
  }
  if (log && is_remembered((*log)->facts())) {
    operator_.use(operator_.remembered(recalled_));
    warn(operator_.rival_warnings(advised_name(request_, result_)));
  } else {
    operator_.use(std::nullopt);  // another boot may have other apps
    if (!co_await operator_answer()) co_return fail(errc::cancelled, "cancelled");
    CO_TRY_VOID(judged());
    operator_.use(operator_.found_one().package);
  }
  if (!log) co_return std::unexpected(std::move(log).error());
  if (!app) co_return std::unexpected(std::move(app).error());
  log_stream_ = *std::move(log);
  remember();
  CO_TRY_VOID(co_await points_.judge(&*answered_, &memory_));
  remember();
  co_return co_await check_features();
}

// What was remembered of an earlier boot is probed anew next time.
void Run::note_boot(const DeviceFacts& facts) {
  if (!recalled_.boot_id.empty() && recalled_.boot_id != facts.boot_id) {
    rebooted_ = true;
    memory_ = {};
  }
  if (!rebooted_) memory_.rungs = channel_->rungs();
  memory_.boot_id = facts.boot_id;
  memory_.serialno = facts.serialno;
  memory_.sdk = facts.sdk;
  memory_.greets_with_delayed_ack.reset();
  const adbproto::RouteFacts link = device_->facts();
  if (link.agreed_at_once) memory_.greets_with_delayed_ack = link.delayed_ack;
  operator_.note(&memory_);
}

// Without the log's first line the boot is that of the last time, as far as anybody knows; what a
// picture teaches is true of every boot.
void Run::remember() {
  if (log_stream_) {
    if (log_stream_->facts().boot_id.empty()) return;
    note_boot(log_stream_->facts());
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
