#include "runtime/engine/ulid.hpp"

#include <sys/random.h>

#include <cstdlib>

#include "base/clock.hpp"
#include "runtime/contract/execution.hpp"

namespace clawperator {

std::string encode_ulid(std::uint64_t milliseconds, const std::array<std::uint8_t, 10>& random) {
  constexpr std::string_view kDigits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  std::string text(26, '0');
  for (int i = 9; i >= 0; --i) {
    text[static_cast<std::size_t>(i)] = kDigits[milliseconds & 31];
    milliseconds >>= 5;
  }
  std::uint32_t bits = 0;
  int held = 0;
  std::size_t at = 10;
  for (const std::uint8_t byte : random) {
    bits = (bits << 8) | byte;
    held += 8;
    while (held >= 5) {
      held -= 5;
      text[at++] = kDigits[(bits >> held) & 31];
    }
  }
  return text;
}

namespace {

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz234567";

}  // namespace

bool is_dispatch_id(std::string_view text) {
  return text.size() == kDispatchIdLength && text.find_first_not_of(kLetters) == text.npos;
}

std::string new_dispatch_id() {
  std::array<std::uint8_t, kDispatchIdLength> random{};
  // Without a random source the id could be guessed; the kernel always has one.
  if (::getrandom(random.data(), random.size(), 0) != std::ssize(random)) std::abort();
  std::string id;
  for (const std::uint8_t byte : random) id += kLetters[byte % kLetters.size()];
  return id;
}

std::string new_ulid() {
  std::array<std::uint8_t, 10> random{};
  [[maybe_unused]] const auto filled = ::getrandom(random.data(), random.size(), 0);
  return encode_ulid(static_cast<std::uint64_t>(base::wall_milliseconds()), random);
}

}  // namespace clawperator
