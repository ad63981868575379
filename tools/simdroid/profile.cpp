#include "simdroid/profile.hpp"

namespace simdroid {
namespace {

using std::chrono::milliseconds;

Latencies phone() {
  const auto ms = [](int base, int spread) {
    return Cost{milliseconds(base), milliseconds(spread)};
  };
  return {.shell_start = ms(8, 4),
          .app_process = ms(55, 20),
          .cmd_service = ms(12, 6),
          .logcat_start = ms(15, 10),
          .capture = ms(35, 15),
          .encode_png = ms(220, 60),
          .uiautomator_dump = ms(1100, 300),
          .broadcast = ms(10, 10),
          .accessibility = ms(6, 6),
          .hierarchy = ms(25, 20),
          .action = ms(20, 20),
          .launch = ms(320, 120),
          .between_steps = ms(1, 2),
          .record_pause = ms(1, 0)};
}

}  // namespace

Latencies latencies(Profile profile) { return profile == Profile::phone ? phone() : Latencies{}; }

// splitmix64: one addition and two multiplications, the same everywhere.
std::uint64_t Jitter::next() {
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

double Jitter::unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

Duration Jitter::draw(const Cost& cost) {
  if (cost.spread.count() <= 0) return cost.base;
  const auto spread = static_cast<double>(cost.spread.count());
  return cost.base + Duration(static_cast<Duration::rep>(unit() * spread));
}

}  // namespace simdroid
