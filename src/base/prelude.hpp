#pragma once
// Included by every source: the standard library's common headers, so that a source's own list of
// includes contains only its further dependencies. All sources see base's names without a prefix,
// and the runtime and the simulated phone also those of the protocol library.

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
