#include "runtime/engine/execution_observer.hpp"

#include "base/error_members.hpp"
#include "base/json_text.hpp"
#include "runtime/android/service_command.hpp"

namespace clawperator {

ExecutionObserver::ExecutionObserver(ExecutionJob* job, EventLog* log, Trace* trace)
    : job_(job), log_(log), trace_(trace, job->start) {
  if (trace_.is_on()) trace_.begin(job_->request, trace_ids());
}

ExecutionObserver::~ExecutionObserver() {
  if (is_closed_) return;
  [[maybe_unused]] const Error cancelled = failed({errc::cancelled, "cancelled"});
}

std::optional<std::string> ExecutionObserver::log_path() const {
  return log_ ? log_->path() : std::nullopt;
}

JsonObject ExecutionObserver::members() const {
  const ExecuteRequest& request = job_->request;
  JsonObject members;
  members.text("commandId", request.execution.command_id);
  members.text("taskId", request.execution.task_id);
  members.text("executionId", job_->result.execution_id);
  if (!job_->is_by_shell()) members.text("dispatchId", job_->dispatch_id);
  if (!job_->result.device_id.empty()) members.text("deviceId", job_->result.device_id);
  if (request.traceparent) members.text("traceId", request.traceparent->trace_id);
  return members;
}

JsonObject ExecutionObserver::trace_ids() const {
  JsonObject ids = members();
  if (const auto& parent = job_->request.traceparent) {
    ids.text("parentSpanId", parent->span_id).text("spanId", new_span_id());
  }
  return ids;
}

void ExecutionObserver::write(LogLevel level, std::string_view event,
                              std::string_view message) const {
  if (log_ && log_->enabled(level)) {
    log_->write(level, event, job_->typed.masked(message), members());
  }
}

void ExecutionObserver::warn(const std::vector<std::string>& warnings) const {
  for (const std::string& text : warnings) {
    const std::string warning = job_->typed.masked(text);
    write(LogLevel::warn, "execution.warning", warning);
    if (job_->request.on_warning) job_->request.on_warning(warning);
  }
}

void ExecutionObserver::service_opens(const std::string& service) const {
  if (!log_ || !log_->enabled(LogLevel::debug)) return;
  write(LogLevel::debug, "adb.command", redacted_service(service));
}

void ExecutionObserver::service_closed(const std::string& service, std::chrono::microseconds after,
                                       std::size_t bytes) {
  trace_.service(job_->result.device_id, service, after, bytes);
  if (!log_ || !log_->enabled(LogLevel::debug)) return;
  JsonObject closed = members();
  closed.number("durationMs", after.count() / 1000);
  closed.number("stdoutBytes", static_cast<std::int64_t>(bytes));
  log_->write(LogLevel::debug, "adb.complete", redacted_service(service), closed);
}

Error ExecutionObserver::failed(const Error& cause) {
  Error error = job_->typed.masked(cause);
  Timings& timings = job_->result.timings;
  timings.total = base::micros_since(job_->start);
  is_closed_ = true;
  was_cancelled_ = error.code() == errc::cancelled;
  trace_.end(error.code()->published, job_->result.device_id);
  if (log_ && log_->enabled(LogLevel::error)) {
    JsonObject failure = members();
    failure.text("status", "failed").text("code", error.code()->published);
    failure.number("durationMs", timings.total.count() / 1000);
    failure.json("timings", to_json(timings));
    log_->write(LogLevel::error, "execution.failed", error.message(), failure);
  }
  if (!job_->request.timings) return error;
  return with_members(error, ErrorMembers().json("timings", to_json(timings)));
}

void ExecutionObserver::finished() {
  ExecuteResult& result = job_->result;
  result.timings.total = base::micros_since(job_->start);
  is_closed_ = true;
  const bool succeeds = result.envelope.status == EnvelopeStatus::success;
  const char* status = succeeds ? "success" : "failed";
  trace_.end(status, result.device_id);
  if (!log_) return;
  JsonObject end = members();
  end.text("status", status);
  end.json("timings", to_json(result.timings));
  log_->write(succeeds ? LogLevel::info : LogLevel::warn, "execution.finished",
              "execution finished", end);
}

}  // namespace clawperator
