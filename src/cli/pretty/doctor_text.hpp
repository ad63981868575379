#pragma once
// A doctor's report for people: what matters first, one line a check, the way out below it.

#include "runtime/host/doctor/report.hpp"

namespace clawperator::cli {

enum class Colour { none, ansi };
enum class ShownChecks { needed, everything };

// Foreign text in it is printable already.
std::string doctor_for_people(const Report& report, Colour colour, ShownChecks detail);

}  // namespace clawperator::cli
