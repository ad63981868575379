#pragma once
// The unix socket through which the commands of the same user run in this process, whose devices
// are already connected.
//
// One connection is one execution. A command that ends, or sends `cancel`, cancels it. The command
// itself writes its files. Only the socket's owner is answered.

#include "adbproto/link/socket_stream.hpp"
#include "base/async/scope.hpp"
#include "base/async/signal.hpp"
#include "base/file_handle.hpp"
#include "runtime/daemon/messages.hpp"
#include "runtime/device/supervisor/supervisor.hpp"
#include "runtime/engine/device_session.hpp"

namespace clawperator::daemon {

// In the runtime folder; invalid_argument where its path is too long for a socket.
Result<std::string> socket_path();

// Whether no process has the socket; and the pid of the process that has it, if its lock file has
// one.
Result<bool> socket_is_free();
std::optional<std::int64_t> socket_holder();

// A listening socket that the service manager passed to this process, as systemd's socket units do
// (sd_listen_fds(3)): LISTEN_PID is this process, LISTEN_FDS counts descriptors from 3 on. Call it
// once, before there are threads: it removes the variables, so that no child takes them for its
// own. nullopt: no socket was passed to this process. serve_failed where it is not one listening
// unix stream socket.
Result<std::optional<base::FileHandle>> take_passed_socket();

// [{"serial","state","transport"}], one a way to reach one.
std::string devices_json(std::span<const DeviceRow> rows);

struct DaemonServerOptions {
  Surface surface;
  Supervisor* devices = nullptr;
  DeviceSessions* sessions = nullptr;
  EventLog* log = nullptr;
  std::function<void()> on_stop;  // a client has requested the end of the process
  // Called after each execution, and awaited before the command gets its answer; the pointers live
  // until then.
  std::function<asio::awaitable<void>(const Execution*, const Result<ExecuteResult>*)> on_done{};
  // A listening socket of the service manager: see take_passed_socket.
  base::FileHandle passed{};
};

// The limit of the work in flight when the process ends: the longest execution, the wait for its
// result, and pictures before and after it.
inline constexpr std::chrono::milliseconds kDrainLimit{165000};

class DaemonServer {
 public:
  // Fails with serve_failed where another process has the socket, or a service manager listens at
  // it and starts a daemon at the first connection.
  static Result<std::unique_ptr<DaemonServer>> open(const asio::any_io_executor& executor,
                                                    DaemonServerOptions options);
  ~DaemonServer();
  DaemonServer(const DaemonServer&) = delete;
  DaemonServer& operator=(const DaemonServer&) = delete;

  // Accepts nothing more and lets the executions in flight end, which takes kDrainLimit at most.
  asio::awaitable<void> stop();
  // Ends after that long without a connection.
  asio::awaitable<void> wait_for_idleness(std::chrono::milliseconds limit);

 private:
  struct Place {
    std::string path;
    base::FileHandle lock;  // its holder owns the socket's name
    bool made_here = true;
  };
  DaemonServer(const asio::any_io_executor& executor, DaemonServerOptions options, Place place);
  asio::awaitable<void> accept(std::shared_ptr<ListenerPtr> listener);
  asio::awaitable<void> serve(ByteStreamPtr stream);
  Task<void> answer(ByteStream* stream);
  Task<ExecuteResult> carry_out(class Connection* connection, DaemonRequest received);
  Task<void> run_execution(ByteStream* stream, class FrameReader* frames, std::string request);
  [[nodiscard]] std::string status() const;

  DaemonServerOptions options_;
  Place place_;
  adbproto::Scope accepting_;
  adbproto::Scope connections_;
  bool stopping_ = false;
  std::size_t running_ = 0;
  std::uint64_t executions_ = 0;
  adbproto::Clock::time_point started_ = adbproto::Clock::now();
  adbproto::Clock::time_point last_use_ = adbproto::Clock::now();
};

// The process behind the socket keeps devices connected for commands.
struct DaemonOptions {
  TargetOptions target;  // which adb server, which transport
  Surface surface;
  EventLog* log = nullptr;  // must outlive the task
  std::optional<std::chrono::milliseconds> idle_limit;
  base::FileHandle passed;  // see DaemonServerOptions
  std::function<void()> on_listening;
};

// Runs until it is cancelled, a client requests its end, or it was idle for too long. Then it lets
// the executions in flight end. Fails with serve_failed where another process already has the
// socket.
Task<void> run_daemon(DaemonOptions options);

}  // namespace clawperator::daemon
