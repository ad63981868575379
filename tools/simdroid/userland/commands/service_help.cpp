// `cmd SERVICE help`: the part of each service's help that is about what is here, or is missing.
#include <algorithm>
#include <limits>

#include "simdroid/userland/commands/commands.hpp"

namespace simdroid {
namespace {

constexpr int kNewest = std::numeric_limits<int>::max();

struct HelpText {
  std::string_view service;
  int first, last;  // API levels
  std::string_view text;
};

constexpr HelpText kTexts[] = {
    {"activity", 0, kNewest,
     "Activity manager (activity) commands:\n  help\n      Print this help text.\n"},
    {"activity", 26, kNewest,
     "  start-activity [-D] [-N] [-W] [-P <FILE>] [--start-profiler <FILE>] <INTENT>\n"
     "  broadcast [--user <USER_ID> | all | current] <INTENT>\n"},
    {"activity", 0, kNewest,
     "  force-stop [--user <USER_ID> | all | current] <PACKAGE>\n"
     "  kill [--user <USER_ID> | all | current] <PACKAGE>\n"},
    {"notification", 27, 28,
     "help\nallow_listener COMPONENT [user_id]\ndisallow_listener COMPONENT [user_id]\n"},
    {"notification", 29, kNewest,
     "usage: cmd notification SUBCMD [args]\n\nSUBCMDs:\n"
     "  allow_listener COMPONENT [user_id (current user if not specified)]\n"
     "  disallow_listener COMPONENT [user_id (current user if not specified)]\n"},
    {"window", 26, kNewest,
     "Window manager (window) commands:\n  help\n      Print this help text.\n"
     "  size [reset|WxH|WdpxHdp] [-d DISPLAY_ID]\n    Return or override display size.\n"
     "  density [reset|DENSITY] [-d DISPLAY_ID]\n    Return or override display density.\n"},
    {"window", 29, 30,
     "  set-user-rotation [free|lock] [-d DISPLAY_ID] [rotation]\n"
     "    Set user rotation mode and user rotation.\n"},
    {"window", 31, kNewest,
     "  user-rotation [-d DISPLAY_ID] [free|lock] [rotation]\n"
     "    Print or set user rotation mode and user rotation.\n"},
    {"wifi", 29, kNewest, "Wi-Fi (wifi) commands:\n  help\n    Print this help text.\n"},
    {"wifi", 30, kNewest,
     "  set-wifi-enabled enabled|disabled\n    Enables/disables Wifi on this device.\n"},
    {"connectivity", 29, kNewest,
     "Connectivity service commands:\n  help\n    Print this help text.\n"
     "  airplane-mode [enable|disable]\n    Turn airplane mode on or off.\n"},
    {"statusbar", 26, kNewest,
     "Status bar commands:\n  help\n    Print this help text.\n\n  expand-notifications\n"
     "    Open the notifications panel.\n\n  expand-settings\n"
     "    Open the notifications panel and expand quick settings if present.\n\n"
     "  collapse\n    Collapse the notifications.\n"},
};

}  // namespace

std::string service_help(std::string_view service, int sdk) {
  std::string help;
  for (const HelpText& each : kTexts) {
    if (each.service == service && sdk >= each.first && sdk <= each.last) help += each.text;
  }
  return help;
}

}  // namespace simdroid
