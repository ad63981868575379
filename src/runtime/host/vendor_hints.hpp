#pragma once
// What a person can do about what makers of phones have added to Android, and about Android's own
// guards: one table, by maker and by symptom. A hint is shown only where its symptom has shown
// itself. Pure; where the facts come from: docs/android.md.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clawperator {

enum class Symptom : std::uint8_t {
  refused,          // SecurityException for settings or a grant
  install_blocked,  // the package was refused before it was looked at
  silent_app,       // no sign of life after a broadcast
  silent_log,       // the log keeps what is written to it
  service_struck,   // the accessibility service is off the system's list, or does not run
};

// What a refusal of the device is about; nullopt: something else.
std::optional<Symptom> symptom_of(std::string_view refusal);

// `maker`: ro.product.manufacturer; `sdk`: ro.build.version.sdk, 0 where unknown. One sentence
// each, the maker's own first.
std::vector<std::string> hints_for(std::string_view maker, int sdk, Symptom symptom);

// The hints of hints_for as one text; empty when there are none.
std::string hint_for(std::string_view maker, int sdk, Symptom symptom);

}  // namespace clawperator
