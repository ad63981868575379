#pragma once
// Apps brought to the front by Android's activity manager, and what it says of them. Its exit
// status is 0 for its own errors up to Android 11 at least, so what it prints decides. Pure.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/android/service_command.hpp"

namespace clawperator {

// Of AndroidService::package: which activity the launcher starts for a package.
Words launcher_activity_words(const std::string& package);
// "com.x/.Main"; nullopt where the package has none. Of several the system would ask a person.
std::optional<std::string> read_launcher_activity(std::string_view printed);

// Of AndroidService::activity. They wait until the activity is drawn, for ten seconds at most.
Words launch_words(const std::string& component);
// Where nobody tells the activity: Android finds the one of the launcher itself, since 5; of
// several it asks a person.
Words launch_package_words(const std::string& package);
Words view_words(const std::string& uri);

enum class StartOutcome : std::uint8_t {
  shown,
  started,  // but not drawn yet when Android ceased to wait
  unresolved,
  refused,
};

struct StartAnswer {
  StartOutcome outcome = StartOutcome::refused;
  std::string said;  // of a failure, one line
};

StartAnswer read_start(std::string_view out, std::string_view err);

}  // namespace clawperator
