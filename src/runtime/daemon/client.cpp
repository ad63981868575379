#include "runtime/daemon/client.hpp"

#include <unistd.h>

#include "adbproto/link/socket_stream.hpp"
#include "base/error_members.hpp"
#include "base/system/environment.hpp"
#include "base/system/output_file.hpp"
#include "runtime/daemon/connection.hpp"
#include "runtime/daemon/daemon_server.hpp"
#include "runtime/engine/errc.hpp"
#include "runtime/engine/execution_trace.hpp"
#include "runtime/engine/log_pieces.hpp"
#include "runtime/engine/screenshot.hpp"
#include "runtime/engine/ulid.hpp"

namespace clawperator::daemon {
namespace {

// The kernel connects at once unless the daemon is stopped and its queue full.
constexpr auto kConnectLimit = std::chrono::seconds(1);
// The status is in memory; only a stopped or stuck daemon takes longer.
constexpr auto kAnswerLimit = std::chrono::seconds(5);
// A running process accepts or declines a request at once. One that was stopped, or is stuck, never
// does.
constexpr auto kAcceptLimit = std::chrono::seconds(2);
// After `cancel` the daemon may still finish its work on the device and send the outcome.
constexpr auto kCancelLimit = std::chrono::seconds(5);
// Beyond what the execution itself may take: resolving, attaching, pictures.
constexpr auto kMargin = std::chrono::minutes(3);

Task<ByteStreamPtr> connect_daemon() {
  CO_TRY(const std::string path, socket_path());
  if (!has_socket()) co_return fail(errc::closed, "no daemon runs");
  CO_TRY(auto stream,
         co_await with_deadline(adbproto::connect_unix(path), kConnectLimit, "the daemon"));
  if (adbproto::peer_user(stream.get()) != ::getuid()) {
    co_return fail(errc::refused, path + " belongs to another user");
  }
  co_return stream;
}

// One request's conversation; it can be gone on with after a cancellation.
class Conversation {
 public:
  Conversation(ByteStreamPtr stream, const ExecuteRequest* request, std::string dispatch_id)
      : stream_(std::move(stream)), request_(request), dispatch_id_(std::move(dispatch_id)) {}

  // Sends the request and waits until the other side accepts or declines it.
  Task<void> send_request(const Surface* surface) {
    const std::string frame =
        encode_frame(FrameKind::request, encode_request(*surface, *request_, dispatch_id_));
    CO_TRY_VOID(co_await stream_->write_all(as_bytes(frame)));
    while (!accepted_ && !is_over()) CO_TRY_VOID(co_await read_one());
    co_return ok();
  }
  // Until there is an outcome. Fails when the other side is gone, or talks nonsense.
  Task<void> read_outcome() {
    while (!is_over()) CO_TRY_VOID(co_await read_one());
    co_return ok();
  }
  Task<void> cancel() {
    const std::string frame = encode_frame(FrameKind::cancel, "");
    CO_TRY_VOID(co_await stream_->write_all(as_bytes(frame)));
    co_return co_await read_outcome();
  }
  // Once the connection is half closed the other side cannot send `begun` any more. So it starts no
  // change that it has not announced yet, however late it wakes up. Frames that it sent before are
  // still read.
  asio::awaitable<void> leave() {
    adbproto::hang_up(stream_.get());
    while (!is_over()) {
      auto frame = co_await read_frame(stream_.get(), &frames_);
      if (!frame || !note(*frame)) co_return;
    }
  }

  [[nodiscard]] bool is_over() const { return outcome_ || declined_; }
  [[nodiscard]] bool has_begun() const { return begun_; }
  [[nodiscard]] std::optional<Result<ExecuteResult>>& outcome() { return outcome_; }

 private:
  Task<void> read_one();
  Result<void> note(Frame& frame);
  Task<void> save(std::string_view payload);
  Result<void> take_result(std::string_view payload);

  ByteStreamPtr stream_;
  const ExecuteRequest* request_;
  std::string dispatch_id_;
  FrameReader frames_{kMaxAnswer};
  std::string picture_;
  std::optional<Result<ExecuteResult>> outcome_;
  bool accepted_ = false;
  bool begun_ = false;
  bool declined_ = false;
};

Task<void> Conversation::save(std::string_view payload) {
  const auto end = payload.find('\0');
  if (end == payload.npos) co_return fail(errc::protocol, "a file without a name");
  const auto written =
      co_await write_output(std::string(payload.substr(0, end)), payload.substr(end + 1));
  const std::string answer =
      encode_frame(FrameKind::saved, written ? "" : written.error().message());
  co_return co_await stream_->write_all(as_bytes(answer));
}

Result<void> Conversation::take_result(std::string_view payload) {
  TRY(ExecuteResult result, decode_result(payload));
  const ByteView picture = as_bytes(picture_);
  result.picture.assign(picture.begin(), picture.end());
  result.by_daemon = true;
  outcome_.emplace(std::move(result));
  return ok();
}

void report_stage(const ExecuteRequest& request, std::string_view payload) {
  const auto first = payload.find('\0');
  const auto second = payload.find('\0', first + 1);
  if (!request.on_stage || second == payload.npos) return;
  request.on_stage({payload.substr(0, first), payload.substr(first + 1, second - first - 1),
                    payload.substr(second + 1)});
}

// Nothing is awaited between a frame's arrival and its note, for a cancellation would lose it.
Task<void> Conversation::read_one() {
  CO_TRY(Frame frame, co_await read_frame(stream_.get(), &frames_));
  if (frame.kind == FrameKind::save) co_return co_await save(frame.payload);
  co_return note(frame);
}

Result<void> Conversation::note(Frame& frame) {
  const auto call = [&frame](const std::function<void(std::string_view)>& callback) {
    if (callback) callback(frame.payload);
    return ok();
  };
  switch (frame.kind) {
    case FrameKind::accepted: accepted_ = true; return ok();
    case FrameKind::declined: declined_ = true; return ok();
    case FrameKind::begun: begun_ = true; return ok();
    case FrameKind::save: return ok();  // the command waits for no file any more
    case FrameKind::notice: return call(request_->target.on_notice);
    case FrameKind::warning: return call(request_->on_warning);
    case FrameKind::event: return call(request_->on_event);
    case FrameKind::stage: report_stage(*request_, frame.payload); return ok();
    case FrameKind::picture: picture_ = std::move(frame.payload); return ok();
    case FrameKind::result: return take_result(frame.payload);
    case FrameKind::failure: {
      TRY(Error error, decode_error(frame.payload));
      outcome_.emplace(std::unexpected(std::move(error)));
      return ok();
    }
    default: return fail(errc::protocol, "a frame of the wrong kind");
  }
}

// The outcome is unknown, so the command must not be repeated.
Error lost_after_begin(const ExecuteRequest& request, const std::string& dispatch_id,
                       const Error& why) {
  ErrorMembers details;
  details.text("commandId", request.execution.command_id);
  details.text("taskId", request.execution.task_id);
  if (request.backend == Backend::operator_app) details.text("dispatchId", dispatch_id);
  details.boolean("dispatchAttempted", true).text("executionPosition", "unknown");
  return {errc::result_transport_exited,
          "the daemon ended while it ran the command: " + why.message(),
          ErrorMembers().object("details", details).str()};
}

std::chrono::milliseconds limit_of(const ExecuteRequest& request) {
  const std::chrono::milliseconds run(static_cast<std::int64_t>(request.execution.timeout_ms));
  return request.lock_patience + 2 * (run + request.grace + kLongestReceipt) +
         request.target.authorization_limit + kMargin;
}

// The daemon was stopped (SIGSTOP, a debugger), or hangs: only the user can decide what to do.
Error explain_silence(const Error& silence) {
  const auto holder = socket_holder();
  if (!holder) return silence;
  const std::string pid = std::to_string(*holder);
  return with_members(
      silence,
      ErrorMembers()
          .text("hint", "process " + pid + " has the socket but does not answer: kill -CONT " +
                            pid + " lets it go on, kill -KILL " + pid +
                            " ends it; commands run by themselves meanwhile")
          .object("details", ErrorMembers().number("pid", *holder)));
}

Task<std::string> query_process(FrameKind kind) {
  CO_TRY(auto stream, co_await connect_daemon());
  const std::string question = encode_frame(kind, "");
  CO_TRY_VOID(co_await stream->write_all(as_bytes(question)));
  FrameReader frames(kMaxRequest);
  auto received = read_frame(stream.get(), &frames);
  auto answer = co_await with_deadline(std::move(received), kAnswerLimit, "the daemon's answer");
  if (!answer && answer.error().code() == errc::deadline_exceeded) {
    co_return std::unexpected(explain_silence(answer.error()));
  }
  if (!answer) co_return std::unexpected(std::move(answer).error());
  if (answer->kind != FrameKind::result)
    co_return fail(errc::protocol, "the daemon sent an invalid answer");
  co_return answer->payload;
}

Task<void> converse(Conversation* conversation, const Surface* surface,
                    std::chrono::milliseconds limit) {
  CO_TRY_VOID(
      co_await with_deadline(conversation->send_request(surface), kAcceptLimit, "the daemon"));
  co_return co_await with_deadline(conversation->read_outcome(), limit, "the daemon");
}

// nullopt: no daemon runs. A killed process leaves a socket behind at which no process listens.
Task<std::optional<std::string>> query(FrameKind kind) {
  auto answer = co_await query_process(kind);
  if (answer) co_return *std::move(answer);
  const Errc why = answer.error().code();
  if (why == errc::closed || why == errc::io) co_return std::nullopt;
  co_return std::unexpected(answer.error());
}

}  // namespace

bool has_socket() {
  const auto path = socket_path();
  return path && ::access(path->c_str(), F_OK) == 0;
}

asio::awaitable<std::optional<Result<ExecuteResult>>> execute_by_daemon(
    const ExecuteRequest* request, const Surface* surface) {
  auto stream = co_await connect_daemon();
  if (!stream) co_return std::nullopt;
  const std::string dispatch_id = new_dispatch_id();
  Conversation conversation(*std::move(stream), request, dispatch_id);
  Result<void> received;
  try {
    received = co_await converse(&conversation, surface, limit_of(*request));
  } catch (const std::exception& unwound) {
    received = fail(errc::cancelled, unwound.what());
  }
  const auto state = co_await asio::this_coro::cancellation_state;
  const bool cancelled = adbproto::is_cancelled(state);
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  if (cancelled && !conversation.outcome()) {
    received = co_await with_deadline(conversation.cancel(), kCancelLimit, "the daemon");
  }
  if (!conversation.is_over()) co_await conversation.leave();
  co_await asio::this_coro::reset_cancellation_state(asio::enable_terminal_cancellation());
  if (conversation.outcome()) co_return std::move(conversation.outcome());
  if (!received && conversation.has_begun()) {
    co_return std::unexpected(lost_after_begin(*request, dispatch_id, received.error()));
  }
  if (cancelled) co_return fail(errc::cancelled, "stopped by a signal");
  co_return std::nullopt;
}

namespace {

JsonObject ids_of(const ExecuteRequest& request) {
  JsonObject ids;
  ids.text("commandId", request.execution.command_id).text("taskId", request.execution.task_id);
  if (request.traceparent) ids.text("traceId", request.traceparent->trace_id);
  return ids.boolean("daemon", true);
}

void trace_outcome(ExecutionTrace* trace, const ExecuteRequest& request,
                   const Result<ExecuteResult>& outcome) {
  JsonObject ids = ids_of(request);
  if (outcome) ids.text("executionId", outcome->execution_id);
  trace->begin(request, std::move(ids));
  if (!outcome) return trace->end(outcome.error().code()->published, {});
  trace->place(outcome->timings);
  trace->end(succeeded(outcome->envelope) ? "success" : "failed", outcome->device_id);
}

// The daemon's stages go into this process's trace, too. The device's time is missing: the daemon
// does not report it.
asio::awaitable<std::optional<Result<ExecuteResult>>> execute_traced(const ExecuteRequest* request,
                                                                     const Surface* surface) {
  Trace* trace = Trace::of(co_await asio::this_coro::executor);
  if (!trace) co_return co_await execute_by_daemon(request, surface);
  ExecutionTrace traced(trace);
  ExecuteRequest traced_request = *request;
  traced_request.on_stage = [&traced, on_stage = request->on_stage](const Stage& stage) {
    traced.stage(stage, {});
    if (on_stage) on_stage(stage);
  };
  auto outcome = co_await execute_by_daemon(&traced_request, surface);
  if (outcome) trace_outcome(&traced, *request, *outcome);
  co_return outcome;
}

}  // namespace

Task<ExecuteResult> DaemonOrHere::execute(ExecuteRequest request) {
  if (!surface_ || !has_socket()) co_return co_await here_->execute(std::move(request));
  // These values come from this process's environment and folder, not from the daemon's.
  ExecuteRequest sent = request;
  TargetOptions& target = sent.target;
  if (!target.device && target.honour_android_serial) {
    target.device = base::environment_variable("ANDROID_SERIAL");
  }
  sent.screenshot.default_path =
      default_picture_path(sent.execution.command_id, sent.screenshot.format);
  // Apart: what the conversation does to its cancellation state must not make this task forget that
  // it was cancelled.
  std::optional<std::optional<Result<ExecuteResult>>> outcome;
  try {
    co_await base::parallel::apart(
        base::parallel::keep(execute_traced(&sent, &*surface_), &outcome));
  } catch (const std::exception&) {
    if (!outcome) throw;
  }
  if (outcome && *outcome) co_return **std::move(outcome);
  co_return co_await here_->execute(std::move(request));
}

Task<std::optional<std::string>> query_status() { return query(FrameKind::status); }

Task<bool> request_stop() {
  CO_TRY(const auto answer, co_await query(FrameKind::stop));
  co_return answer.has_value();
}

}  // namespace clawperator::daemon
