#include "adbproto/client/forward.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>

#include "adbproto/client/transport_connection.hpp"
#include "adbproto/link/socket_stream.hpp"
#include "adbproto/wire/errc.hpp"
#include "adbproto/wire/services.hpp"
#include "adbproto/wire/smart_socket.hpp"
#include "base/async/scope.hpp"
#include "base/async/signal.hpp"

namespace adbproto {
namespace {

constexpr std::size_t kChunk = 65536;
// Each has two chunks, 32 MiB in all, and two descriptors of the usual 1024.
constexpr std::size_t kMaxConnections = 256;
// The client has half-closed its side and still reads; this outlasts a round trip over Wi-Fi.
constexpr auto kSilence = std::chrono::milliseconds(200);
// A client reads the rest within this time; a slower one must not hold the connection.
constexpr auto kDrain = std::chrono::seconds(1);
// Both ends answer within milliseconds; the adb server's limit for a connect is 10 s, too.
constexpr auto kLimit = std::chrono::seconds(10);
constexpr auto kReverseKillLimit = std::chrono::seconds(1);  // a person waits for it after Ctrl-C
constexpr auto kPause = std::chrono::milliseconds(20);       // for example without free descriptors

// Written by the two coroutines of one connection.
struct Joint {
  Joint(const asio::any_io_executor& executor, ByteStreamPtr host_end, ByteStreamPtr device_end)
      : host(std::move(host_end)), device(std::move(device_end)), host_ended(executor) {}

  ByteStreamPtr host;
  ByteStreamPtr device;
  std::uint64_t received = 0;  // from the device
  bool device_done = false;
  bool host_done = false;
  Signal host_ended;
};

asio::awaitable<void> wait_for_silence(Joint* joint) {
  for (auto seen = joint->received;; seen = joint->received) {
    co_await sleep_for(kSilence);
    if (joint->device_done || joint->received == seen) co_return;
  }
}

// After the device's end the client's further bytes are read and dropped: closing a socket with
// unread bytes would discard what the client has not read yet.
asio::awaitable<void> host_to_device(Joint* joint) {
  std::vector<std::byte> chunk(kChunk);
  for (;;) {
    const auto size = co_await joint->host->read_some(chunk);
    if (!size) {
      const bool orderly = size.error().code() == errc::closed;
      if (orderly && !joint->device_done) co_await wait_for_silence(joint);
      break;
    }
    if (joint->device_done) continue;
    if (!co_await joint->device->write_all(ByteView(chunk).first(*size))) break;
  }
  joint->device->close();
  joint->host_done = true;
  joint->host_ended.notify_all();
}

asio::awaitable<void> device_to_host(Joint* joint) {
  using namespace base::parallel;
  std::vector<std::byte> chunk(kChunk);
  for (;;) {
    const auto size = co_await joint->device->read_some(chunk);
    if (!size) break;
    joint->received += *size;
    if (!co_await joint->host->write_all(ByteView(chunk).first(*size))) break;
  }
  joint->device_done = true;
  finish_writing(joint->host.get());
  joint->device->close();
  if (!joint->host_done) co_await (joint->host_ended.wait() || sleep_for(kDrain));
  joint->host->close();
}

bool is_socket(const struct stat& file) { return S_ISSOCK(file.st_mode); }

// Returns 0 when a listener accepts, ECONNREFUSED when the socket has none.
int knock(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return ENAMETOOLONG;
  std::ranges::copy(path, address.sun_path);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (socket < 0) return errno;
  const int connected =
      ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  const int why = connected == 0 ? 0 : errno;
  ::close(socket);
  return why;
}

// Listens like listen_unix; io "Address already in use" if a listener accepts. The file of a dead
// listener is replaced. Any other file stays, also one that has replaced ours by the end.
Result<ListenerPtr> listen_on_file(const asio::any_io_executor& executor, const std::string& path) {
  auto listener = listen_unix(executor, path);
  struct stat found{};
  if (listener || ::lstat(path.c_str(), &found) != 0 || !is_socket(found)) return listener;
  const int why = knock(path);
  const bool is_full = why == EAGAIN;  // the listener's queue is full
  if (why == 0 || is_full) return fail(errc::io, std::strerror(EADDRINUSE));
  if (why != ECONNREFUSED) return listener;
  ::unlink(path.c_str());
  return listen_unix(executor, path);
}

// Removes the socket file at the end, if it is still the file from the beginning. Destroy it before
// the listener: until the listener is closed, no other file can have this inode.
class SocketFile {
 public:
  explicit SocketFile(std::string path) : path_(std::move(path)) {
    if (::lstat(path_.c_str(), &ours_) != 0) ours_ = {};
  }
  ~SocketFile() {
    struct stat found{};
    if (!is_socket(ours_) || ::lstat(path_.c_str(), &found) != 0) return;
    if (found.st_dev == ours_.st_dev && found.st_ino == ours_.st_ino) ::unlink(path_.c_str());
  }
  SocketFile(const SocketFile&) = delete;
  SocketFile& operator=(const SocketFile&) = delete;

 private:
  std::string path_;
  struct stat ours_{};
};

// adb's own rule: it listens on no other address of this computer.
bool adb_listens_on(const std::string& host) {
  return host.empty() || host == "localhost" || host == "127.0.0.1" || host == "::1";
}

Result<ListenerPtr> listen_on(const asio::any_io_executor& executor, const SocketSpec& spec) {
  if (spec.kind == SocketSpec::Kind::tcp) {
    if (!adb_listens_on(spec.host)) {
      return fail(errc::invalid_argument, "listening on specified hostname currently unsupported");
    }
    return listen_tcp(executor, spec.host == "::1" ? "::1" : "127.0.0.1", spec.port);
  }
  return listen_on_file(executor, spec.path);
}

Task<ByteStreamPtr> connect_to(SocketSpec spec) {
  if (spec.kind == SocketSpec::Kind::local) return connect_unix(std::move(spec.path));
  return connect_tcp(spec.host.empty() ? "localhost" : std::move(spec.host), spec.port);
}

// The connections of one forward end with it.
class Connections {
 public:
  explicit Connections(const asio::any_io_executor& executor) : scope_(executor) {}
  ~Connections() { scope_.cancel(); }
  Connections(const Connections&) = delete;
  Connections& operator=(const Connections&) = delete;

  [[nodiscard]] bool are_too_many() const { return scope_.size() >= kMaxConnections; }
  void spawn(asio::awaitable<void> connection) { scope_.spawn(std::move(connection)); }

 private:
  Scope scope_;
};

asio::awaitable<void> forward_one(Device* device, std::string service, ByteStreamPtr host) {
  auto stream = co_await device->open(std::move(service));
  if (!stream) co_return;
  co_await join_streams(std::move(host), *std::move(stream));
}

class ListeningForward final : public Forward {
 public:
  ListeningForward(const asio::any_io_executor& executor, Device* device, ListenerPtr listener,
                   std::string device_spec, std::string path)
      : device_(device),
        listener_(std::move(listener)),
        device_spec_(std::move(device_spec)),
        file_(std::move(path)),
        connections_(executor) {}

  [[nodiscard]] std::uint16_t port() const override { return listener_->port(); }

  Task<void> serve() override {
    using namespace base::parallel;
    auto ended = co_await (accept_all() || device_->wait_lost());
    if (ended.index() == 0) co_return std::get<0>(std::move(ended));
    co_return fail(errc::link_lost, "device '" + device_->serial() + "' is gone");
  }

 private:
  // Further clients wait in the listener's queue.
  Task<void> accept_all() {
    for (;;) {
      while (connections_.are_too_many()) co_await sleep_for(kPause);
      auto stream = co_await listener_->accept();
      if (stream) {
        connections_.spawn(forward_one(device_, device_spec_, *std::move(stream)));
      } else if (stream.error().code() == errc::io) {
        co_await sleep_for(kPause);
      } else {
        co_return std::unexpected(stream.error());
      }
    }
  }

  Device* device_;
  ListenerPtr listener_;
  std::string device_spec_;
  SocketFile file_;
  Connections connections_;
};

asio::awaitable<void> answer_one(std::unique_ptr<IncomingStream> incoming, SocketSpec spec) {
  auto host = co_await with_deadline(connect_to(std::move(spec)), kLimit, "connecting");
  if (!host) {
    incoming->refuse();
    co_return;
  }
  auto device = incoming->accept();
  co_await join_streams(*std::move(host), std::move(device));
}

Task<Bytes> read_to_end(ByteStream* stream) {
  Bytes all;
  std::array<std::byte, 4096> chunk;
  for (;;) {
    const auto size = co_await stream->read_some(chunk);
    if (!size && size.error().code() == errc::closed) co_return all;
    if (!size) co_return std::unexpected(size.error());
    append(all, ByteView(chunk).first(*size));
    if (all.size() > 2 * kMaxSmartFrame) co_return fail(errc::limit, "answer is too long");
  }
}

Task<std::string> run_reverse(Device* device, std::string service) {
  CO_TRY(auto stream, co_await device->open(std::move(service)));
  CO_TRY(const Bytes reply, co_await read_to_end(stream.get()));
  co_return parse_reverse_reply(reply);
}

class ListeningReverse final : public Reverse {
 public:
  ListeningReverse(const asio::any_io_executor& executor, Device* device, std::string device_spec,
                   std::string host_spec, SocketSpec spec)
      : device_(device),
        device_spec_(std::move(device_spec)),
        host_spec_(std::move(host_spec)),
        spec_(std::move(spec)),
        connections_(executor) {}

  ~ListeningReverse() override { [[maybe_unused]] const auto stopped = device_->on_incoming({}); }
  ListeningReverse(const ListeningReverse&) = delete;
  ListeningReverse& operator=(const ListeningReverse&) = delete;

  Task<void> begin(std::string service) {
    if (auto taken = device_->on_incoming(
            [this](std::unique_ptr<IncomingStream> stream) { take(std::move(stream)); });
        !taken) {
      co_return taken;
    }
    CO_TRY(port_, co_await query_reverse(device_, std::move(service)));
    co_return ok();
  }

  [[nodiscard]] const std::string& port() const override { return port_; }

  // When stopped, it removes the device's listener, which may outlive our connection.
  Task<void> serve() override {
    std::exception_ptr stopped;
    try {
      co_await device_->wait_lost();
    } catch (...) {
      stopped = std::current_exception();
    }
    const auto state = co_await asio::this_coro::cancellation_state;
    if (!stopped && state.cancelled() == asio::cancellation_type::none) {
      co_return fail(errc::link_lost, "device '" + device_->serial() + "' is gone");
    }
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    const std::string spec = port_.empty() ? device_spec_ : "tcp:" + port_;
    co_await with_deadline(run_reverse(device_, reverse_kill(spec)), kReverseKillLimit,
                           "removing the listener");
    if (stopped) std::rethrow_exception(stopped);
    co_return fail(errc::cancelled, "cancelled");
  }

 private:
  // A device may request any port; it always gets the user's target.
  void take(std::unique_ptr<IncomingStream> stream) {
    std::string_view wanted = stream->service();
    wanted = wanted.substr(0, wanted.find('\0'));
    if (wanted != host_spec_ || connections_.are_too_many()) return stream->refuse();
    connections_.spawn(answer_one(std::move(stream), spec_));
  }

  Device* device_;
  std::string device_spec_;
  std::string host_spec_;
  SocketSpec spec_;
  std::string port_;
  Connections connections_;
};

}  // namespace

asio::awaitable<void> join_streams(ByteStreamPtr host, ByteStreamPtr device) {
  using namespace base::parallel;
  Joint joint(co_await asio::this_coro::executor, std::move(host), std::move(device));
  co_await (host_to_device(&joint) && device_to_host(&joint));
}

Result<std::unique_ptr<Forward>> Forward::listen(const asio::any_io_executor& executor,
                                                 Device* device, const std::string& host_spec,
                                                 std::string device_spec) {
  TRY(SocketSpec spec, parse_socket_spec(host_spec));
  TRY(auto listener, listen_on(executor, spec));
  return std::make_unique<ListeningForward>(executor, device, std::move(listener),
                                            std::move(device_spec), std::move(spec.path));
}

Task<std::unique_ptr<Reverse>> Reverse::start(Device* device, std::string device_spec,
                                              std::string host_spec, Rebind rebind) {
  CO_TRY(SocketSpec spec, parse_socket_spec(host_spec));
  std::string service = reverse_forward(device_spec, host_spec, rebind);
  auto reverse = std::make_unique<ListeningReverse>(co_await asio::this_coro::executor, device,
                                                    std::move(device_spec), std::move(host_spec),
                                                    std::move(spec));
  CO_TRY_VOID(co_await reverse->begin(std::move(service)));
  co_return reverse;
}

Task<std::string> query_reverse(Device* device, std::string service) {
  const std::string what = "the device's answer to " + service;
  co_return co_await with_deadline(run_reverse(device, std::move(service)), kLimit, what);
}

Result<std::string> parse_reverse_reply(ByteView bytes) {
  const bool is_status = as_text(bytes).starts_with("OKAY") || as_text(bytes).starts_with("FAIL");
  if (is_status) {
    StatusReader status;
    status.feed(bytes);
    TRY(const auto okay, status.next());
    if (!okay) return fail(errc::protocol, "device broke off its answer");
    if (bytes.size() == 4) return std::string();
    bytes = bytes.subspan(4);
  }
  BlockReader block;
  block.feed(bytes);
  TRY(auto text, block.next());
  if (!text) return fail(errc::protocol, "device broke off its answer");
  return *std::move(text);
}

}  // namespace adbproto
