#pragma once
// Commands of Android's own services, as words, and how such words are written on each rung of the
// channel ladder:
//
//   abb           abb:activity\0broadcast\0...          no fork, no shell; its status means nothing
//   cmd           shell,v2,raw:cmd activity broadcast ..
//   am            shell,v2,raw:am broadcast ..           (pm for package, settings, input)
//   legacy_shell  shell:am broadcast ..                  no exit code of its own
//
// What each Android version makes of them: docs/internals/android.md.

#include "base/prelude.hpp"

namespace clawperator {

enum class AndroidService : std::uint8_t { activity, package, settings, input };
// Best first.
enum class Rung : std::uint8_t { abb, cmd, am, legacy_shell };

// Which rung was proved for each service: Android 7 has `cmd package` but hardly a `cmd activity`.
class Rungs {
 public:
  [[nodiscard]] std::optional<Rung> of(AndroidService service) const {
    return rungs_[static_cast<std::size_t>(service)];
  }
  void set(AndroidService service, std::optional<Rung> rung) {
    rungs_[static_cast<std::size_t>(service)] = rung;
  }
  bool operator==(const Rungs&) const = default;

 private:
  std::array<std::optional<Rung>, 4> rungs_{};
};

using Words = std::vector<std::string>;

std::string_view service_name(AndroidService service);  // activity, package, settings, input
std::string_view program_name(AndroidService service);  // am, pm, settings, input

// The words of an abb service name. nullopt where abb would not deliver them as they are: adbd
// drops empty ones and writes the length of the whole name in four hex digits.
std::optional<Words> abb_words(AndroidService service, std::span<const std::string> words);

// The line for the device's sh on any other rung.
std::string service_line(Rung rung, AndroidService service, std::span<const std::string> words);

// A broadcast to one package's receiver with a text extra. A stopped package would otherwise never
// receive it, and `am` would print "completed" all the same.
struct Broadcast {
  std::string action;
  std::string package;
  std::string payload;  // the string extra "payload"
};
Words broadcast_words(const Broadcast& broadcast);
Words force_stop_words(const std::string& package);
// Prints the number of the user in front, 0 on most phones.
Words current_user_words();

// Prints `package:NAME` for every name that holds `filter`. Without a user Android 13 to 15 list
// those of all users, and fail over one that shell may not touch (Secure Folder, a work profile, an
// app clone).
Words list_packages_words(int user, std::string_view filter);
// The same with ` versionCode:N` behind each name. Android 7 does not have the option: "Unknown
// option".
Words list_versions_words(int user, std::string_view filter);

// A service's output without the lines of Android's own stack trace.
std::string_view without_stack(std::string_view printed);

// A service's name as a log or a trace may contain it: everything but the payload of a broadcast, a
// typed text, and an opened URI.
std::string redacted_service(std::string_view service);

}  // namespace clawperator
