#include "adbproto/link/peer_socket.hpp"

#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/tcp.h>

#include <catch2/catch.hpp>

using namespace adbproto;

namespace {

TcpEnd four(std::array<unsigned char, 4> address, std::uint16_t port) {
  return tcp_end(std::as_bytes(std::span<const unsigned char, 4>(address)), port);
}

TcpEnd six_loopback(std::uint16_t port) {
  TcpEnd end{.port = port};
  end.address[15] = std::byte{1};
  return end;
}

const TcpEnds kFour{.theirs = four({127, 0, 0, 1}, 0xabcd), .ours = four({127, 0, 0, 1}, 3000)};
const TcpEnds kSix{.theirs = six_loopback(0xabcd), .ours = six_loopback(3000)};

// What the kernel answers of a socket of user 1000.
struct Answer {
  nlmsghdr header{};
  inet_diag_msg body{};
};

Answer answer_of(unsigned char family, const TcpEnds& ends) {
  Answer answer;
  answer.header.nlmsg_len = sizeof answer;
  answer.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  answer.body.idiag_family = family;
  answer.body.idiag_state = TCP_ESTABLISHED;
  answer.body.idiag_uid = 1000;
  answer.body.idiag_inode = 77;
  answer.body.id.idiag_sport = htons(ends.theirs.port);
  answer.body.id.idiag_dport = htons(ends.ours.port);
  const std::size_t start = family == AF_INET ? 12 : 0;
  std::memcpy(answer.body.id.idiag_src, &ends.theirs.address[start], 16 - start);
  std::memcpy(answer.body.id.idiag_dst, &ends.ours.address[start], 16 - start);
  return answer;
}

std::optional<PeerSocket> read(const Answer& answer, const TcpEnds& ends = kFour) {
  return read_sock_diag(std::as_bytes(std::span(&answer, 1)), ends);
}

constexpr PeerSocket kFound{.user = 1000, .inode = 77};

// /proc/net/tcp of a little-endian processor.
constexpr std::string_view kTitle =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout "
    "inode\n";
std::string row(std::string_view local, std::string_view remote, std::string_view state,
                std::string_view inode) {
  return std::string("   0: ")
      .append(local)
      .append(" ")
      .append(remote)
      .append(" ")
      .append(state)
      .append(" 00000000:00000000 00:00000000 00000000  1000        0 ")
      .append(inode)
      .append(" 1 0000000000000000 20 4 30 10 -1\n");
}

}  // namespace

TEST_CASE("peer socket: the kernel's answer about a socket of IPv4, IPv6 or both") {
  CHECK(read(answer_of(AF_INET, kFour)) == kFound);
  CHECK(read(answer_of(AF_INET6, kFour)) == kFound);  // at a mapped address
  CHECK(read(answer_of(AF_INET6, kSix), kSix) == kFound);
}

TEST_CASE("peer socket: what is no socket of that connection, or no process has, proves nothing") {
  Answer answer = answer_of(AF_INET, kFour);
  SECTION("no inode") { answer.body.idiag_inode = 0; }
  SECTION("it listens") { answer.body.idiag_state = TCP_LISTEN; }
  SECTION("it has ended its side") { answer.body.idiag_state = TCP_FIN_WAIT2; }
  SECTION("another port") { answer.body.id.idiag_sport ^= 1; }
  SECTION("another port of ours") { answer.body.id.idiag_dport ^= 1; }
  SECTION("another address") { answer.body.id.idiag_src[0] ^= 1; }
  SECTION("another address of ours") { answer.body.id.idiag_dst[0] ^= 1; }
  SECTION("another family") { answer.body.idiag_family = AF_UNIX; }
  SECTION("IPv6 where it is IPv4") { answer.body.idiag_family = AF_INET6; }
  SECTION("an error") { answer.header.nlmsg_type = NLMSG_ERROR; }
  SECTION("the end of a list") { answer.header.nlmsg_type = NLMSG_DONE; }
  SECTION("too short") { answer.header.nlmsg_len = sizeof answer - 1; }
  SECTION("too long") { answer.header.nlmsg_len = sizeof answer + 1; }
  CHECK_FALSE(read(answer));
}

TEST_CASE("peer socket: an answer that is cut proves nothing") {
  const Answer answer = answer_of(AF_INET, kFour);
  const auto bytes = std::as_bytes(std::span(&answer, 1));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CHECK_FALSE(read_sock_diag(bytes.first(size), kFour));
  }
}

TEST_CASE("peer socket: the kernel's tables") {
  if constexpr (std::endian::native != std::endian::little) return;
  const std::string theirs = "0100007F:ABCD", ours = "0100007F:0BB8";
  const std::string mapped = "0000000000000000FFFF0000";
  CHECK(find_in_table(
            std::string(kTitle) + row(ours, theirs, "01", "5") + row(theirs, ours, "01", "77"),
            kFour) == kFound);
  CHECK(find_in_table(row(mapped + theirs, mapped + ours, "01", "77"), kFour) == kFound);
  const std::string six = "00000000000000000000000001000000:";
  CHECK(find_in_table(row(six + "ABCD", six + "0BB8", "01", "77"), kSix) == kFound);
  for (const std::string& table :
       {std::string(), std::string(kTitle), row(theirs, ours, "01", "0"),
        row(theirs, ours, "06", "77"), row(theirs, "00000000:0000", "0A", "77"),
        row(ours, theirs, "01", "77"), row("0200007F:ABCD", ours, "01", "77"),
        row("0100007F:ABCE", ours, "01", "77"), row(theirs, ours, "01", "x"),
        row("0100007F", ours, "01", "77"), row("0100007F:1ABCD", ours, "01", "77"),
        row(theirs, ours, "01", "77").substr(0, 40)}) {
    INFO(table);
    CHECK_FALSE(find_in_table(table, kFour));
  }
}
