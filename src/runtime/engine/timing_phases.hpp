#pragma once
// The phases of Timings under their published names, in the published order.

#include "runtime/engine/engine.hpp"

namespace clawperator {

inline constexpr std::pair<std::string_view, std::chrono::microseconds Timings::*> kTimingPhases[] =
    {{"resolve", &Timings::resolve},     {"attach", &Timings::attach},
     {"preflight", &Timings::preflight}, {"queue", &Timings::queue},
     {"dispatch", &Timings::dispatch},   {"device", &Timings::device},
     {"transfer", &Timings::transfer},   {"parse", &Timings::parse},
     {"total", &Timings::total}};

}  // namespace clawperator
