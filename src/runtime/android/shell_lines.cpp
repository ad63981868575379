#include "runtime/android/shell_lines.hpp"

#include "adbproto/wire/services.hpp"

namespace clawperator {

std::string status_line(std::string_view line) {
  return std::string(line) + "; echo '" + std::string(kStatusMark) + "'$?";
}

std::string identity_line() {
  return "getprop ro.serialno;cat /proc/sys/kernel/random/boot_id 2>/dev/null";
}

std::string product_line() {
  return "getprop ro.serialno;getprop ro.product.name;getprop ro.product.model;"
         "getprop ro.product.device";
}

std::string screencap_line(ScreencapForm form, std::optional<std::string_view> display) {
  std::string line = "screencap";
  if (form == ScreencapForm::png) line += " -p";
  if (display) line += " -d " + adbproto::quote_for_shell(*display);
  return line;
}

std::string screen_dump_line(std::string_view id) {
  const std::string file =
      adbproto::quote_for_shell("/data/local/tmp/clawperator-" + std::string(id) + ".xml");
  return "rm -f " + file + "; uiautomator dump " + file + "; cat " + file + " 2>/dev/null; rm -f " +
         file;
}

}  // namespace clawperator
