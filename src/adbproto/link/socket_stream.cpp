#include "adbproto/link/socket_stream.hpp"

#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <asio/basic_socket_acceptor.hpp>
#include <asio/generic/stream_protocol.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/local/stream_protocol.hpp>
#include <expected>

#include "base/async/first_success.hpp"
#include "base/async/name_lookup.hpp"

namespace adbproto {
namespace {

using Socket = asio::generic::stream_protocol::socket;
using Endpoint = asio::generic::stream_protocol::endpoint;
using asio::ip::tcp;

// Also the time for one address of a name before the next one is tried (RFC 8305).
constexpr auto kHeadStart = std::chrono::milliseconds(250);

// An option that the system lacks is skipped.
void set_tcp_option(Socket& socket, int option, int value = 1) {
  ::setsockopt(socket.native_handle(), IPPROTO_TCP, option, &value, sizeof value);
}

// After 15 s of silence the system probes the peer, every 5 s; three unanswered probes end the
// link.
void watch_idle_link(Socket& socket) {
  const int on = 1;
  ::setsockopt(socket.native_handle(), SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  set_tcp_option(socket, TCP_KEEPIDLE, 15);
  set_tcp_option(socket, TCP_KEEPINTVL, 5);
  set_tcp_option(socket, TCP_KEEPCNT, 3);
}

constexpr std::array<std::byte, 12> kIpv4Start{
    {{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, std::byte{0xff}, std::byte{0xff}}};

// The result of getsockname or getpeername for a TCP socket.
std::optional<TcpEnd> end_at(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET) {
    const auto& four = reinterpret_cast<const sockaddr_in&>(address);
    return tcp_end(std::as_bytes(std::span(&four.sin_addr, 1)), ntohs(four.sin_port));
  }
  if (address.ss_family != AF_INET6) return std::nullopt;
  const auto& six = reinterpret_cast<const sockaddr_in6&>(address);
  return tcp_end(std::as_bytes(std::span(&six.sin6_addr, 1)), ntohs(six.sin6_port));
}

class SocketStream final : public ByteStream {
 public:
  SocketStream(Socket socket, bool is_tcp) : socket_(std::move(socket)), is_tcp_(is_tcp) {
    if (!is_tcp_) return;
    set_tcp_option(socket_, TCP_NODELAY);
    set_tcp_option(socket_, TCP_QUICKACK);
    watch_idle_link(socket_);
  }

  [[nodiscard]] std::optional<uid_t> peer_user() const {
    ucred peer{};
    socklen_t size = sizeof peer;
    auto& socket = const_cast<Socket&>(socket_);
    const bool is_known = !is_tcp_ && ::getsockopt(socket.native_handle(), SOL_SOCKET, SO_PEERCRED,
                                                   &peer, &size) == 0;
    return is_known ? std::optional(peer.uid) : std::nullopt;
  }

  [[nodiscard]] std::optional<TcpEnds> established_ends() const {
    const int socket = const_cast<Socket&>(socket_).native_handle();
    tcp_info info{};
    socklen_t size = sizeof info;
    const bool is_established = is_tcp_ &&
                                ::getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) == 0 &&
                                info.tcpi_state == TCP_ESTABLISHED;
    if (!is_established) return std::nullopt;
    sockaddr_storage ours{}, theirs{};
    socklen_t ours_size = sizeof ours, theirs_size = sizeof theirs;
    if (::getsockname(socket, reinterpret_cast<sockaddr*>(&ours), &ours_size) != 0 ||
        ::getpeername(socket, reinterpret_cast<sockaddr*>(&theirs), &theirs_size) != 0) {
      return std::nullopt;
    }
    const auto our_end = end_at(ours), their_end = end_at(theirs);
    if (!our_end || !their_end) return std::nullopt;
    return TcpEnds{.theirs = *their_end, .ours = *our_end};
  }

  Task<std::size_t> read_some(std::span<std::byte> into) override {
    const auto [error, size] =
        co_await socket_.async_read_some(asio::buffer(into.data(), into.size()), kNoThrow);
    if (error) co_return std::unexpected(failure(error, "read"));
    if (is_tcp_) set_tcp_option(socket_, TCP_QUICKACK);
    co_return size;
  }

  Task<void> write_all(ByteView bytes) override {
    const auto taken = write_at_once(bytes);
    if (!taken) co_return std::unexpected(failure(taken.error(), "write"));
    bytes = bytes.subspan(*taken);
    // asio::async_write would split it into pieces of 64 KiB and check for events between them.
    while (!bytes.empty()) {
      const auto [error, size] =
          co_await socket_.async_write_some(asio::buffer(bytes.data(), bytes.size()), kNoThrow);
      if (error) co_return std::unexpected(failure(error, "write"));
      written_ += size;
      bytes = bytes.subspan(size);
    }
    co_return ok();
  }

  // Counts bytes that have left: the system may hold bytes for a while, but bytes that the peer has
  // acknowledged are sent.
  [[nodiscard]] std::uint64_t sent() override {
    int waiting = 0;
    if (is_tcp_) ::ioctl(socket_.native_handle(), SIOCOUTQ, &waiting);
    return written_ - std::min(written_, static_cast<std::uint64_t>(waiting));
  }

  void close() override {
    asio::error_code ignored;
    socket_.close(ignored);
  }

  // Unacknowledged bytes end the link after 30 s. A peer that only pauses its reading is affected,
  // too, so this is for links that are always read.
  void limit_silence() { set_tcp_option(socket_, TCP_USER_TIMEOUT, 30'000); }

  bool peer_has_ended() {
    char next = 0;
    const ssize_t size =
        ::recv(socket_.native_handle(), &next, sizeof next, MSG_PEEK | MSG_DONTWAIT);
    return size == 0 || (size < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
  }

  // Like asio's own write, but without a return to the loop; now and then the loop gets a turn.
  std::expected<std::size_t, asio::error_code> write_at_once(ByteView bytes) {
    constexpr std::size_t kInARow = 1 << 20;
    if (bytes.empty() || !socket_.is_open()) return 0;
    if (in_a_row_ >= kInARow) {
      in_a_row_ = 0;
      return 0;
    }
    const ssize_t size =
        ::send(socket_.native_handle(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)) return 0;
    if (size < 0) return std::unexpected(asio::error_code(errno, asio::system_category()));
    written_ += static_cast<std::size_t>(size);
    in_a_row_ += static_cast<std::size_t>(size);
    return static_cast<std::size_t>(size);
  }

  void finish(asio::socket_base::shutdown_type ways) {
    asio::error_code ignored;
    socket_.shutdown(ways, ignored);
  }

 private:
  [[nodiscard]] Error failure(const asio::error_code& error, const char* verb) const {
    if (error == asio::error::eof || !socket_.is_open()) return {errc::closed, "connection closed"};
    if (error == asio::error::operation_aborted) return {errc::cancelled, "cancelled"};
    return {errc::io, std::string("cannot ") + verb + ": " + error.message()};
  }

  Socket socket_;
  bool is_tcp_;
  std::uint64_t written_ = 0;
  std::size_t in_a_row_ = 0;  // writes since the loop's last turn
};

Task<Dialled> connect_endpoint(Endpoint endpoint, bool is_tcp, std::string name) {
  Socket socket(co_await asio::this_coro::executor);
  const auto began = Clock::now();
  const auto [error] = co_await socket.async_connect(endpoint, kNoThrow);
  if (error == asio::error::operation_aborted) co_return fail(errc::cancelled, "cancelled");
  if (error) {
    const Errc code = error == std::errc::too_many_files_open ? Errc(errc::limit) : errc::io;
    co_return std::unexpected(
        Error(code, "cannot connect to " + name + ": " + error.message(), {}, error.value()));
  }
  const auto took = base::micros_since(began);
  co_return Dialled{std::make_unique<SocketStream>(std::move(socket), is_tcp), took};
}

template <class Protocol>
class SocketListener final : public Listener {
 public:
  explicit SocketListener(typename Protocol::acceptor acceptor) : acceptor_(std::move(acceptor)) {}

  Task<ByteStreamPtr> accept() override {
    auto [error, socket] = co_await acceptor_.async_accept(kNoThrow);
    if (error && !acceptor_.is_open()) co_return fail(errc::closed, "listener closed");
    if (error) co_return fail(errc::io, "cannot accept: " + error.message());
    co_return std::make_unique<SocketStream>(Socket(std::move(socket)), kIsTcp);
  }

  [[nodiscard]] std::uint16_t port() const override {
    if constexpr (kIsTcp) {
      asio::error_code ignored;
      return acceptor_.local_endpoint(ignored).port();
    }
    return 0;
  }

  void close() override {
    asio::error_code ignored;
    acceptor_.close(ignored);
  }

 private:
  static constexpr bool kIsTcp = std::is_same_v<Protocol, tcp>;
  typename Protocol::acceptor acceptor_;
};

template <class Protocol>
Result<ListenerPtr> listen_on(const asio::any_io_executor& executor,
                              const typename Protocol::endpoint& endpoint,
                              const std::string& name) {
  typename Protocol::acceptor acceptor(executor);
  asio::error_code error;
  acceptor.open(endpoint.protocol(), error);
  if (!error && std::is_same_v<Protocol, tcp>) {
    acceptor.set_option(asio::socket_base::reuse_address(true), error);
  }
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) return fail(errc::io, "cannot listen on " + name + ": " + error.message());
  return std::make_unique<SocketListener<Protocol>>(std::move(acceptor));
}

Task<Dialled> look_up_and_connect(std::string host, std::uint16_t port) {
  const std::string name = host + ":" + std::to_string(port);
  asio::error_code not_literal;
  const auto address =
      asio::ip::make_address(host == "localhost" ? "127.0.0.1" : host, not_literal);
  if (!not_literal) co_return co_await connect_endpoint(tcp::endpoint(address, port), true, name);

  // Asio's own resolver cannot be cancelled and would delay the end of the loop.
  CO_TRY(const auto found, co_await look_up_name(std::move(host)));
  std::vector<Task<Dialled>> ways;
  ways.reserve(found.size());
  for (const auto& each : found) {
    ways.push_back(connect_endpoint(tcp::endpoint(each, port), true, name));
  }
  co_return co_await first_success(std::move(ways), kHeadStart);
}

}  // namespace

bool TcpEnd::is_ipv4() const {
  return std::ranges::equal(std::span(address).first<kIpv4Start.size()>(), kIpv4Start);
}

TcpEnd tcp_end(ByteView address, std::uint16_t port) {
  TcpEnd end{.port = port};
  if (address.size() == 4) std::ranges::copy(kIpv4Start, end.address.begin());
  std::ranges::copy_backward(address, end.address.end());
  return end;
}

std::optional<TcpEnds> established_ends(const ByteStream* stream) {
  const auto* socket = dynamic_cast<const SocketStream*>(stream);
  return socket ? socket->established_ends() : std::nullopt;
}

std::optional<uid_t> peer_user(const ByteStream* stream) {
  const auto* socket = dynamic_cast<const SocketStream*>(stream);
  return socket ? socket->peer_user() : std::nullopt;
}

bool peer_has_ended(ByteStream* stream) {
  auto* socket = dynamic_cast<SocketStream*>(stream);
  return socket && socket->peer_has_ended();
}

std::size_t write_at_once(ByteStream* stream, ByteView bytes) {
  auto* socket = dynamic_cast<SocketStream*>(stream);
  return socket ? socket->write_at_once(bytes).value_or(0) : 0;
}

void finish_writing(ByteStream* stream) {
  auto* socket = dynamic_cast<SocketStream*>(stream);
  if (socket) socket->finish(asio::socket_base::shutdown_send);
}

void hang_up(ByteStream* stream) {
  auto* socket = dynamic_cast<SocketStream*>(stream);
  if (socket) socket->finish(asio::socket_base::shutdown_both);
}

Task<Dialled> dial_tcp(std::string host, std::uint16_t port) {
  CO_TRY(auto dialled, co_await look_up_and_connect(std::move(host), port));
  static_cast<SocketStream&>(*dialled.stream).limit_silence();
  co_return dialled;
}

Task<ByteStreamPtr> connect_tcp(std::string host, std::uint16_t port) {
  CO_TRY(auto dialled, co_await look_up_and_connect(std::move(host), port));
  co_return std::move(dialled.stream);
}

Task<ByteStreamPtr> connect_unix(std::string path) {
  if (path.size() >= sizeof(sockaddr_un::sun_path)) {
    co_return fail(errc::invalid_argument, "socket path is too long: " + path);
  }
  const asio::local::stream_protocol::endpoint endpoint(path);
  CO_TRY(auto dialled, co_await connect_endpoint(endpoint, false, path));
  co_return std::move(dialled.stream);
}

Result<ListenerPtr> listen_tcp(const asio::any_io_executor& executor, const std::string& host,
                               std::uint16_t port) {
  asio::error_code error;
  const auto address = asio::ip::make_address(host, error);
  if (error) return fail(errc::invalid_argument, "not an address: " + host);
  return listen_on<tcp>(executor, tcp::endpoint(address, port), host + ":" + std::to_string(port));
}

Result<ListenerPtr> listen_unix(const asio::any_io_executor& executor, const std::string& path) {
  if (path.size() >= sizeof(sockaddr_un::sun_path)) {
    return fail(errc::invalid_argument, "socket path is too long: " + path);
  }
  return listen_on<asio::local::stream_protocol>(
      executor, asio::local::stream_protocol::endpoint(path), path);
}

Result<ListenerPtr> listen_at(const asio::any_io_executor& executor, base::FileHandle socket) {
  using Protocol = asio::local::stream_protocol;
  Protocol::acceptor acceptor(executor);
  asio::error_code error;
  acceptor.assign(Protocol(), socket.get(), error);
  if (error) return fail(errc::io, "cannot listen: " + error.message());
  socket.release();
  return std::make_unique<SocketListener<Protocol>>(std::move(acceptor));
}

}  // namespace adbproto
