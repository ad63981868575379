#pragma once
// Lines that change the phone's rotation, networks and clipboard, and ask for its battery. Each is
// written in the words of its release.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace clawperator {

// Which settings table the two settings of the rotation stand in: system. 1: as it is held.
inline constexpr const char* kAutoRotation = "accelerometer_rotation";
inline constexpr const char* kUserRotation = "user_rotation";  // in quarter turns

// Android 10 and newer; before there are the two settings alone. nullopt: as it is held.
std::string rotation_line(int sdk, std::optional<int> quarter_turns);
inline constexpr int kRotatesByCommand = 29;

std::string battery_line();

// Android's own clipboard has no shell commands, and ends with status 0 when it says so.
std::string read_clipboard_line();
std::string write_clipboard_line(std::string_view text);

enum class PhoneNetwork : std::uint8_t { airplane, wifi, data };
// nullopt where the shell of that release may not: airplane mode before Android 10.
std::optional<std::string> network_line(int sdk, PhoneNetwork network, bool on);
// The global setting that tells whether it is on.
std::string network_setting(PhoneNetwork network);

}  // namespace clawperator
