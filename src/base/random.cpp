#include "base/random.hpp"

#include <sys/random.h>

namespace base {

Result<std::string> random_hex(std::size_t bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (std::size_t at = 0; at < bytes; ++at) {
    unsigned char byte = 0;
    if (::getrandom(&byte, 1, 0) != 1) return fail(errc::io, "the system gives no random bytes");
    text += kDigits[byte >> 4U];
    text += kDigits[byte & 15U];
  }
  return text;
}

}  // namespace base
