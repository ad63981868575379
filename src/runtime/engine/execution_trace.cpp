#include "runtime/engine/execution_trace.hpp"

#include "runtime/android/service_command.hpp"
#include "runtime/contract/action_table.hpp"

namespace clawperator {

using std::chrono::microseconds;

namespace {

constexpr std::string_view kRow = "execution";
constexpr std::string_view kBesideRow = "execution, beside";

microseconds in_micros(Clock::duration time) {
  return std::chrono::duration_cast<microseconds>(time);
}

// A list of all verbs of a plan would be too long: the first one, and their number.
std::string title_of(const Execution& execution) {
  const auto& actions = execution.actions;
  std::string title =
      actions.empty() ? std::string("execution") : std::string(action_name(actions.front().type()));
  if (actions.size() > 1) title += " +" + std::to_string(actions.size() - 1);
  return title;
}

JsonObject time_args(std::chrono::nanoseconds time) {
  JsonObject args;
  if (time.count() != 0) args.number("deviceTimeMicros", in_micros(time).count());
  return args;
}

}  // namespace

ExecutionTrace::ExecutionTrace(Trace* trace, TraceTime start) : trace_(trace), start_(start) {
  if (!trace_) return;
  track_ = trace_->take(kRow, start_);
  beside_ = trace_->take(kBesideRow, start_);
}

ExecutionTrace::~ExecutionTrace() {
  if (!trace_) return;
  end("cancelled", {});
  trace_->give_back(kRow, track_);
  trace_->give_back(kBesideRow, beside_);
}

void ExecutionTrace::begin(const ExecuteRequest& request, JsonObject ids) {
  if (!trace_) return;
  trace_->begin(track_, title_of(request.execution), start_, std::move(ids));
  ended_ = false;
}

void ExecutionTrace::end(std::string_view outcome, const std::string& device_id) {
  if (!trace_ || std::exchange(ended_, true)) return;
  JsonObject args;
  args.text("outcome", outcome);
  if (!device_id.empty()) args.text("deviceId", device_id);
  trace_->end(track_, std::move(args));
}

microseconds ExecutionTrace::phase(std::string_view name, TraceTime start) {
  const auto taken = Clock::now() - start;
  if (trace_) trace_->complete(track_, name, start, taken);
  return in_micros(taken);
}

microseconds ExecutionTrace::phase_beside(std::string_view name, TraceTime start) {
  const auto taken = Clock::now() - start;
  if (trace_) trace_->complete(beside_, name, start, taken);
  return in_micros(taken);
}

void ExecutionTrace::phase(std::string_view name, TraceTime start, microseconds duration) {
  if (trace_) trace_->complete(track_, name, start, duration);
}

void ExecutionTrace::service(const std::string& device_id, std::string_view name,
                             microseconds duration, std::size_t bytes) {
  if (!trace_) return;
  trace_->complete_on("services of " + device_id, clipped_for_trace(redacted_service(name)),
                      Clock::now() - duration,
                      JsonObject().number("received", static_cast<std::int64_t>(bytes)));
}

// An operation's arguments and its error may contain text of the screen or typed text.
void ExecutionTrace::stage(const Stage& stage, std::chrono::nanoseconds time) {
  if (!trace_) return;
  JsonObject args = time_args(time);
  const std::string_view detail = stage.detail.substr(0, stage.detail.find(' '));
  if (detail.starts_with("attempt=")) args.text("detail", detail);
  const std::string name =
      std::string(stage.name) + " " +
      std::string(stage.operation.substr(0, stage.operation.find_first_of("( =")));
  trace_->instant(track_, clipped_for_trace(name), std::move(args));
}

void ExecutionTrace::dispatched_again(const std::string& dispatch_id) {
  if (!trace_) return;
  trace_->instant(track_, "dispatched again", JsonObject().text("dispatchId", dispatch_id));
}

// The event's text is the app's, and may be what a person typed.
void ExecutionTrace::event(std::string_view text, std::chrono::nanoseconds time) {
  if (!trace_) return;
  JsonObject args = time_args(time);
  args.number("length", static_cast<std::int64_t>(text.size()));
  trace_->instant(track_, "event", std::move(args));
}

// Phases before the dispatch are placed from the beginning, those after it from the end.
void ExecutionTrace::place(const Timings& timings) {
  if (!trace_) return;
  const JsonObject args = JsonObject().text("placed", "by duration");
  const auto now = Clock::now();
  const auto add = [&](Track track, std::string_view name, TraceTime start, microseconds time) {
    if (time.count() > 0) trace_->complete(track, name, start, time, args);
  };
  const TraceTime began = now - timings.total;
  add(track_, "resolve", began, timings.resolve);
  add(track_, "attach", began + timings.resolve, timings.attach);
  add(beside_, "preflight", began + timings.resolve, timings.preflight);
  const TraceTime parse = now - timings.parse;
  const TraceTime transfer = parse - timings.transfer;
  const TraceTime device = transfer - timings.device;
  add(track_, "queue", device - timings.queue, timings.queue);
  add(track_, "device", device, timings.device);
  add(track_, "dispatch", device, timings.dispatch);
  add(track_, "transfer", transfer, timings.transfer);
  add(track_, "parse", parse, timings.parse);
}

}  // namespace clawperator
