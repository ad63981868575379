#pragma once
// Why a phone on USB cannot be had, for the person at the keyboard.

#include <cstdint>
#include <string>

namespace adbproto {

// Why `node` cannot be opened (an errno), who we are, and the udev rule and group that would help.
std::string explain_no_access(const std::string& node, std::uint16_t vendor_id, int why);

struct UsbHolder {
  int pid = 0;           // 0: not to be found out
  std::string name{};    // "adb (pid 1234)", or that this cannot be told
  bool is_ours = false;  // another process of this program
};

// Who has `node` open. Looks at every process.
UsbHolder find_usb_holder(const std::string& node);
// An unknown one always does.
bool still_holds(const UsbHolder& holder, const std::string& node);

}  // namespace adbproto
