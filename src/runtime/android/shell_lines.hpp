#pragma once
// Lines for the device's sh, apart from the log script and the commands of Android's services.
// Foreign words are quoted. Each line starts programs that every Android since 5 has, or says so.

#include <optional>
#include <string>
#include <string_view>

namespace clawperator {

// The service `shell:` tells no exit status; this one prints it behind all output, after the mark.
inline constexpr std::string_view kStatusMark = "\nclawperator-status:";
std::string status_line(std::string_view line);

// Prints "ro.serialno\nboot id\n"; the boot id is missing where shell may not read it.
std::string identity_line();
// Prints ro.serialno and ro.product.{name,model,device}, a line each.
std::string product_line();

enum class ScreencapForm { png, raw };
// `display`: the physical display's id, as `dumpsys display` tells it after "local:".
std::string screencap_line(ScreencapForm form, std::optional<std::string_view> display);

// The tree of the screen, by a file of its own that is taken away again. Prints what uiautomator
// says, and then the file.
std::string screen_dump_line(std::string_view id);

}  // namespace clawperator
