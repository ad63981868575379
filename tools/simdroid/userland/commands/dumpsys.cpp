#include <cstdlib>

#include "simdroid/ui/keyboard.hpp"
#include "simdroid/userland/commands/commands.hpp"
#include "simdroid/userland/commands/window_dump.hpp"

namespace simdroid {
namespace {

using Dump = std::string (*)(Process*);

std::string dump_package(Process* process) {
  const Package* package = process->phone->packages->find(process->arg(2));
  if (package == nullptr) return "Unable to find package: " + process->arg(2) + "\n";
  std::string text = "Packages:\n  Package [" + package->name + "] (5e1f0d1):\n";
  constexpr int kNamesAppId = 33;
  const std::string id = process->phone->sdk() >= kNamesAppId ? "appId=" : "userId=";
  text += "    " + id + std::to_string(package->uid) + "\n";
  text += "    pkg=Package{77aa6b7 " + package->name + "}\n";
  text += "    codePath=" + package->apk_path().substr(0, package->apk_path().rfind('/')) + "\n";
  text += "    primaryCpuAbi=arm64-v8a\n";
  text += "    versionCode=" + std::to_string(package->version_code) + " minSdk=21 targetSdk=35\n";
  text += "    versionName=" + package->version_name + "\n";
  text += std::string("    flags=[ ") + (package->system ? "SYSTEM " : "") +
          "HAS_CODE ALLOW_CLEAR_USER_DATA ]\n";
  text += "    firstInstallTime=2026-01-01 00:00:00\n    lastUpdateTime=2026-01-01 00:00:00\n";
  text += "    User 0: ceDataInode=4711 installed=true hidden=false suspended=false stopped=" +
          std::string(package->stopped ? "true" : "false") +
          " notLaunched=false enabled=0 instant=false virtual=false\n";
  text += "      runtime permissions:\n";
  for (const std::string_view name : runtime_permissions(process->phone->sdk())) {
    const bool granted = package->granted.contains(std::string(name));
    text += "        " + std::string(name) +
            (granted ? ": granted=true, flags=[ USER_SET ]\n" : ": granted=false\n");
  }
  return text;
}

std::string dump_input_method(Process* process) {
  const std::string shown = process->phone->ui().keyboard_shown() ? "true" : "false";
  return "Current Input Method Manager state:\n  mCurMethodId=" + std::string(kKeyboardPackage) +
         "/.LatinIME\n  mShowRequested=" + shown +
         " mShowExplicitlyRequested=false mShowForced=false mInputShown=" + shown +
         "\nInput method service state for " + std::string(kKeyboardPackage) +
         "/.LatinIME:\n  mIsInputViewShown=" + shown + "\n";
}

std::string dump_activity(Process* process) {
  const std::string record = activity_record(process->phone->ui());
  return "ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)\n"
         "Display #0 (activities from top to bottom):\n"
         "    topResumedActivity=" +
         record + "\n  ResumedActivity: " + record + "\n";
}

std::string dump_power(Process* process) {
  const bool awake = process->phone->ui().awake();
  return std::string("POWER MANAGER (dumpsys power)\n  mWakefulness=") +
         (awake ? "Awake" : "Asleep") + "\nDisplay Power: state=" + (awake ? "ON" : "OFF") + "\n";
}

std::string dump_accessibility(Process* process) {
  Phone* phone = process->phone;
  const Faults& faults = phone->faults;
  std::string bound;
  if (!faults.active(Fault::accessibility_off) && !faults.active(Fault::accessibility_unbound)) {
    for (const std::string& component : phone->accessibility.running()) {
      bound.append(bound.empty() ? "" : ", ").append("Service[label=").append(component) += "]";
    }
  }
  const std::string list = phone->settings.get("secure", kAccessibilityList);
  std::string enabled;
  for (const std::string& component : listed_components(list)) {
    enabled.append(enabled.empty() ? "{" : ", {").append(component) += "}";
  }
  std::string text =
      "ACCESSIBILITY MANAGER (dumpsys accessibility)\n\nUser state[\n     attributes:{id=0, "
      "touchExplorationEnabled=false}\n     Bound services:{" +
      bound + "}\n     Enabled services:{" + enabled + "}\n]\n";
  if (faults.active(Fault::ui_automation)) {
    text += "Ui Automation[eventTypes=TYPES_ALL_MASK, notificationTimeout=0]\n";
  }
  return text;
}

// The allowed listeners are those of the policy, whatever the setting contains.
std::string dump_notification(Process* process) {
  Phone* phone = process->phone;
  constexpr int kPolicyFile = 27;
  std::set<std::string> allowed = phone->notification_listeners;
  if (phone->sdk() < kPolicyFile) {
    const auto listed =
        listed_components(phone->settings.get("secure", "enabled_notification_listeners"));
    allowed = {listed.begin(), listed.end()};
  }
  const bool redact = process->arg(2) != "--noredact";
  std::string text = "Current Notification Manager state:\n" +
                     notification_list(phone->notifications, phone->sdk(), redact) +
                     "\n  Notification listeners:\n"
                     "    All notification listeners (" +
                     std::to_string(allowed.size()) + ") enabled for current profiles:\n";
  for (const std::string& component : allowed) text += "      ComponentInfo{" + component + "}\n";
  return text + "    Live notification listeners (" + std::to_string(allowed.size()) + "):\n";
}

std::string viewport(std::string_view type, int number, std::string_view id, int turned) {
  const std::string width = std::to_string(turned % 2 == 0 ? kScreenWidth : kScreenHeight);
  const std::string height = std::to_string(turned % 2 == 0 ? kScreenHeight : kScreenWidth);
  const std::string size = width + ", " + height;
  return "DisplayViewport{type=" + std::string(type) +
         ", valid=true, isActive=true, displayId=" + std::to_string(number) +
         ", uniqueId='local:" + std::string(id) + "', physicalPort=" + std::to_string(number) +
         ", orientation=" + std::to_string(turned) + ", logicalFrame=Rect(0, 0 - " + size +
         "), physicalFrame=Rect(0, 0 - " + size + "), deviceWidth=" + width +
         ", deviceHeight=" + height + "}";
}

// The name of the display and its number. The quotes do not match on every release.
std::string display_name(int sdk) {
  constexpr int kNumberBehindName = 30;
  constexpr int kHasGroups = 31;
  if (sdk < kNumberBehindName) {
    return "\"Built-in Screen, displayId 0\", uniqueId \"local:" + std::string(kMainDisplay) + "\"";
  }
  if (sdk < kHasGroups) return "\"Built-in Screen\", displayId 0, FLAG_SECURE";
  return "\"Built-in Screen\", displayId 0\", displayGroupId 0, FLAG_SECURE";
}

std::string dump_display(Process* process) {
  const Rect display = process->phone->ui().display();
  std::string viewports = viewport("INTERNAL", 0, kMainDisplay, process->phone->rotation());
  if (process->phone->faults.active(Fault::second_display)) {
    viewports = viewport("EXTERNAL", 2, kSecondDisplay, 0) + ", " + viewports;
  }
  return "DISPLAY MANAGER (dumpsys display)\n  mOnlyCode=false\n  mViewports=[" + viewports +
         "]\n\nLogical Displays: size=1\n  Display 0:\n    mDisplayId=0\n    "
         "mOverrideDisplayInfo=DisplayInfo{" +
         display_name(process->phone->sdk()) + ", real " + std::to_string(display.width()) + " x " +
         std::to_string(display.height()) + ", mode 1, rotation " +
         std::to_string(process->phone->rotation()) + ", state ON, type INTERNAL}\n";
}

std::string yes_or_no(bool yes) { return yes ? "true\n" : "false\n"; }

// dumpsys battery [set level N | unplug | reset]
std::string dump_battery(Process* process) {
  const Phone& phone = *process->phone;
  PhoneBattery& battery = process->phone->battery;
  const std::string& verb = process->arg(2);
  if (verb == "reset") battery = {};
  if (verb == "unplug") battery.usb = false;
  if (verb == "set" && process->arg(3) == "level")
    battery.level = std::atoi(process->arg(4).c_str());
  if (verb == "set" || verb == "unplug") battery.frozen = true;
  if (!verb.empty()) return "";
  constexpr int kHasDocks = 33;
  std::string text = "Current Battery Service state:\n";
  if (battery.frozen) text += "  (UPDATES STOPPED -- use 'reset' to restart)\n";
  text += "  AC powered: false\n  USB powered: " + yes_or_no(battery.usb) +
          "  Wireless powered: false\n";
  if (phone.sdk() >= kHasDocks) text += "  Dock powered: false\n";
  return text +
         "  Max charging current: 500000\n  Max charging voltage: 5000000\n"
         "  Charge counter: 2550000\n  status: " +
         (battery.usb ? "2" : "3") +
         "\n  health: 2\n  present: true\n  level: " + std::to_string(battery.level) +
         "\n  scale: 100\n  voltage: 4123\n  temperature: 287\n  technology: Li-ion\n";
}

std::string display_line(std::string_view id, int number) {
  const std::string port = std::to_string(number);
  return "Display " + std::string(id) + " (HWC display " + port + "): port=" + port +
         " pnpId=SIM displayName=\"\"\n";
}

// Until Android 9 there is no such option, and everything is printed; here its first line.
std::string dump_surfaces(Process* process) {
  constexpr int kNumbersDisplays = 29;
  const Phone& phone = *process->phone;
  if (phone.sdk() < kNumbersDisplays || process->arg(2) != "--display-id") {
    return "Build configuration: [sf] [libui] [libgui]\n";
  }
  const bool two = phone.faults.active(Fault::second_display);
  return display_line(kMainDisplay, 0) + (two ? display_line(kSecondDisplay, 2) : "");
}

struct Service {
  std::string_view name;
  Dump dump;
};
constexpr Service kServices[] = {
    {"SurfaceFlinger", dump_surfaces},
    {"accessibility", dump_accessibility},
    {"activity", dump_activity},
    {"battery", dump_battery},
    {"display", dump_display},
    {"input_method", dump_input_method},
    {"notification", dump_notification},
    {"package", dump_package},
    {"power", dump_power},
    {"window", dump_window},
};

// Every byte but the line feed, in the same order each time.
Task<int> print_noise(Process* process) {
  constexpr std::uint32_t kStep = 2'654'435'761;
  std::string block(1024, ' ');
  std::uint32_t state = 1;
  for (char& c : block) c = static_cast<char>((state *= kStep) >> 24U);
  for (std::int64_t i = process->phone->faults.number(Fault::dumpsys_garbled); i > 0; --i) {
    CO_TRY_VOID(co_await print(process, block));
  }
  co_return 0;
}

Task<int> run_dumpsys(Process* process) {
  if (process->phone->faults.active(Fault::dumpsys_garbled)) {
    co_return co_await print_noise(process);
  }
  const std::string& name = process->arg(1);
  for (const Service& service : kServices) {
    if (service.name != name) continue;
    CO_TRY_VOID(co_await print(process, service.dump(process)));
    co_return 0;
  }
  // Which is no failure to it.
  co_return co_await give_up(process, "Can't find service: " + name + "\n", 0);
}

constexpr CommandEntry kDumpsysCommands[] = {{"dumpsys", run_dumpsys, &Latencies::cmd_service}};

}  // namespace

std::span<const CommandEntry> dumpsys_commands() { return kDumpsysCommands; }

}  // namespace simdroid
