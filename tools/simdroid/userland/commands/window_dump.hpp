#pragma once
// The output of `dumpsys window`, in each release's form.

#include <string>

#include "simdroid/userland/process.hpp"

namespace simdroid {

// "ActivityRecord{51d0d02 u0 com.x/.Main t7}": the activity that has the focus.
std::string activity_record(const UiWorld& ui);
// dumpsys window [lastanr | policy | displays | windows]; without a section all of them.
std::string dump_window(Process* process);

}  // namespace simdroid
