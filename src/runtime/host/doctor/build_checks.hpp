#pragma once
// `doctor --full`: builds the Operator app, installs and launches it. Only inside a Clawperator
// Android checkout: a folder at or above the working one with an executable `gradlew` and a
// settings.gradle (or .kts) that names the project `:app` and Clawperator. Elsewhere every step is
// reported as passed and skipped, and has {"skipped":true,"reason":..} as evidence.

#include <filesystem>

#include "adbproto/client/device.hpp"
#include "base/async/task.hpp"
#include "runtime/host/doctor/device_checks.hpp"
#include "runtime/host/doctor/report.hpp"

namespace clawperator {

std::optional<std::filesystem::path> find_checkout(std::filesystem::path from);

// Of `java -version`: 17 of "17.0.9", 8 of "1.8.0_392"; nullopt when it names none.
std::optional<int> parse_java_version(std::string_view text);

// In their published order; one that fails is the last.
Task<std::vector<Check>> check_build(std::optional<std::filesystem::path> checkout);
Task<std::vector<Check>> check_built_app(std::optional<std::filesystem::path> checkout,
                                         adbproto::Device* device, Subject subject);

}  // namespace clawperator
