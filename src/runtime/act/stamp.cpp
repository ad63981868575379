#include "runtime/act/stamp.hpp"

#include <sys/random.h>

#include "base/clock.hpp"

namespace clawperator::act {

Stamp Stamp::now() {
  Stamp stamp;
  stamp.epoch_ms = base::wall_milliseconds();
  std::array<unsigned char, 7> random{};
  // A short read leaves zeros. The id is then less random, which the rule of one execution at a
  // time tolerates.
  [[maybe_unused]] const auto got = getrandom(random.data(), random.size(), GRND_NONBLOCK);
  for (const unsigned char byte : random) {
    stamp.suffix += "0123456789abcdefghijklmnopqrstuvwxyz"[byte % 36];
  }
  return stamp;
}

std::string Stamp::long_id(std::string_view prefix) const {
  return std::string(prefix) + "-" + std::to_string(epoch_ms) + "-" + suffix;
}

std::string Stamp::short_id(std::string_view prefix) const {
  return std::string(prefix) + "_" + std::to_string(epoch_ms);
}

}  // namespace clawperator::act
