// Invariants: whatever the kernel is said to answer, nothing is read past it, and what is found has
// an inode. The first byte says which reader; the ends are those of the seeds.

#include "adbproto/link/peer_socket.hpp"
#include "wire/chunks.hpp"

using namespace adbproto;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  constexpr std::array kLoopback{std::byte{127}, std::byte{0}, std::byte{0}, std::byte{1}};
  TcpEnds ends{.theirs = tcp_end(kLoopback, 0xabcd), .ours = tcp_end(kLoopback, 3000)};
  if ((data[0] & 2U) != 0) {
    ends = {.theirs = {.port = 0xabcd}, .ours = {.port = 3000}};
    ends.theirs.address[15] = ends.ours.address[15] = std::byte{1};
  }
  const ByteView bytes = fuzz::input(data + 1, size - 1);
  const auto found =
      (data[0] & 1U) != 0 ? find_in_table(as_text(bytes), ends) : read_sock_diag(bytes, ends);
  fuzz::require(!found || found->inode != 0);
  return 0;
}
