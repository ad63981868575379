#include "runtime/engine/run.hpp"

#include <algorithm>
#include <ranges>

#include "adbproto/wire/errc.hpp"
#include "base/async/blocking.hpp"
#include "base/async/memory_budget.hpp"
#include "base/async/signal.hpp"
#include "base/error_members.hpp"
#include "base/json_text.hpp"
#include "base/system/environment.hpp"
#include "base/system/errc.hpp"
#include "base/text.hpp"
#include "runtime/android/service_command.hpp"
#include "runtime/android/shell_lines.hpp"
#include "runtime/contract/action_table.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/parse.hpp"
#include "runtime/device/known_phones.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/engine/ulid.hpp"

namespace clawperator {

using std::chrono::microseconds;
using std::chrono::milliseconds;

namespace {

std::size_t count_snapshots(const Execution& execution) {
  return static_cast<std::size_t>(
      std::ranges::count(execution.actions, ActionType::snapshot_ui, &Action::type));
}

// The log is read meanwhile: where it ends nothing will be dispatched.
Task<LockLines::Turn> wait_with_log(CommandLog* log, Task<LockLines::Turn> turn) {
  using namespace base::parallel;
  auto first = co_await (std::move(turn) || log->follow());
  if (first.index() == 1) co_return std::unexpected(std::get<1>(std::move(first)).error());
  co_return std::get<0>(std::move(first));
}

// What is told while it goes on: an app may name an operation with what it was given.
void mask_told(ExecuteRequest& request, const Secrets* typed) {
  if (typed->empty()) return;
  if (request.on_event) {
    request.on_event = [typed, tell = std::move(request.on_event)](std::string_view text) {
      tell(typed->masked(text));
    };
  }
  if (request.on_stage) {
    request.on_stage = [typed, tell = std::move(request.on_stage)](const Stage& stage) {
      const std::string operation = typed->masked(stage.operation);
      const std::string detail = typed->masked(stage.detail);
      tell({stage.name, operation, detail});
    };
  }
}

}  // namespace

Run::Run(ExecuteRequest request, EventLog* log, Trace* trace)
    : RunState(std::move(request), log, trace) {
  mask_told(request_, &typed_);
  result_.execution_id = new_ulid();
  begin_dispatch(next_dispatch_id());
  if (trace_.is_on()) trace_.begin(request_, trace_ids());
}

namespace {

std::string replaced(std::string_view text, std::string_view word, std::string_view by) {
  std::string out;
  for (auto at = text.find(word); at != text.npos; at = text.find(word)) {
    out.append(text.substr(0, at)).append(by);
    text.remove_prefix(at + word.size());
  }
  return out.append(text);
}

}  // namespace

// Every dispatch has an id of its own, which did not exist before: nothing that was written earlier
// can answer it, nor anything that answers another one.
void Run::begin_dispatch(std::string id) {
  dispatch_id_ = std::move(id);
  collector_ = ResultCollector(dispatch_id_, count_snapshots(request_.execution));
  collector_.leave_results_above(kHoldsUpLoop);
  if (looking_) return;
  if (request_.on_event || trace_.is_on()) {
    collector_.on_event([this](std::string_view text) {
      trace_.event(text, collector_.entry_time());
      if (!request_.on_event) return;
      std::string id = quote_json(request_.execution.command_id);
      request_.on_event(replaced(text, quote_json(dispatch_id_), id));
    });
  }
  if (request_.on_stage || trace_.is_on()) {
    collector_.on_stage([this](const Stage& stage) {
      trace_.stage(stage, collector_.entry_time());
      if (request_.on_stage) request_.on_stage(stage);
    });
  }
}

std::string Run::next_dispatch_id() const {
  return request_.dispatch_ids ? request_.dispatch_ids() : new_dispatch_id();
}

// Whoever comes next must not run into a command that may still be going on. What only looks does
// no harm there, and who has given it up frees the phone.
Run::~Run() {
  const bool is_given_up = was_cancelled_ || !closing_event_written_;
  const bool is_harmless =
      is_given_up && std::ranges::all_of(request_.execution.actions, only_looks, &Action::type);
  if (turn_ && (machine_.may_be_running() || shell_may_run_) && !is_harmless) turn_->settle();
  log_stream_.reset();  // its stream reports to this object when it closes
  if (closing_event_written_) return;
  [[maybe_unused]] const Error cancelled = failed({errc::cancelled, "cancelled"});
}

void Run::on_open(const std::string& service) {
  if (log_ && log_->enabled(LogLevel::debug)) {
    write_log(LogLevel::debug, "adb.command", redacted_service(service));
  }
}

// From the answer on the device has every word of the command.
void Run::on_opened(const std::string& service, const Error* error) {
  screen_was_asked_ = screen_was_asked_ || (needs_no_operator() && !error);
  if (!machine_.is_waiting() || error || !is_dispatch(service)) return;
  dispatch_left_ = true;
  advance(DispatchEvent::broadcast_opened);
}

void Run::on_closed(const std::string& service, microseconds after, std::size_t bytes) {
  trace_.service(result_.device_id, service, after, bytes);
  if (!log_ || !log_->enabled(LogLevel::debug)) return;
  JsonObject members = log_members();
  members.number("durationMs", after.count() / 1000);
  members.number("stdoutBytes", static_cast<std::int64_t>(bytes));
  log_->write(LogLevel::debug, "adb.complete", redacted_service(service), members);
}

namespace {

KnownPhone known_phone(const DeviceMemory& memory) {
  return {memory.boot_id, memory.serialno, memory.sdk};
}

// The log of a device that let us in at once last time, reached directly. Whoever it is now: a log
// changes nothing.
std::optional<adbproto::EarlyOpen> early_log(const ExecuteRequest& request) {
  if (!request.target.device || request.sessions || request.backend == Backend::shell) return {};
  const DeviceMemory memory = recall_device(*request.target.device);
  const auto rung = memory.rungs.of(AndroidService::activity);
  const bool has_shell_v2 = rung && *rung != Rung::legacy_shell;
  if (!has_shell_v2 || !memory.greets_with_delayed_ack) return {};
  return adbproto::EarlyOpen{.service = LogStream::service_of(known_phone(memory)),
                             .delayed_ack = *memory.greets_with_delayed_ack};
}

}  // namespace

Task<void> Run::admit() {
  request_.target.early = early_log(request_);
  request_.target.meets_later = request_.sessions ? nullptr : std::make_shared<DialNote>();
  if (request_.sessions) {
    CO_TRY_VOID(adbproto::MemoryBudget::of(co_await asio::this_coro::executor).check());
    in_flight_.emplace(request_.sessions->in_flight_count());
    arrival_ = request_.sessions->lines().arrive();
  }
  co_return ok();
}

Task<void> Run::take_device(Result<std::unique_ptr<Device>> device) {
  if (!device) {
    trace_.phase("resolve", start_);
    co_return std::unexpected(std::move(device).error());
  }
  kept_ = *std::move(device);
  if (request_.sessions) session_ = request_.sessions->of(*kept_);
  device_ = std::make_unique<ObservedDevice>(kept_, static_cast<ObservedDevice::Observer*>(this));
  result_.device_id = device_->serial();
  result_.place = device_->facts().place;
  result_.backend = request_.backend;
  if (session_) {
    recalled_ = co_await session_->recall(device_->serial());
  } else {
    recalled_ = recall_device(device_->serial());
  }
  CO_TRY_VOID(check_shower());
  memory_ = recalled_;
  channel_.emplace(device_.get(), recalled_.rungs);
  answered_.emplace(co_await asio::this_coro::executor);
  screen_answered_ = !request_.ask_screen_size;
  points_.begin(request_.execution, recalled_);
  const NamedOperator known = operator_.remembered(recalled_);
  trusts_operator_ = session_ && known && session_->has_operator(*known) && !stops_apps();
  if (trusts_operator_) operator_.use(known);
  result_.timings.resolve = trace_.phase("resolve", start_);
  co_return ok();
}

Task<std::unique_ptr<CommandLog>> Run::attach() {
  const auto start = Clock::now();
  KnownPhone known = known_phone(recalled_);
  Result<std::unique_ptr<CommandLog>> log = nullptr;
  if (session_) {
    log = co_await session_->join_log(kept_, std::move(known), &collector_);
  } else {
    auto stream = co_await LogStream::attach(device_.get(), std::move(known));
    if (stream) {
      log = read_alone(*std::move(stream), &collector_);
    } else {
      log = std::unexpected(stream.error());
    }
  }
  result_.timings.attach = trace_.phase("attach", start);
  if (log) CO_TRY_VOID(co_await meet({(*log)->facts().serialno, (*log)->facts().boot_id}));
  co_return log;
}

// Where the one who opened the device left that to us.
Task<void> Run::meet(Identity identity) {
  const auto note = std::exchange(request_.target.meets_later, nullptr);
  if (!note) co_return ok();
  co_return co_await meet_phone(&request_.target, kept_.get(), std::move(identity), note.get());
}

Task<void> Run::take_turn(std::optional<DeviceFacts> told) {
  const auto start = Clock::now();
  const DeviceFacts facts = told ? *told : log_stream_->facts();
  if (!request_.sessions) own_lines_.emplace(co_await asio::this_coro::executor);
  LockLines* lines = own_lines_ ? &*own_lines_ : &request_.sessions->lines();
  auto turn = lines->wait_for({lock_identity(facts.serialno, facts.boot_id, device_->serial()),
                               device_->serial(), request_.execution.command_id,
                               request_.lock_patience, arrival_});
  if (log_stream_ && request_.lock_patience != milliseconds::zero()) {
    turn = wait_with_log(log_stream_.get(), std::move(turn));
  }
  auto taken = co_await std::move(turn);
  result_.timings.queue = trace_.phase("queue", start);
  if (!taken) co_return std::unexpected(co_await explain_refusal(std::move(taken).error()));
  turn_ = *std::move(taken);
  co_return ok();
}

// Whoever only wants to look is told what was seen last.
asio::awaitable<Error> Run::explain_refusal(Error error) {
  const bool looks = std::ranges::all_of(request_.execution.actions, [](const Action& action) {
    return action.type == ActionType::snapshot_ui;
  });
  const bool busy = error.code() == errc::execution_conflict_in_flight;
  std::optional<SeenTree> tree;
  if (session_ && looks && busy) tree = co_await session_->last_tree();
  if (!tree) co_return error;
  const auto age = std::chrono::floor<milliseconds>(Clock::now() - tree->at);
  co_return with_details(
      error, ErrorMembers().object(
                 "lastTree", ErrorMembers().text("hash", tree->hash).number("ageMs", age.count())));
}

Task<void> Run::announce_effects() {
  if (request_.before_effects) co_return co_await request_.before_effects();
  co_return ok();
}

Task<void> Run::stop_apps() {
  if (!stops_apps()) co_return ok();
  const auto start = Clock::now();
  auto stopped = co_await stop_closed_apps(&*channel_, &request_.execution);
  trace_.phase("stop apps", start);
  co_return stopped;
}

milliseconds Run::wait_limit() const {
  return milliseconds(static_cast<std::int64_t>(request_.execution.timeout_ms)) + request_.grace;
}

JsonObject Run::log_members() const {
  JsonObject members;
  members.text("commandId", request_.execution.command_id);
  members.text("taskId", request_.execution.task_id);
  members.text("executionId", result_.execution_id);
  if (!needs_no_operator()) members.text("dispatchId", dispatch_id_);
  if (!result_.device_id.empty()) members.text("deviceId", result_.device_id);
  if (request_.traceparent) members.text("traceId", request_.traceparent->trace_id);
  return members;
}

JsonObject Run::trace_ids() const {
  JsonObject ids = log_members();
  if (request_.traceparent) {
    ids.text("parentSpanId", request_.traceparent->span_id).text("spanId", new_span_id());
  }
  return ids;
}

void Run::write_log(LogLevel level, std::string_view event, std::string_view message) const {
  if (log_ && log_->enabled(level)) {
    log_->write(level, event, typed_.masked(message), log_members());
  }
}

void Run::warn(const std::vector<std::string>& warnings) const {
  for (const std::string& told : warnings) {
    const std::string warning = typed_.masked(told);
    write_log(LogLevel::warn, "execution.warning", warning);
    if (request_.on_warning) request_.on_warning(warning);
  }
}

}  // namespace clawperator
