#pragma once
// A doctor report for people: the most important part first, one line a check, the fix below it.

#include "runtime/host/doctor/report.hpp"

namespace clawperator::cli {

enum class Colour { none, ansi };
enum class ShownChecks { needed, everything };

// Foreign text in it is already printable.
std::string doctor_for_people(const Report& report, Colour colour, ShownChecks detail);

}  // namespace clawperator::cli
