#include "runtime/daemon/daemon_server.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/async/blocking.hpp"
#include "base/counted.hpp"
#include "base/files.hpp"
#include "base/json_text.hpp"
#include "base/number.hpp"
#include "base/system/environment.hpp"
#include "base/system/file_lock.hpp"
#include "base/text.hpp"
#include "runtime/daemon/connection.hpp"
#include "runtime/daemon/errc.hpp"
#include "runtime/device/runtime_folder.hpp"
#include "runtime/engine/log_pieces.hpp"

namespace clawperator::daemon {
namespace {

// A command sends its request at once; a silent peer must not hold a connection.
constexpr auto kRequestLimit = std::chrono::seconds(5);
// A reader of a large picture gets through; a stopped one must not hold its memory.
constexpr auto kFarewellLimit = std::chrono::seconds(30);
// Without descriptors accept fails at once and would spin.
constexpr auto kAfterFailedAccept = std::chrono::milliseconds(100);
// Leaves most of the usual 1024 descriptors to devices.
constexpr std::size_t kMaxConnections = 256;
constexpr std::size_t kMaxSocketPath = 107;  // sun_path has 108 bytes with its NUL

std::string stage_text(const Stage& stage) {
  std::string text(stage.name);
  text.append(1, '\0').append(stage.operation).append(1, '\0').append(stage.detail);
  return text;
}

// Sends the execution's reports to the command while it runs.
void forward_reports(ExecuteRequest& request, Connection* connection, bool wants_events) {
  request.on_warning = [connection](std::string_view text) {
    connection->send(FrameKind::warning, text);
  };
  request.target.on_notice = [connection](std::string_view text) {
    connection->send(FrameKind::notice, text);
  };
  request.write_picture = [connection](const std::filesystem::path& path, std::string_view bytes) {
    return connection->save(path, bytes);
  };
  request.before_effects = [connection] {
    connection->send(FrameKind::begun, "");
    return connection->flush();
  };
  if (!wants_events) return;
  request.on_event = [connection](std::string_view text) {
    connection->send(FrameKind::event, text);
  };
  request.on_stage = [connection](const Stage& stage) {
    connection->send(FrameKind::stage, stage_text(stage));
  };
}

asio::awaitable<void> send_outcome(Connection* connection, const Result<ExecuteResult>* outcome) {
  const Result<ExecuteResult>& result = *outcome;
  if (!result) co_return connection->send(FrameKind::failure, encode_error(result.error()));
  if (!result->picture.empty()) connection->send(FrameKind::picture, as_text(result->picture));
  const auto text = co_await adbproto::run_blocking_if(
      is_large(result), [&]() -> Result<std::string> { return encode_result(*result); });
  if (text) connection->send(FrameKind::result, *text);
}

bool was_cancelled(const Result<ExecuteResult>& result) {
  return !result && result.error().code() == errc::cancelled;
}

std::string lock_path(const std::string& path) { return path + ".lock"; }

// Nothing where another process has it.
base::FileHandle take_lock(const std::string& path) {
  base::FileHandle lock = base::open_lock_file(lock_path(path));
  if (lock.is_open() && base::try_lock(lock) != base::Locking::locked) lock.reset();
  return lock;
}

// For people who read the lock file, so best effort.
void sign_lock(const base::FileHandle& lock) {
  const std::string pid = std::to_string(::getpid()) + "\n";
  const bool emptied = ::ftruncate(lock.get(), 0) == 0;
  [[maybe_unused]] const bool signed_now =
      emptied && ::pwrite(lock.get(), pid.data(), pid.size(), 0) > 0;
}

// This process holds the lock, so a listener is no daemon of ours: it is systemd, which starts a
// daemon at the first connection. A name that a process left behind refuses the connection at once.
bool is_listened_at(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  const base::FileHandle caller(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const auto* at = reinterpret_cast<const sockaddr*>(&address);
  return ::connect(caller.get(), at, sizeof address) == 0 || errno == EAGAIN;
}

// A process that was killed leaves its socket behind; the lock went with it.
Result<adbproto::ListenerPtr> listen_anew(const asio::any_io_executor& executor,
                                          const std::string& path) {
  if (is_listened_at(path)) return fail(errc::io, "a service manager listens at " + path);
  ::unlink(path.c_str());
  TRY(auto listener, listen_unix(executor, path));
  ::chmod(path.c_str(), 0600);
  return listener;
}

// The path it is bound to.
std::string socket_name(const base::FileHandle& socket) {
  sockaddr_un address{};
  socklen_t size = sizeof address;
  if (::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0) return "";
  return {address.sun_path, ::strnlen(address.sun_path, sizeof address.sun_path)};
}

constexpr int kFirst = 3;  // SD_LISTEN_FDS_START

// -1 where it is no socket.
int option_of(int socket, int option) {
  int value = -1;
  socklen_t size = sizeof value;
  return ::getsockopt(socket, SOL_SOCKET, option, &value, &size) == 0 ? value : -1;
}

bool listens_as_unix_stream(int socket) {
  return option_of(socket, SO_DOMAIN) == AF_UNIX && option_of(socket, SO_TYPE) == SOCK_STREAM &&
         option_of(socket, SO_ACCEPTCONN) == 1;
}

}  // namespace

Result<std::string> socket_path() {
  TRY(const auto folders, runtime_folders());
  std::string path = (folders.main / "clawperator-daemon.sock").string();
  if (path.size() <= kMaxSocketPath) return path;
  return fail(errc::invalid_argument, "too long for a socket: " + path);
}

Result<std::optional<base::FileHandle>> take_passed_socket() {
  const auto pid = environment_variable("LISTEN_PID");
  const auto count = environment_variable("LISTEN_FDS");
  for (const char* name : {"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"}) ::unsetenv(name);
  const bool ours = pid && base::whole_number<pid_t>(*pid) == ::getpid();
  if (!ours || !count || *count == "0") return std::nullopt;
  if (*count != "1") {
    return fail(errc::serve_failed, "LISTEN_FDS is " + *count + ": the daemon takes one socket");
  }
  if (!listens_as_unix_stream(kFirst)) {
    return fail(errc::serve_failed,
                "LISTEN_FDS: descriptor 3 is no unix stream socket that listens");
  }
  ::fcntl(kFirst, F_SETFD, FD_CLOEXEC);
  return base::FileHandle(kFirst);
}

Result<bool> socket_is_free() {
  TRY(const std::string path, socket_path());
  return take_lock(path).is_open();
}

std::optional<std::int64_t> socket_holder() {
  const auto path = socket_path();
  if (!path || take_lock(*path).is_open()) return std::nullopt;
  const auto text = base::read_file(lock_path(*path), 64);
  return text ? base::whole_number<std::int64_t>(base::trimmed(*text)) : std::nullopt;
}

DaemonServer::DaemonServer(const asio::any_io_executor& executor, DaemonServerOptions options,
                           Place place)
    : options_(std::move(options)),
      place_(std::move(place)),
      accepting_(executor),
      connections_(executor) {}

Result<std::unique_ptr<DaemonServer>> DaemonServer::open(const asio::any_io_executor& executor,
                                                         DaemonServerOptions options) {
  TRY(const std::string path, socket_path());
  Place place{path, take_lock(path), !options.passed.is_open()};
  if (!place.lock.is_open()) return fail(errc::serve_failed, "another process answers at " + path);
  if (!place.made_here) place.path = socket_name(options.passed);
  auto listener = place.made_here ? listen_anew(executor, path)
                                  : listen_at(executor, std::move(options.passed));
  if (!listener) return fail(errc::serve_failed, listener.error().message());
  sign_lock(place.lock);
  std::unique_ptr<DaemonServer> server(
      new DaemonServer(executor, std::move(options), std::move(place)));
  server->accepting_.spawn(
      server->accept(std::make_shared<adbproto::ListenerPtr>(*std::move(listener))));
  return server;
}

DaemonServer::~DaemonServer() {
  if (place_.made_here) ::unlink(place_.path.c_str());
}

asio::awaitable<void> DaemonServer::accept(std::shared_ptr<adbproto::ListenerPtr> listener) {
  for (;;) {
    auto stream = co_await (*listener)->accept();
    if (!stream && stream.error().code() == errc::closed) co_return;
    if (!stream) {
      co_await sleep_for(kAfterFailedAccept);
    } else if (connections_.size() < kMaxConnections) {
      connections_.spawn(serve(*std::move(stream)));
    }
  }
}

asio::awaitable<void> DaemonServer::serve(ByteStreamPtr stream) {
  if (adbproto::peer_user(stream.get()) != ::getuid()) co_return;
  const base::Counted running(&running_);
  [[maybe_unused]] const auto answered = co_await answer(stream.get());
  last_use_ = Clock::now();
}

Task<void> DaemonServer::answer(ByteStream* stream) {
  FrameReader frames(kMaxRequest);
  CO_TRY(Frame frame,
         co_await with_deadline(read_frame(stream, &frames), kRequestLimit, "a request"));
  if (frame.kind == FrameKind::request) {
    co_return co_await run_execution(stream, &frames, std::move(frame.payload));
  }
  if (frame.kind != FrameKind::status && frame.kind != FrameKind::stop) {
    co_return fail(errc::protocol, "a frame without a request");
  }
  const std::string answer = encode_frame(FrameKind::result, status());
  CO_TRY_VOID(co_await with_deadline(stream->write_all(as_bytes(answer)), kRequestLimit, "status"));
  if (frame.kind == FrameKind::stop && options_.on_stop) options_.on_stop();
  co_return ok();
}

// Cancelled when the command sends `cancel` or disconnects.
Task<ExecuteResult> DaemonServer::carry_out(Connection* connection, DaemonRequest received) {
  using namespace base::parallel;
  connection->send(FrameKind::accepted, "");
  ++executions_;
  const Execution execution = received.request.execution;
  received.request.sessions = options_.sessions;
  forward_reports(received.request, connection, received.wants_events);
  std::optional<Result<ExecuteResult>> result;
  co_await (keep(execute(std::move(received.request), options_.log, supervised(options_.devices)),
                 &result) ||
            connection->read_until_cancel());
  // The outcome is reported also after a cancellation, so nothing below may be cancelled again.
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  if (!result) result.emplace(fail(errc::cancelled, "cancelled"));
  if (options_.on_done) co_await options_.on_done(&execution, &*result);
  co_return *std::move(result);
}

Task<void> DaemonServer::run_execution(ByteStream* stream, FrameReader* frames,
                                       std::string request) {
  const auto executor = co_await asio::this_coro::executor;
  auto received = decode_request(request);
  const bool fits = received && received->surface == options_.surface;
  const std::string misfit = received ? "its settings differ" : received.error().message();
  Connection connection(executor, stream, frames);
  adbproto::Scope writing(executor);
  writing.spawn(connection.write());
  std::optional<Result<ExecuteResult>> result;
  if (fits) result = co_await carry_out(&connection, *std::move(received));
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  // A command that still waits in line when the process ends runs by itself.
  if (result && stopping_ && !connection.has_begun() && was_cancelled(*result)) result.reset();
  if (result) {
    co_await send_outcome(&connection, &*result);
  } else {
    connection.send(FrameKind::declined, fits ? "the process ends" : misfit);
  }
  connection.finish();
  const auto sent = co_await run_within(writing.join(), kFarewellLimit, "the outcome");
  if (!sent) writing.cancel();
  co_await writing.join();
  co_return sent;
}

std::string devices_json(std::span<const DeviceRow> rows) {
  return list_json(rows, [](const DeviceRow& row) {
    return JsonObject()
        .text("serial", row.serial)
        .text("state", row.state.text())
        .text("transport", transport_name(row.transport));
  });
}

std::string DaemonServer::status() const {
  const auto up = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - started_);
  return JsonObject()
      .boolean("running", true)
      .number("pid", ::getpid())
      .text("version", options_.surface.version)
      .text("socket", place_.path)
      .number("uptimeMs", up.count())
      .number("executions", static_cast<std::int64_t>(executions_))
      .number("inFlight", static_cast<std::int64_t>(options_.sessions->in_flight()))
      .json("devices", devices_json(options_.devices->rows()))
      .str();
}

asio::awaitable<void> DaemonServer::stop() {
  stopping_ = true;
  accepting_.cancel();
  co_await accepting_.join();
  [[maybe_unused]] const auto late =
      co_await run_within(connections_.join(), kDrainLimit, "the executions in flight");
  connections_.cancel();
  co_await connections_.join();
}

asio::awaitable<void> DaemonServer::wait_for_idleness(std::chrono::milliseconds limit) {
  for (;;) {
    const auto idle = running_ != 0 ? Clock::duration::zero() : Clock::now() - last_use_;
    if (idle >= limit) co_return;
    co_await sleep_for(limit - idle);
  }
}

namespace {

asio::awaitable<void> until_idle(DaemonServer* server,
                                 std::optional<std::chrono::milliseconds> limit) {
  if (limit) {
    co_await server->wait_for_idleness(*limit);
  } else {
    for (;;) co_await sleep_for(std::chrono::hours(1));
  }
}

Task<void> answer_commands(Supervisor* devices, DaemonOptions* options) {
  using namespace base::parallel;
  const auto executor = co_await asio::this_coro::executor;
  DeviceSessions sessions(executor, supervised(devices));
  adbproto::Signal stop(executor);
  CO_TRY(const auto server, DaemonServer::open(executor, {.surface = options->surface,
                                                          .devices = devices,
                                                          .sessions = &sessions,
                                                          .log = options->log,
                                                          .on_stop = [&stop] { stop.notify_all(); },
                                                          .passed = std::move(options->passed)}));
  if (options->on_listening) options->on_listening();
  // Cancelled, one of the two ends without an exception.
  co_await (stop.wait() || until_idle(server.get(), options->idle_limit));
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  sessions.lines().close();
  co_await server->stop();
  co_await sessions.stop();
  co_return ok();
}

}  // namespace

Task<void> run_daemon(DaemonOptions options) {
  const SupervisorOptions supervised{.target = options.target};
  DaemonOptions* lasting = &options;
  std::function<Task<void>(Supervisor*)> work = [lasting](Supervisor* devices) {
    return answer_commands(devices, lasting);
  };
  co_return co_await with_supervisor<void>(supervised, std::move(work));
}

}  // namespace clawperator::daemon
