#include "adbproto/link/multicast.hpp"

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <asio/ip/multicast.hpp>
#include <asio/ip/udp.hpp>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace adbproto {
namespace {

using asio::ip::address_v4;
using asio::ip::udp;
using Interfaces = std::vector<address_v4>;

constexpr std::size_t kMaxDatagram = 65536;  // UDP's longest datagram fits, so none arrives cut

bool is_suitable(const ifaddrs& entry) {
  constexpr unsigned kNeeded = IFF_UP | IFF_MULTICAST;
  return entry.ifa_addr && entry.ifa_addr->sa_family == AF_INET &&
         (entry.ifa_flags & kNeeded) == kNeeded && !(entry.ifa_flags & IFF_LOOPBACK);
}

using AddressList = std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)>;

AddressList system_addresses() {
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) != 0) list = nullptr;
  return {list, &::freeifaddrs};
}

std::uint32_t number_of(const sockaddr* address) {
  return ntohl(reinterpret_cast<const sockaddr_in*>(address)->sin_addr.s_addr);
}

// The IPv4 addresses of all interfaces that can carry a group's traffic.
Interfaces suitable_interfaces() {
  Interfaces found;
  const AddressList list = system_addresses();
  for (const ifaddrs* entry = list.get(); entry; entry = entry->ifa_next) {
    if (is_suitable(*entry)) found.emplace_back(number_of(entry->ifa_addr));
  }
  return found;
}

std::vector<Subnet> subnets_of(unsigned interface) {
  std::vector<Subnet> found;
  const AddressList list = system_addresses();
  for (const ifaddrs* entry = list.get(); entry; entry = entry->ifa_next) {
    const bool is_whole =
        entry->ifa_addr && entry->ifa_netmask && entry->ifa_addr->sa_family == AF_INET;
    if (!is_whole || ::if_nametoindex(entry->ifa_name) != interface) continue;
    found.push_back({number_of(entry->ifa_addr), number_of(entry->ifa_netmask)});
  }
  return found;
}

// One datagram with the addresses that the system reports.
struct Message {
  explicit Message(Bytes* into) : room{into->data(), into->size()} {
    header.msg_name = &from;
    header.msg_namelen = sizeof from;
    header.msg_iov = &room;
    header.msg_iovlen = 1;
    header.msg_control = control;
    header.msg_controllen = sizeof control;
  }
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;

  [[nodiscard]] bool is_from_this_link(address_v4 group) const {
    for (cmsghdr* part = CMSG_FIRSTHDR(&header); part != nullptr;
         part = CMSG_NXTHDR(const_cast<msghdr*>(&header), part)) {
      if (part->cmsg_level != IPPROTO_IP || part->cmsg_type != IP_PKTINFO) continue;
      in_pktinfo way{};
      std::memcpy(&way, CMSG_DATA(part), sizeof way);
      if (ntohl(way.ipi_addr.s_addr) == group.to_uint()) return true;
      return is_neighbour(ntohl(from.sin_addr.s_addr),
                          subnets_of(static_cast<unsigned>(way.ipi_ifindex)));
    }
    return false;
  }

  iovec room;
  sockaddr_in from{};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(in_pktinfo))]{};
  msghdr header{};
};

class UdpMulticast final : public MulticastSocket {
 public:
  UdpMulticast(udp::socket socket, udp::endpoint group, Interfaces fixed)
      : socket_(std::move(socket)), group_(std::move(group)), fixed_(std::move(fixed)) {
    asio::error_code ignored;
    socket_.set_option(asio::ip::multicast::hops(255), ignored);
    socket_.set_option(asio::ip::multicast::enable_loopback(true), ignored);
    const int on = 1;
    ::setsockopt(socket_.native_handle(), IPPROTO_IP, IP_PKTINFO, &on, sizeof on);
    join_new(current_interfaces());
  }

  Task<Datagram> receive() override {
    for (;;) {
      const auto [error] = co_await socket_.async_wait(udp::socket::wait_read, kNoThrow);
      if (!socket_.is_open()) co_return fail(errc::closed, "multicast socket closed");
      if (error == asio::error::operation_aborted) co_return fail(errc::cancelled, "cancelled");
      if (error) co_return fail(errc::io, "cannot receive: " + error.message());
      Message message(&buffer_);
      const ssize_t size = ::recvmsg(socket_.native_handle(), &message.header, MSG_DONTWAIT);
      if (size < 0 && (errno == EAGAIN || errno == EINTR)) continue;
      if (size < 0) {
        co_return fail(errc::io, "cannot receive: " + std::generic_category().message(errno));
      }
      co_return Datagram{Bytes(buffer_.begin(), buffer_.begin() + size),
                         address_v4(ntohl(message.from.sin_addr.s_addr)).to_string(),
                         ntohs(message.from.sin_port),
                         message.is_from_this_link(group_.address().to_v4())};
    }
  }

  Task<void> send(ByteView bytes) override {
    const Interfaces interfaces = current_interfaces();
    join_new(interfaces);
    Error last(errc::io, "no network interface can carry multicast");
    bool sent = false;
    for (const address_v4& interface : interfaces) {
      asio::error_code error;
      socket_.set_option(asio::ip::multicast::outbound_interface(interface), error);
      if (!error) socket_.send_to(asio::buffer(bytes.data(), bytes.size()), group_, 0, error);
      if (error) last = Error(errc::io, "cannot send: " + error.message());
      sent |= !error;
    }
    if (!sent) co_return std::unexpected(std::move(last));
    co_return ok();
  }

  Task<void> send_to(ByteView bytes, std::string address, std::uint16_t port) override {
    asio::error_code error;
    const udp::endpoint to(asio::ip::make_address(address, error), port);
    if (!error) socket_.send_to(asio::buffer(bytes.data(), bytes.size()), to, 0, error);
    if (error) co_return fail(errc::io, "cannot send to " + address + ": " + error.message());
    co_return ok();
  }

  [[nodiscard]] bool receives_announcements() const override {
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
    // An interface that disappeared has lost its membership.
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

bool is_neighbour(std::uint32_t sender, std::span<const Subnet> of_interface) {
  constexpr Subnet kLinkLocal{0xA9FE0000, 0xFFFF0000};  // 169.254/16
  const auto has = [&](const Subnet& one) { return ((one.address ^ sender) & one.mask) == 0; };
  return has(kLinkLocal) || std::ranges::any_of(of_interface, has);
}

Result<MulticastSocketPtr> open_multicast(const asio::any_io_executor& executor,
                                          const MulticastOptions& options) {
  asio::error_code error;
  const auto group = asio::ip::make_address_v4(options.group, error);
  if (error || !group.is_multicast()) {
    return fail(errc::invalid_argument, "not an IPv4 multicast address: " + options.group);
  }
  Interfaces fixed;
  if (!options.interface_address.empty()) {
    fixed.push_back(asio::ip::make_address_v4(options.interface_address, error));
    if (error) {
      return fail(errc::invalid_argument, "not an IPv4 address: " + options.interface_address);
    }
  }
  udp::socket socket(executor);
  socket.open(udp::v4(), error);
  if (!error && bind_shared(socket, options.port)) {
    socket.bind(udp::endpoint(udp::v4(), 0), error);
  }
  if (!error) socket.non_blocking(true, error);
  if (error) return fail(errc::io, "no multicast socket: " + error.message());
  return std::make_unique<UdpMulticast>(std::move(socket), udp::endpoint(group, options.port),
                                        std::move(fixed));
}

}  // namespace adbproto
