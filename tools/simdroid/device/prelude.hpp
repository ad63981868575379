#pragma once
// The simulated phone speaks the protocol library's vocabulary: Task, Result, Bytes, Clock.

#include "base/async/task.hpp"
#include "base/bytes.hpp"
#include "base/clock.hpp"
#include "base/error.hpp"

namespace simdroid {
using namespace adbproto;  // NOLINT(google-build-using-namespace): one vocabulary, on purpose
}  // namespace simdroid
