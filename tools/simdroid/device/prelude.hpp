#pragma once
// The simulated phone speaks the protocol library's vocabulary: Task, Result, Bytes, Clock.

#include "adbproto/base/bytes.hpp"
#include "adbproto/base/clock.hpp"
#include "adbproto/base/error.hpp"
#include "adbproto/link/task.hpp"

namespace simdroid {
using namespace adbproto;  // NOLINT(google-build-using-namespace): one vocabulary, on purpose
}  // namespace simdroid
