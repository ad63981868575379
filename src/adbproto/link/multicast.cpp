#include "adbproto/link/multicast.hpp"

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <asio/ip/multicast.hpp>
#include <asio/ip/udp.hpp>
#include <utility>
#include <vector>

namespace adbproto {
namespace {

using asio::ip::address_v4;
using asio::ip::udp;
using Interfaces = std::vector<address_v4>;

constexpr std::size_t kMaxDatagram = 65536;

bool is_suitable(const ifaddrs& entry) {
  constexpr unsigned kNeeded = IFF_UP | IFF_MULTICAST;
  return entry.ifa_addr && entry.ifa_addr->sa_family == AF_INET &&
         (entry.ifa_flags & kNeeded) == kNeeded && !(entry.ifa_flags & IFF_LOOPBACK);
}

// The IPv4 address of every interface that can carry a group's traffic.
Interfaces suitable_interfaces() {
  Interfaces found;
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) != 0) return found;
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owned(list, ::freeifaddrs);
  for (const ifaddrs* entry = list; entry; entry = entry->ifa_next) {
    if (!is_suitable(*entry)) continue;
    const auto* address = reinterpret_cast<const sockaddr_in*>(entry->ifa_addr);
    found.emplace_back(ntohl(address->sin_addr.s_addr));
  }
  return found;
}

class UdpMulticast final : public MulticastSocket {
 public:
  UdpMulticast(udp::socket socket, udp::endpoint group, Interfaces fixed)
      : socket_(std::move(socket)), group_(std::move(group)), fixed_(std::move(fixed)) {
    asio::error_code ignored;
    socket_.set_option(asio::ip::multicast::hops(255), ignored);
    socket_.set_option(asio::ip::multicast::enable_loopback(true), ignored);
    join_new(current_interfaces());
  }

  Task<Datagram> receive() override {
    udp::endpoint from;
    const auto [error, size] =
        co_await socket_.async_receive_from(asio::buffer(buffer_), from, kNoThrow);
    if (!socket_.is_open()) co_return fail(Errc::closed, "multicast socket closed");
    if (error == asio::error::operation_aborted) co_return fail(Errc::cancelled, "cancelled");
    if (error) co_return fail(Errc::io, "cannot receive: " + error.message());
    const auto end = buffer_.begin() + static_cast<std::ptrdiff_t>(size);
    co_return Datagram{Bytes(buffer_.begin(), end), from.address().to_string(), from.port()};
  }

  Task<void> send(ByteView bytes) override {
    const Interfaces interfaces = current_interfaces();
    join_new(interfaces);
    Error last(Errc::io, "no network interface can carry multicast");
    bool sent = false;
    for (const address_v4& interface : interfaces) {
      asio::error_code error;
      socket_.set_option(asio::ip::multicast::outbound_interface(interface), error);
      if (!error) socket_.send_to(asio::buffer(bytes.data(), bytes.size()), group_, 0, error);
      if (error) last = Error(Errc::io, "cannot send: " + error.message());
      sent |= !error;
    }
    if (!sent) co_return std::unexpected(std::move(last));
    co_return ok();
  }

  Task<void> send_to(ByteView bytes, std::string address, std::uint16_t port) override {
    asio::error_code error;
    const udp::endpoint to(asio::ip::make_address(address, error), port);
    if (!error) socket_.send_to(asio::buffer(bytes.data(), bytes.size()), to, 0, error);
    if (error) co_return fail(Errc::io, "cannot send to " + address + ": " + error.message());
    co_return ok();
  }

  [[nodiscard]] bool hears_announcements() const override {
    asio::error_code ignored;
    return socket_.local_endpoint(ignored).port() == group_.port();
  }

  void close() override {
    asio::error_code ignored;
    socket_.close(ignored);
  }

 private:
  [[nodiscard]] Interfaces current_interfaces() const {
    return fixed_.empty() ? suitable_interfaces() : fixed_;
  }

  void join_new(const Interfaces& interfaces) {
    for (const address_v4& interface : interfaces) {
      if (std::ranges::find(joined_, interface) != joined_.end()) continue;
      asio::error_code error;
      socket_.set_option(asio::ip::multicast::join_group(group_.address().to_v4(), interface),
                         error);
      if (!error) joined_.push_back(interface);
    }
    // One that went away has lost its membership.
    std::erase_if(joined_, [&](const address_v4& address) {
      return std::ranges::find(interfaces, address) == interfaces.end();
    });
  }

  udp::socket socket_;
  udp::endpoint group_;
  Interfaces fixed_;
  Interfaces joined_;
  Bytes buffer_ = Bytes(kMaxDatagram);
};

asio::error_code bind_shared(udp::socket& socket, std::uint16_t port) {
  asio::error_code error;
  socket.set_option(asio::socket_base::reuse_address(true), error);
  const int on = 1;
  ::setsockopt(socket.native_handle(), SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
  socket.bind(udp::endpoint(udp::v4(), port), error);
  return error;
}

}  // namespace

Result<MulticastSocketPtr> open_multicast(const asio::any_io_executor& executor,
                                          const MulticastOptions& options) {
  asio::error_code error;
  const auto group = asio::ip::make_address_v4(options.group, error);
  if (error || !group.is_multicast()) {
    return fail(Errc::invalid_argument, "not an IPv4 multicast address: " + options.group);
  }
  Interfaces fixed;
  if (!options.interface_address.empty()) {
    fixed.push_back(asio::ip::make_address_v4(options.interface_address, error));
    if (error) {
      return fail(Errc::invalid_argument, "not an IPv4 address: " + options.interface_address);
    }
  }
  udp::socket socket(executor);
  socket.open(udp::v4(), error);
  if (!error && bind_shared(socket, options.port)) {
    socket.bind(udp::endpoint(udp::v4(), 0), error);
  }
  if (!error) socket.non_blocking(true, error);
  if (error) return fail(Errc::io, "no multicast socket: " + error.message());
  return std::make_unique<UdpMulticast>(std::move(socket), udp::endpoint(group, options.port),
                                        std::move(fixed));
}

}  // namespace adbproto
