#pragma once
// The posted notifications, in the output of dumpsys and in the shade.

#include <string>
#include <vector>

#include "simdroid/ui/screen_set.hpp"

namespace simdroid {

struct PostedNotification {
  std::string package;
  int id = 0;
  std::string title, text;
  bool ongoing = false;  // stays when all are cleared
  std::vector<std::string> actions{};
};

// The notification that every phone shows while it is debugged.
std::vector<PostedNotification> first_notifications();

// The part of `dumpsys notification` with the list; without notifications it has no heading either.
std::string notification_list(const std::vector<PostedNotification>& all, int sdk, bool redact);

// The shade with a row for each and, where one can be cleared, the button for it at the end.
Screen shade_screen(const std::vector<PostedNotification>& all);

}  // namespace simdroid
