#include "runtime/act/stamp.hpp"

#include <sys/random.h>

namespace clawperator::act {

Stamp Stamp::now() {
  using namespace std::chrono;
  Stamp stamp;
  stamp.epoch_ms = duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
  std::array<unsigned char, 7> random{};
  // A short read leaves zeros: the id is then less random, which single-flight survives.
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
