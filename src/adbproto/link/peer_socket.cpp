#include "adbproto/link/peer_socket.hpp"

#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>

#include "base/files.hpp"
#include "base/number.hpp"
#include "base/text.hpp"

namespace adbproto {
namespace {

// Some 25,000 sockets. With more, the peer cannot be proven without netlink.
constexpr std::size_t kLargestTable = std::size_t{4} << 20;

struct Question {
  nlmsghdr header;
  inet_diag_req_v2 body;
};

bool is_ipv4(const TcpEnds& ends) { return ends.theirs.is_ipv4() && ends.ours.is_ipv4(); }

// A query for IPv4 also finds IPv6 sockets with mapped addresses.
Question question_of(const TcpEnds& ends) {
  Question question{};
  question.header.nlmsg_len = sizeof question;
  question.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  question.header.nlmsg_flags = NLM_F_REQUEST;
  question.body.sdiag_family = is_ipv4(ends) ? AF_INET : AF_INET6;
  question.body.sdiag_protocol = IPPROTO_TCP;
  question.body.idiag_states = 1U << TCP_ESTABLISHED;
  inet_diag_sockid& id = question.body.id;
  const auto put = [&](const TcpEnd& end, __be16* port, __be32* address) {
    const auto bytes = std::span(end.address).subspan(is_ipv4(ends) ? 12 : 0);
    *port = htons(end.port);
    std::memcpy(address, bytes.data(), bytes.size());
  };
  put(ends.theirs, &id.idiag_sport, id.idiag_src);
  put(ends.ours, &id.idiag_dport, id.idiag_dst);
  id.idiag_cookie[0] = id.idiag_cookie[1] = INET_DIAG_NOCOOKIE;
  return question;
}

// nullopt if netlink is refused. The kernel answers within send(2).
std::optional<Bytes> query_sock_diag(const TcpEnds& ends) {
  const base::FileHandle socket(
      ::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_SOCK_DIAG));
  const Question question = question_of(ends);
  if (!socket.is_open() || ::send(socket.get(), &question, sizeof question, 0) < 0) {
    return std::nullopt;
  }
  Bytes answer(1024);
  const ssize_t size = ::recv(socket.get(), answer.data(), answer.size(), 0);
  answer.resize(static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  return answer;
}

std::optional<PeerSocket> find_in_table(const char* table, const TcpEnds& ends) {
  const auto text = base::read_file(table, kLargestTable);
  return text ? find_in_table(*text, ends) : std::nullopt;
}

std::optional<PeerSocket> find_in_tables(const TcpEnds& ends) {
  auto found = is_ipv4(ends) ? find_in_table("/proc/net/tcp", ends) : std::nullopt;
  return found ? found : find_in_table("/proc/net/tcp6", ends);
}

TcpEnd end_of(const inet_diag_msg& message, const __be32 (&address)[4], __be16 port) {
  const std::size_t size = message.idiag_family == AF_INET ? 4 : 16;
  return tcp_end(std::as_bytes(std::span(address)).first(size), ntohs(port));
}

// "0100007F:1F90": words of the address in the processor's byte order.
std::optional<TcpEnd> end_in_table(std::string_view text) {
  constexpr std::size_t kWord = 8;
  const auto colon = text.find(':');
  if (colon != kWord && colon != 4 * kWord) return std::nullopt;
  const auto port = base::whole_number<std::uint16_t>(text.substr(colon + 1), 16);
  std::array<std::uint32_t, 4> words{};
  for (std::size_t at = 0; at < colon / kWord; ++at) {
    const auto word = base::whole_number<std::uint32_t>(text.substr(at * kWord, kWord), 16);
    if (!word) return std::nullopt;
    words[at] = *word;
  }
  if (!port) return std::nullopt;
  return tcp_end(std::as_bytes(std::span(words)).first(colon / 2), *port);
}

// "0: LOCAL REMOTE STATE QUEUES TIMER RETRANSMITS USER TIMEOUT INODE ..."
std::optional<PeerSocket> read_row(std::string_view line, const TcpEnds& ends) {
  std::vector<std::string_view> words = base::split(line, ' ');
  std::erase_if(words, [](std::string_view word) { return word.empty(); });
  if (words.size() < 10 || words[3] != "01") return std::nullopt;
  if (end_in_table(words[1]) != ends.theirs || end_in_table(words[2]) != ends.ours) {
    return std::nullopt;
  }
  const auto user = base::whole_number<uid_t>(words[7]);
  const auto inode = base::whole_number<std::uint64_t>(words[9]);
  if (!user || inode.value_or(0) == 0) return std::nullopt;
  return PeerSocket{.user = *user, .inode = *inode};
}

}  // namespace

std::optional<PeerSocket> read_sock_diag(ByteView answer, const TcpEnds& ends) {
  struct {
    nlmsghdr header;
    inet_diag_msg body;
  } message{};
  if (answer.size() < sizeof message) return std::nullopt;
  std::memcpy(&message, answer.data(), sizeof message);
  const inet_diag_msg& body = message.body;
  if (message.header.nlmsg_type != SOCK_DIAG_BY_FAMILY ||
      message.header.nlmsg_len < sizeof message || message.header.nlmsg_len > answer.size()) {
    return std::nullopt;
  }
  const bool is_peer = (body.idiag_family == AF_INET || body.idiag_family == AF_INET6) &&
                       end_of(body, body.id.idiag_src, body.id.idiag_sport) == ends.theirs &&
                       end_of(body, body.id.idiag_dst, body.id.idiag_dport) == ends.ours;
  // Without a connection between these ends the kernel returns the listening socket.
  if (!is_peer || body.idiag_state != TCP_ESTABLISHED || body.idiag_inode == 0) {
    return std::nullopt;
  }
  return PeerSocket{.user = body.idiag_uid, .inode = body.idiag_inode};
}

std::optional<PeerSocket> find_in_table(std::string_view table, const TcpEnds& ends) {
  while (!table.empty()) {
    if (const auto found = read_row(base::take_line(&table), ends)) return found;
  }
  return std::nullopt;
}

std::optional<PeerSocket> find_peer_socket(const ByteStream* stream) {
  const auto ends = established_ends(stream);
  if (!ends) return std::nullopt;
  const auto answer = query_sock_diag(*ends);
  const auto found = answer ? read_sock_diag(*answer, *ends) : find_in_tables(*ends);
  // A peer that has reset the connection has freed its port, so the socket that was found there may
  // belong to another process.
  return established_ends(stream) ? found : std::nullopt;
}

}  // namespace adbproto
