// The driver of the dispatch machine: performs its actions, reports what comes of them, and makes
// the published outcome of its end.

#include <algorithm>

#include "adbproto/wire/errc.hpp"
#include "base/async/blocking.hpp"
#include "base/text.hpp"
#include "runtime/android/service_command.hpp"
#include "runtime/android/shell_lines.hpp"
#include "runtime/contract/action_table.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/parse.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/engine/run.hpp"

namespace clawperator {

using Act = DispatchAction;
using Event = DispatchEvent;

namespace {

// Android binds a service again a second after its process ended, later with each time.
constexpr auto kRebindTime = std::chrono::milliseconds(1500);

Words broadcast_of(const ExecuteRequest& request, const std::string& package,
                   const Execution& dispatched) {
  const std::string_view action = family_of(package).broadcast_action;
  return broadcast_words(
      {request.broadcast_action.value_or(std::string(action)), package, to_json(dispatched)});
}

// Some systems wait for the receiver, and for no longer than a minute; that is no failure, and
// neither is a status beside the text of a broadcast that went out: the log answers.
bool went_out(const CommandOutput& output) {
  return output.exit_status == 0 || output.out.find("Broadcast completed") != std::string::npos ||
         output.text().find("Broadcast wait for finish timeout") != std::string::npos;
}

// An envelope that is large is read where that holds up nobody.
Task<void> collect_envelope(CommandLog* log, ResultCollector* collector) {
  while (!collector->envelope()) {
    CO_TRY_VOID(co_await log->collect());
    if (!collector->unread()) continue;
    auto parsed =
        co_await run_blocking([text = collector->unread()] { return parse_envelope(*text); });
    CO_TRY_VOID(collector->finish_unread(std::move(parsed)));
  }
  co_return ok();
}

}  // namespace

DispatchRules Run::dispatch_rules(bool may_repeat) const {
  return {.only_looks = std::ranges::all_of(request_.execution.actions, only_looks, &Action::type),
          .may_repeat = may_repeat,
          .trusts_operator = trusts_operator_,
          .log_returns = session_ != nullptr,
          .limit = wait_limit(),
          .link_return = LogPump::kReturnLimit,
          .longest_receipt = kLongestReceipt};
}

DispatchSigns Run::signs() const {
  const bool has_result =
      collector_.envelope() || collector_.unread() || collector_.chunks().began();
  return {.silent = collector_.correlated().empty() && !has_result,
          .started = collector_.started(),
          .records = collector_.chunks().received()};
}

void Run::advance(DispatchEvent event) {
  const Act action = machine_.on(event, signs(), Clock::now());
  if (includes(action, Act::ask_operator)) {
    wants_operator_ = true;
    asked_->notify_all();
  }
  if (!machine_.is_waiting() && action != Act::none) next_ = action;
  if (alarm_) alarm_->cancel();
}

Task<void> Run::dispatch() {
  machine_ = DispatchMachine(dispatch_rules(true));
  CO_TRY_VOID(co_await make_sure(false));
  co_return co_await converse();
}

Task<void> Run::converse() {
  next_ = Act::broadcast;
  try {
    while (next_ != Act::finish) CO_TRY_VOID(co_await perform());
  } catch (const std::exception&) {
    // A cancelled wait is unwound by an exception; the command may be running all the same.
    advance(Event::cancelled);
  }
  co_return outcome();
}

// What the machine wants next. An error: what was shown is not there any more.
Task<void> Run::perform() {
  if (next_ == Act::await_service) {
    advance(co_await await_service());
  } else if (next_ == Act::read_snapshots) {
    advance(co_await collect_snapshots());
  } else {
    CO_TRY_VOID(co_await begin_anew());
    co_await dispatch_once();
  }
  co_return ok();
}

// What comes before a dispatch that is not the first one.
Task<void> Run::begin_anew() {
  if (next_ == Act::broadcast) co_return ok();
  if (next_ == Act::dispatch_again) begin_again();
  co_return co_await make_sure(next_ == Act::look_first);
}

// Until the machine awaits neither the broadcast nor its answer any more.
asio::awaitable<void> Run::dispatch_once() {
  using namespace base::parallel;
  broadcast_end_.reset();
  log_end_.reset();
  dispatch_failure_.clear();
  dispatch_left_ = wants_operator_ = false;
  dispatch_start_ = Clock::now();
  const auto executor = co_await asio::this_coro::executor;
  asked_.emplace(executor);
  alarm_.emplace(executor);
  advance(Event::begin);
  try {
    co_await (read_log() || (send_broadcast() || (watch_operator() || keep_time())));
  } catch (const std::exception&) {
    advance(Event::cancelled);
  }
  if (machine_.is_waiting()) advance(Event::cancelled);
  log_dispatch();
  const bool is_answered =
      machine_.state() == DispatchState::reading || machine_.state() == DispatchState::service_gone;
  if (is_answered) write_log(LogLevel::info, "envelope.received", "envelope received");
  result_.timings.device += trace_.phase("device", dispatch_start_);
}

// The log, the broadcast, the package manager and the clock. Each reports what it has, and ends
// only when nothing is awaited any more.

asio::awaitable<void> Run::read_log() {
  const auto collected = co_await collect_envelope(log_stream_.get(), &collector_);
  if (collected) {
    advance(judge_envelope());
  } else if (collected.error().code() == errc::cancelled) {
    co_return;
  } else {
    log_end_ = collected.error();
    const bool is_broken = log_end_->code() == errc::result_envelope_malformed;
    advance(collector_.is_lost() ? Event::result_lost
            : is_broken          ? Event::log_broken
                                 : Event::log_ended);
  }
  if (machine_.is_waiting()) co_await until_cancelled();
}

// One that hangs is the caller's timeout, which is why its own is longer.
asio::awaitable<void> Run::send_broadcast() {
  Execution dispatched = request_.execution;
  dispatched.command_id = dispatch_id_;
  if (binds_ && !looking_) {
    dispatched = bound_plan(std::move(dispatched), *request_.shown, *guard_);
  }
  CommandChannel::Wrap wrap;
  if (guard_ == RefGuard::shell && !looking_) {
    wrap = [app = request_.shown->app, sdk = log_stream_->facts().sdk](std::string line) {
      return line_if_in_front(app, sdk, line);
    };
  }
  auto output = co_await channel_->run(
      AndroidService::activity, broadcast_of(request_, package_name(), dispatched),
      wait_limit() + kLongestReceipt + request_.grace, std::move(wrap));
  if (!output && output.error().code() == errc::cancelled) co_return;
  result_.timings.dispatch = base::micros_since(dispatch_start_);
  broadcast_end_ = std::move(output);
  advance(judge_broadcast(*broadcast_end_));
  if (machine_.is_waiting()) co_await until_cancelled();
}

asio::awaitable<void> Run::watch_operator() {
  if (!co_await wait_until(&*asked_, [this] { return wants_operator_; })) co_return;
  if (!co_await operator_answer()) co_return;
  advance(operator_.is_missing(recalled_) ? Event::operator_missing : Event::operator_found);
  if (machine_.is_waiting()) co_await until_cancelled();
}

asio::awaitable<void> Run::keep_time() {
  while (const auto alarm = machine_.next_alarm()) {
    if (Clock::now() >= alarm->at) {
      advance(alarm->event);
      continue;
    }
    alarm_->expires_at(alarm->at);
    co_await alarm_->async_wait(kNoThrow);
    if (is_cancelled(co_await asio::this_coro::cancellation_state)) co_return;
  }
}

DispatchEvent Run::judge_broadcast(const Result<CommandOutput>& output) {
  if (!output) {
    if (output.error().code() == errc::payload_too_large) return Event::broadcast_too_long;
    const bool is_link = is_link_error(output.error());
    if (!is_link || !session_) note_failure();
    return is_link ? Event::link_lost : Event::broadcast_failed;
  }
  const bool may_be_held_back = guard_ == RefGuard::shell && !looking_;
  if (may_be_held_back && trimmed(output->out) == kHeldBack) {
    dispatch_left_ = false;
    dispatch_failure_ = "not sent: another window is in front";
    return Event::broadcast_held_back;
  }
  if (went_out(*output)) {
    dispatch_left_ = true;
    return Event::broadcast_sent;
  }
  dispatch_failure_ = "failed: " + output->text();
  return Event::broadcast_refused;
}

void Run::note_failure() {
  if (!dispatch_left_) dispatch_failure_ = "error: " + broadcast_end_->error().message();
}

// The app looks for its service before it does anything: where it misses that, nothing was done.
DispatchEvent Run::judge_envelope() {
  const Envelope& envelope = *collector_.envelope();
  if (auto fits = match_plan(envelope, request_.execution); !fits) {
    misfit_ = std::move(fits).error();
    return Event::envelope_unfit;
  }
  const bool untouched = envelope.step_results.empty() && !collector_.started();
  const bool misses_service = envelope.error_code == kServiceUnavailable && untouched;
  return misses_service ? Event::envelope_without_service : Event::envelope;
}

// Where the system means to run the service it may be binding it again just now.
asio::awaitable<DispatchEvent> Run::await_service() {
  using namespace base::parallel;
  // The log is read on, so that a refusal that was written twice is not taken for the next answer.
  const auto waited = co_await (service_comes_back() || log_stream_->follow());
  if (waited.index() == 1) co_return Event::log_ended;
  // Where entries may be missing nobody knows whether the app had begun.
  const bool is_back = std::get<0>(waited) && !log_stream_->was_reopened();
  co_return is_back ? Event::service_back : Event::service_stays;
}

// Whether the service is worth another try, after the time that it takes to come back.
asio::awaitable<bool> Run::service_comes_back() {
  service_ = co_await ask_service_listing(&*channel_, package_name());
  if (service_ != ServiceListing::listed || !request_.await_service) co_return false;
  write_log(LogLevel::warn, "service.awaited",
            "the Operator's accessibility service is switched on but not there yet; trying once "
            "more");
  co_await sleep_for(kRebindTime);
  co_return true;
}

void Run::begin_again() {
  if (machine_.looked_again() && !looking_ && result_.attempts == 1) {
    write_log(LogLevel::warn, "result.lost", "the device's log lost a part of the result");
    ++result_.attempts;
  }
  begin_dispatch(next_dispatch_id());
  trace_.dispatched_again(dispatch_id_);
}

// The broadcast's own end is mostly later than the result, which proves as well that it was sent.
void Run::log_dispatch() {
  if (broadcast_status() != "sent") return;
  const auto until_now = base::micros_since(dispatch_start_);
  auto& dispatch = result_.timings.dispatch;
  if (dispatch.count() == 0) dispatch = until_now;
  trace_.phase("dispatch", dispatch_start_, std::min(dispatch, until_now));
  write_log(LogLevel::info, "broadcast.dispatched", "broadcast dispatched");
}

Error Run::broadcast_error() const {
  const auto& end = *broadcast_end_;
  const bool is_link = !end && is_link_error(end.error());
  return {is_link ? errc::link_lost : errc::broadcast_failed,
          "Broadcast dispatch failed: " + (end ? end->text() : end.error().message())};
}

Result<void> Run::outcome() {
  switch (machine_.end()) {
    case DispatchEnd::answered: return ok();
    case DispatchEnd::answer_unfit: return std::unexpected(after_dispatch(*misfit_));
    case DispatchEnd::log_broken:
    case DispatchEnd::log_ended: return std::unexpected(after_dispatch(*log_end_));
    case DispatchEnd::too_long: {
      const Error& error = broadcast_end_->error();
      return std::unexpected(machine_.may_have_left() ? after_dispatch(error) : error);
    }
    case DispatchEnd::broadcast_failed:
      if (!*broadcast_end_) note_failure();
      [[fallthrough]];
    case DispatchEnd::broadcast_refused: return std::unexpected(after_dispatch(broadcast_error()));
    case DispatchEnd::operator_absent: return std::unexpected(nobody_there());
    case DispatchEnd::timed_out: return std::unexpected(timed_out());
    case DispatchEnd::cancelled: break;
  }
  if (!machine_.may_have_left()) return fail(errc::cancelled, "cancelled");
  return std::unexpected(after_dispatch({errc::cancelled, "cancelled after the command was sent"}));
}

}  // namespace clawperator
