#pragma once
// What every source uses without saying so: the standard library's vocabulary, so that a list of
// includes tells what a file depends on beside it. Everybody sees base's names without a prefix,
// the runtime and the simulated phone the protocol library's.

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace base {}
namespace adbproto {
using namespace base;
}
namespace clawperator {
using namespace adbproto;
}
namespace simdroid {
using namespace adbproto;
}
