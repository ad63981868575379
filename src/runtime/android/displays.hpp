#pragma once
// What `dumpsys display` tells of the displays. Of several (foldables, external screens): since
// Android 12 `screencap` without a display takes the first one it finds, which may be the dark one,
// and says so on stderr.

#include <optional>
#include <string>
#include <string_view>

namespace clawperator {

// Whether screencap's stderr says that it had to choose between displays.
bool names_several_displays(std::string_view screencap_err);

// Prints what main_display reads.
std::string displays_line();
// The physical id of the display that shows the default viewport (displayId 0), for `screencap -d`;
// nullopt where `dumpsys display` names none.
std::optional<std::string> main_display(std::string_view text);

// How many quarter turns the picture of the default display is turned, as apps see it; nullopt
// where the text does not tell.
std::optional<int> main_rotation(std::string_view text);

}  // namespace clawperator
