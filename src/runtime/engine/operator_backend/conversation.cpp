#include "runtime/engine/operator_backend/conversation.hpp"

#include <algorithm>

#include "adbproto/wire/errc.hpp"
#include "base/async/blocking.hpp"
#include "base/json_text.hpp"
#include "base/text.hpp"
#include "runtime/android/service_command.hpp"
#include "runtime/android/shell_lines.hpp"
#include "runtime/contract/action_table.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/parse.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/engine/ulid.hpp"

namespace clawperator {

using Act = DispatchAction;
using Event = DispatchEvent;

namespace {

// Android binds a service again a second after its process ended, later each further time.
constexpr auto kRebindTime = std::chrono::milliseconds(1500);

Words broadcast_of(const ExecuteRequest& request, const std::string& package,
                   const Execution& dispatched) {
  const std::string_view action = family_of(package).broadcast_action;
  return broadcast_words(
      {request.broadcast_action.value_or(std::string(action)), package, to_json(dispatched)});
}

// Some systems wait for the receiver, up to a minute; that is no failure. Neither is a bad status
// beside the text of a broadcast that was sent: the log has the answer.
bool went_out(const CommandOutput& output) {
  return output.exit_status == 0 || output.out.find("Broadcast completed") != std::string::npos ||
         output.text().find("Broadcast wait for finish timeout") != std::string::npos;
}

std::size_t count_snapshots(const Execution& execution) {
  return static_cast<std::size_t>(
      std::ranges::count(execution.actions, ActionType::snapshot_ui, &Action::type));
}

std::size_t total_size(const std::vector<Hierarchy>& hierarchies) {
  std::size_t size = 0;
  for (const Hierarchy& hierarchy : hierarchies) size += hierarchy.text.size();
  return size;
}

// Reads a large envelope beside the loop, where it holds up no other task.
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

Conversation::Conversation(const ConversationParts& parts, const Execution* plan, Kind kind)
    : parts_(parts),
      plan_(plan),
      kind_(kind),
      machine_(rules(true)),
      report_(parts.job, parts.observer, parts.phone, &parts.log->collector, kind == Kind::look) {
  listen();
}

// Every dispatch has a new id, so no earlier line can answer it, and no answer to another one.
void Conversation::listen() {
  ExecutionJob* job = parts_.job;
  ResultCollector& collector = parts_.log->collector;
  collector = ResultCollector(job->dispatch_id, count_snapshots(*plan_));
  collector.leave_results_above(kHoldsUpLoop);
  ExecutionTrace& trace = parts_.observer->trace();
  const ExecuteRequest& request = job->request;
  if (kind_ == Kind::look) return;
  if (request.on_event || trace.is_on()) {
    collector.on_event([job, &trace, &collector](std::string_view text) {
      trace.event(text, collector.entry_time());
      if (!job->request.on_event) return;
      const std::string id = quote_json(job->request.execution.command_id);
      job->request.on_event(replaced(text, quote_json(job->dispatch_id), id));
    });
  }
  if (request.on_stage || trace.is_on()) {
    collector.on_stage([job, &trace, &collector](const Stage& stage) {
      trace.stage(stage, collector.entry_time());
      if (job->request.on_stage) job->request.on_stage(stage);
    });
  }
}

DispatchRules Conversation::rules(bool may_repeat) const {
  return {.only_looks = kind_ == Kind::look || parts_.job->only_looks(),
          .may_repeat = may_repeat,
          .trusts_operator = parts_.search->is_trusted(),
          .log_returns = parts_.phone->session() != nullptr,
          .limit = parts_.job->wait_limit(),
          .link_return = LogPump::kReturnLimit,
          .longest_receipt = kLongestReceipt};
}

DispatchSigns Conversation::signs() const {
  const ResultCollector& collector = parts_.log->collector;
  const bool is_answered = collector.envelope() || collector.unread();
  const bool has_result = is_answered || collector.chunks().began();
  return {.silent = collector.correlated().empty() && !has_result,
          .started = collector.started(),
          .records = collector.chunks().received(),
          .answered = is_answered};
}

void Conversation::advance(DispatchEvent event) {
  const Act action = machine_.on(event, signs(), Clock::now());
  if (includes(action, Act::ask_operator)) {
    wants_operator_ = true;
    asked_->notify_all();
  }
  // While the machine waits, `action` is already under way: converse() has begun it.
  if (!machine_.is_waiting() && action != Act::none) next_ = action;
  if (alarm_) alarm_->cancel();
}

Task<void> Conversation::run() {
  CO_TRY_VOID(co_await make_sure(false));
  co_return co_await converse();
}

Task<void> Conversation::repeat() {
  machine_ = DispatchMachine(rules(false));
  begin_again();
  co_return co_await converse();
}

Task<void> Conversation::converse() {
  next_ = Act::broadcast;
  try {
    while (next_ != Act::finish) CO_TRY_VOID(co_await perform());
  } catch (const std::exception&) {
    // A cancelled wait is unwound by an exception; the command may still be running.
    advance(Event::cancelled);
  }
  co_return outcome();
}

// Performs the machine's next action. An error: the shown node is not there any more.
Task<void> Conversation::perform() {
  if (next_ == Act::await_service) {
    advance(co_await await_service());
  } else if (next_ == Act::read_snapshots) {
    advance(co_await read_snapshots());
  } else {
    CO_TRY_VOID(co_await begin_anew());
    co_await dispatch_once();
  }
  co_return ok();
}

// Prepares a further dispatch. The first one (Act::broadcast) is ready already.
Task<void> Conversation::begin_anew() {
  if (next_ == Act::broadcast) co_return ok();
  if (next_ == Act::dispatch_again) begin_again();
  co_return co_await make_sure(next_ == Act::look_first);
}

// The snapshot of the check may have taken the log's collector.
Task<void> Conversation::make_sure(bool by_look) {
  if (!guard_) co_return ok();
  CO_TRY_VOID(co_await guard_->make_sure(by_look));
  listen();
  co_return ok();
}

// Runs until the machine waits neither for the broadcast nor for its answer.
asio::awaitable<void> Conversation::dispatch_once() {
  using namespace base::parallel;
  broadcast_end_.reset();
  log_end_.reset();
  wants_operator_ = false;
  report_.begin();
  const auto executor = co_await asio::this_coro::executor;
  asked_.emplace(executor);
  alarm_.emplace(executor);
  parts_.phone->on_dispatched([this] {
    if (!machine_.is_waiting()) return;
    report_.note_left();
    advance(Event::broadcast_opened);
  });
  advance(Event::begin);
  try {
    co_await (read_log() || (send_broadcast() || (watch_operator() || keep_time())));
  } catch (const std::exception&) {
    advance(Event::cancelled);
  }
  if (machine_.is_waiting()) advance(Event::cancelled);
  parts_.phone->on_dispatched({});
  log_dispatch();
  const bool is_answered =
      machine_.state() == DispatchState::reading || machine_.state() == DispatchState::service_gone;
  ExecutionObserver& observer = *parts_.observer;
  if (is_answered) observer.write(LogLevel::info, "envelope.received", "envelope received");
  parts_.job->result.timings.device += observer.trace().phase("device", report_.start());
}

// The log, the broadcast, the package manager and the clock. Each reports its events, and ends only
// when the machine waits for nothing more.

asio::awaitable<void> Conversation::read_log() {
  const auto collected =
      co_await collect_envelope(parts_.log->stream.get(), &parts_.log->collector);
  if (collected) {
    advance(judge_envelope());
  } else if (collected.error().code() == errc::cancelled) {
    co_return;
  } else {
    log_end_ = collected.error();
    const bool is_broken = log_end_->code() == errc::result_envelope_malformed;
    advance(parts_.log->collector.is_lost() ? Event::result_lost
            : is_broken                     ? Event::log_broken
                                            : Event::log_ended);
  }
  if (machine_.is_waiting()) co_await until_cancelled();
}

// A broadcast that hangs ends by the caller's timeout, so its own limit is longer.
asio::awaitable<void> Conversation::send_broadcast() {
  const ExecuteRequest& request = parts_.job->request;
  Execution dispatched = *plan_;
  dispatched.command_id = parts_.job->dispatch_id;
  if (guard_) dispatched = guard_->bound(std::move(dispatched));
  CommandChannel::Wrap wrap;
  if (guard_) wrap = guard_->wrap();
  const bool is_wrapped = static_cast<bool>(wrap);
  auto output = co_await parts_.phone->channel()->run(
      AndroidService::activity, broadcast_of(request, parts_.phone->package_name(), dispatched),
      parts_.job->wait_limit() + kLongestReceipt + request.grace, std::move(wrap));
  if (!output && output.error().code() == errc::cancelled) co_return;
  parts_.job->result.timings.dispatch = base::micros_since(report_.start());
  broadcast_end_ = std::move(output);
  advance(judge(*broadcast_end_, is_wrapped));
  if (machine_.is_waiting()) co_await until_cancelled();
}

asio::awaitable<void> Conversation::watch_operator() {
  if (!co_await wait_until(&*asked_, [this] { return wants_operator_; })) co_return;
  if (!co_await parts_.search->answer()) co_return;
  advance(parts_.search->is_missing() ? Event::operator_missing : Event::operator_found);
  if (machine_.is_waiting()) co_await until_cancelled();
}

asio::awaitable<void> Conversation::keep_time() {
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

DispatchEvent Conversation::judge(const Result<CommandOutput>& output, bool is_wrapped) {
  if (!output) {
    if (output.error().code() == errc::payload_too_large) return Event::broadcast_too_long;
    const bool is_link = is_link_error(output.error());
    // Over a link that may come back the broadcast has not ended yet.
    if (!is_link || !parts_.phone->session()) report_.note_failure(output.error());
    return is_link ? Event::link_lost : Event::broadcast_failed;
  }
  if (is_wrapped && trimmed(output->out) == kHeldBack) {
    report_.note_held_back();
    return Event::broadcast_held_back;
  }
  if (went_out(*output)) {
    report_.note_left();
    return Event::broadcast_sent;
  }
  report_.note_refusal(output->text());
  return Event::broadcast_refused;
}

// The app checks its service before it does anything: where that is missing, nothing was done.
DispatchEvent Conversation::judge_envelope() {
  const Envelope& envelope = *parts_.log->collector.envelope();
  if (auto fits = match_plan(envelope, *plan_); !fits) {
    misfit_ = std::move(fits).error();
    return Event::envelope_unfit;
  }
  const bool untouched = envelope.step_results.empty() && !parts_.log->collector.started();
  const bool misses_service = envelope.error_code == kServiceUnavailable && untouched;
  return misses_service ? Event::envelope_without_service : Event::envelope;
}

// A service that the system is to run may be in the middle of being bound again.
asio::awaitable<DispatchEvent> Conversation::await_service() {
  using namespace base::parallel;
  // The log is read meanwhile, so that a refusal that was written twice does not count as the next
  // answer.
  const auto waited = co_await (service_comes_back() || parts_.log->stream->follow());
  if (waited.index() == 1) co_return Event::log_ended;
  // Where entries may be missing, whether the app had started is unknown.
  const bool is_back = std::get<0>(waited) && !parts_.log->stream->was_reopened();
  co_return is_back ? Event::service_back : Event::service_stays;
}

// Waits the time that a service takes to come back; whether another try makes sense.
asio::awaitable<bool> Conversation::service_comes_back() {
  ServiceListing& service = parts_.job->service;
  service = co_await ask_service_listing(parts_.phone->channel(), parts_.phone->package_name());
  if (service != ServiceListing::listed || !parts_.job->request.await_service) co_return false;
  parts_.observer->write(
      LogLevel::warn, "service.awaited",
      "the Operator's accessibility service is switched on but not there yet; trying once more");
  co_await sleep_for(kRebindTime);
  co_return true;
}

// A step without its hierarchy reports that later.
asio::awaitable<DispatchEvent> Conversation::read_snapshots() {
  ResultCollector& collector = parts_.log->collector;
  Envelope envelope = collector.take_envelope();
  hierarchies_ = pair_snapshots(envelope, collector.take_hierarchies(), *plan_);
  envelope_ = std::move(envelope);
  if (guard_) guard_->clean(envelope_);
  const auto judged =
      co_await run_blocking_if(total_size(hierarchies_) > kHoldsUpLoop, [this]() -> Result<void> {
        judge_hierarchies(hierarchies_);
        return ok();
      });
  if (!judged) co_return Event::cancelled;
  co_return lost_hierarchies(hierarchies_) ? Event::snapshots_lost : Event::snapshots_read;
}

void Conversation::begin_again() {
  int& attempts = parts_.job->result.attempts;
  if (machine_.looked_again() && kind_ == Kind::plan && attempts == 1) {
    parts_.observer->write(LogLevel::warn, "result.lost",
                           "the device's log lost a part of the result");
    ++attempts;
  }
  parts_.job->dispatch_id = parts_.job->new_dispatch();
  listen();
  parts_.observer->trace().dispatched_again(parts_.job->dispatch_id);
}

// The broadcast usually ends after the result arrived, which proves as well that it was sent.
void Conversation::log_dispatch() {
  if (report_.status() != "sent") return;
  const auto until_now = base::micros_since(report_.start());
  auto& dispatch = parts_.job->result.timings.dispatch;
  if (dispatch.count() == 0) dispatch = until_now;
  parts_.observer->trace().phase("dispatch", report_.start(), std::min(dispatch, until_now));
  parts_.observer->write(LogLevel::info, "broadcast.dispatched", "broadcast dispatched");
}

Error Conversation::operator_absent_error() const {
  OperatorChoice& choice = parts_.phone->choice();
  const bool has_other = choice.used_one(parts_.phone->recalled()).alternate_installed;
  return has_other ? report_.wrong_variant()
                   : report_.after_dispatch(parts_.search->judged().error());
}

Error Conversation::broadcast_error() const {
  const auto& end = *broadcast_end_;
  const bool is_link = !end && is_link_error(end.error());
  return {is_link ? errc::link_lost : errc::broadcast_failed,
          "Broadcast dispatch failed: " + (end ? end->text() : end.error().message())};
}

Result<void> Conversation::outcome() {
  switch (machine_.end()) {
    case DispatchEnd::answered: return ok();
    case DispatchEnd::answer_unfit: return std::unexpected(report_.after_dispatch(*misfit_));
    case DispatchEnd::log_broken:
    case DispatchEnd::log_ended: return std::unexpected(report_.after_dispatch(*log_end_));
    case DispatchEnd::too_long: {
      const Error& error = broadcast_end_->error();
      return std::unexpected(machine_.may_have_left() ? report_.after_dispatch(error) : error);
    }
    case DispatchEnd::broadcast_failed:
      if (!*broadcast_end_) report_.note_failure(broadcast_end_->error());
      [[fallthrough]];
    case DispatchEnd::broadcast_refused:
      return std::unexpected(report_.after_dispatch(broadcast_error()));
    case DispatchEnd::operator_absent: return std::unexpected(operator_absent_error());
    case DispatchEnd::timed_out: return std::unexpected(report_.timed_out(*plan_));
    case DispatchEnd::cancelled: break;
  }
  if (!machine_.may_have_left()) return fail(errc::cancelled, "cancelled");
  return std::unexpected(
      report_.after_dispatch({errc::cancelled, "cancelled after the command was sent"}));
}

}  // namespace clawperator
