#include "runtime/http/peer.hpp"

#include <unistd.h>

#include <algorithm>
#include <asio/ip/address.hpp>

#include "adbproto/link/peer_socket.hpp"

namespace clawperator::http {
namespace {

constexpr std::size_t kNetwork = 8;  // bytes of an IPv6 address

std::string address_name(const TcpEnd& end) {
  asio::ip::address_v6::bytes_type bytes{};
  std::ranges::transform(end.address, bytes.begin(),
                         [](std::byte byte) { return std::to_integer<unsigned char>(byte); });
  asio::ip::address_v6 address(bytes);
  if (address.is_v4_mapped()) {
    const auto four = asio::ip::make_address_v4(asio::ip::v4_mapped, address);
    return four.is_loopback() ? "loopback" : four.to_string();
  }
  if (address.is_loopback()) return "loopback";
  std::fill(bytes.begin() + kNetwork, bytes.end(), 0);
  return asio::ip::address_v6(bytes).to_string();
}

std::string name_of(const ByteStream* stream, const std::optional<PeerSocket>& peer) {
  if (peer)
    return peer->user == ::geteuid() ? std::string(kThisUser)
                                     : "user " + std::to_string(peer->user);
  const auto ends = established_ends(stream);
  return ends ? address_name(ends->theirs) : "unknown";
}

}  // namespace

Peer peer_of(const ByteStream* stream) {
  auto met = find_peer_socket(stream);
  Peer peer{.name = name_of(stream, met)};
  peer.is_this_user = [stream, met]() mutable {
    const auto found = find_peer_socket(stream);
    if (!met) met = found;
    return found && found == met && found->user == ::geteuid();
  };
  return peer;
}

}  // namespace clawperator::http
