#pragma once
// The simulated phone uses the names of the protocol library: Task, Result, Bytes, Clock.

#include "base/async/task.hpp"
#include "base/bytes.hpp"
#include "base/clock.hpp"
#include "base/error.hpp"

namespace simdroid {
using namespace adbproto;  // NOLINT(google-build-using-namespace): one vocabulary, on purpose
}  // namespace simdroid
