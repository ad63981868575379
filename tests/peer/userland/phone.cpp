// The stub userland of the real adbd: one small program under the names am, cmd, pm, logcat, ...
// that a phone has and toybox has not. It acts like a phone with the Operator app as far as
// clawperator looks:
//
//   am                   activity.hpp
//   logcat, log          log.hpp
//   pm, dumpsys package  packages.hpp
//   settings, cmd notification, cmd appops, dumpsys notification      settings.hpp
//   screencap [-p] [-d DISPLAY]      copies a prepared picture: `screen.png`, `screen.raw`
//   getprop [NAME [DEFAULT]]         `properties` has a line "NAME VALUE" for each that differs
//   run-as PACKAGE COMMAND...        for those named in `debuggable`, in the folder `data.PACKAGE`
//   uiautomator dump FILE            the screen of `hierarchy.xml`, in one line;
//   `uiautomator_says`:
//                                    what it says instead, for as many calls as that has lines
//   screenrecord --time-limit N [...] FILE    a file, finished when the time is up or by SIGINT
//   bugreportz [-p|-s|-v]            version 1.1
//   bugreport
//
// `heard`, if it is there, gets the words of every call: each ends with a zero byte, the last one
// with 0x1e.
// PHONE_STATE is a folder: state.hpp and those headers say what is in it.

#include <csignal>
#include <map>

#include "activity.hpp"
#include "packages.hpp"
#include "settings.hpp"

namespace {

int screencap(const Arguments& arguments) {
  bool png = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "-p") {
      png = true;
    } else if (arguments[i] == "-d" && i + 1 < arguments.size()) {
      ++i;
    } else {
      return complain("usage: screencap [-hp] [-d display-id] [FILENAME]\n", 1);
    }
  }
  const std::string picture = read_state(png ? "screen.png" : "screen.raw");
  return picture.empty() ? 1 : print(picture);
}

// Like Android's: no line breaks, and success whether or not the file could be written; 0 always.
int uiautomator(const Arguments& arguments) {
  if (arguments.size() < 2 || arguments[0] != "dump") return complain("Usage: uiautomator\n", 1);
  if (std::string says = read_state("uiautomator_says"); !says.empty()) {
    const std::size_t line = std::min(says.find('\n') + 1, says.size());
    replace_state("uiautomator_says", says.substr(line));
    return complain(says.substr(0, line), 0);
  }
  std::string xml;
  std::istringstream lines(read_state("hierarchy.xml"));
  for (std::string line; std::getline(lines, line);) {
    xml += line.substr(std::min(line.find_first_not_of(' '), line.size()));
  }
  const int fd = ::open(arguments.back().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  write_all(fd, xml);
  ::close(fd);
  return print("UI hierchary dumped to: " + arguments.back() + "\n");
}

const std::map<int, std::string>& releases() {
  static const std::map<int, std::string> kReleases = {
      {23, "6.0"}, {24, "7.0"}, {25, "7.1.2"}, {26, "8.0.0"}, {27, "8.1.0"},
      {28, "9"},   {29, "10"},  {30, "11"},    {31, "12"},    {32, "12"},
      {33, "13"},  {34, "14"},  {35, "15"},    {36, "16"}};
  return kReleases;
}

std::map<std::string, std::string> properties() {
  std::map<std::string, std::string> all = {{"ro.build.version.sdk", std::to_string(sdk())},
                                            {"ro.product.model", "Stub"},
                                            {"ro.serialno", "STUB0001"},
                                            {"sys.boot_completed", "1"},
                                            {"ro.product.manufacturer", "Stub"},
                                            {"dev.bootcomplete", "1"},
                                            {"ro.boot.serialno", "STUB0001"},
                                            {"ro.product.name", "stub"},
                                            {"ro.product.device", "stub"},
                                            {"persist.sys.timezone", "UTC"}};
  const auto release = releases().find(sdk());
  if (release != releases().end()) all["ro.build.version.release"] = release->second;
  std::istringstream lines(read_state("properties"));
  for (std::string line; std::getline(lines, line);) {
    all[line.substr(0, line.find(' '))] =
        line.find(' ') < line.size() ? line.substr(line.find(' ') + 1) : "";
  }
  return all;
}

int getprop(const Arguments& arguments) {
  const std::map<std::string, std::string> all = properties();
  std::string out;
  if (arguments.empty()) {
    for (const auto& [name, value] : all) out += "[" + name + "]: [" + value + "]\n";
    return print(out);
  }
  const auto found = all.find(arguments[0]);
  if (found != all.end()) out = found->second;
  if (out.empty() && arguments.size() > 1) out = arguments[1];
  return print(out + "\n");
}

int wm(const Arguments& arguments) {
  if (!arguments.empty() && arguments[0] == "size") return print("Physical size: 1080x2400\n");
  if (!arguments.empty() && arguments[0] == "density") return print("Physical density: 420\n");
  const bool rotates = !arguments.empty() && arguments[0].ends_with("user-rotation");
  return rotates ? 0 : complain("Unknown command\n", 255);
}

int dumpsys(const Arguments& arguments) {
  const std::string service = arguments.empty() ? "" : arguments[0];
  if (service == "package") return dumpsys_package(arguments);
  if (service == "notification") return dumpsys_notification();
  if (service == "battery") return print("Current Battery Service state:\n  level: 50\n");
  if (service == "input_method") return print("  mInputShown=false\n");
  if (service == "window" && arguments.size() > 1 && arguments[1] == "policy") {
    const std::string showing = read_state("keyguard");
    return print("    KeyguardServiceDelegate\n      KeyguardStateMonitor\n        mIsShowing=" +
                 (showing.empty() ? "false" : showing) + "\n        mSimSecure=false\n");
  }
  if (service == "window") {
    return print(
        "  mCurrentFocus=Window{1 u0 NotificationShade}\n"
        "  mFocusedApp=ActivityRecord{1 u0 com.x/.Main t7}\n");
  }
  if (service == "power") {
    const std::string wakefulness = read_state("wakefulness");
    return print("POWER MANAGER (dumpsys power)\n\nPower Manager State:\n  mWakefulness=" +
                 (wakefulness.empty() ? "Awake" : wakefulness) +
                 "\n  mWakefulnessChanging=false\n");
  }
  if (service == "accessibility") return 0;
  if (service == "SurfaceFlinger") {
    return print(
        "Display 4619827259835644672 (HWC display 0): port=0 pnpId=STB displayName=\"\"\n");
  }
  if (service == "display") {
    return print(
        "  mViewports=[DisplayViewport{type=INTERNAL, valid=true, isActive=true, displayId=0, "
        "uniqueId='local:4619827259835644672', physicalPort=0, orientation=0}]\n");
  }
  return complain("Can't find service: " + service + "\n", 0);
}

int run_as(const Arguments& arguments) {
  if (arguments.size() < 2)
    return complain("run-as: usage: run-as <package-name> <command> [<args>]\n", 1);
  const std::string& package = arguments[0];
  if (("\n" + read_state("debuggable")).find("\n" + package + "\n") == std::string::npos) {
    return complain("run-as: package not debuggable: " + package + "\n", 1);
  }
  if (::chdir(state_path("data." + package).c_str()) != 0)
    return complain("run-as: couldn't chdir\n", 1);
  std::vector<char*> words;
  for (std::size_t i = 1; i < arguments.size(); ++i)
    words.push_back(const_cast<char*>(arguments[i].c_str()));
  words.push_back(nullptr);
  ::execvp(words[0], words.data());
  return complain("run-as: exec failed for " + arguments[1] + "\n", 1);
}

// A handler of its own, which also takes back that a shell has SIGINT ignored by what it starts
// beside itself; then an alarm, as screenrecord's own clock.
int screenrecord(const Arguments& arguments) {
  if (arguments.back() == "--help") return print("Set the maximum recording time\n");
  const int fd = ::open(arguments.back().c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0) return complain("Unable to open\n", 1);
  write_all(fd, std::string(100000, 'x'));
  struct sigaction ends{};
  ends.sa_handler = [](int) {};
  for (const int signal : {SIGINT, SIGALRM}) ::sigaction(signal, &ends, nullptr);
  for (std::size_t i = 0; i + 1 < arguments.size(); ++i) {
    if (arguments[i] == "--time-limit") ::alarm(static_cast<unsigned>(std::stoi(arguments[i + 1])));
  }
  ::pause();
  write_all(fd, "finished");
  ::close(fd);
  return 0;
}

int bugreportz(const Arguments& arguments) {
  const std::string option = arguments.empty() ? "" : arguments[0];
  if (option == "-v") return complain("1.1\n", 0);
  if (option == "-s") return print("a zip");
  if (!option.empty() && option != "-p") return complain("usage: bugreportz [-hpsv]\n", 1);
  const std::string zip = state_path("bugreport-stub.zip");
  if (!replace_state("bugreport-stub.zip", "a zip")) return print("FAIL:no space left\n");
  return print((option == "-p" ? "BEGIN:" + zip + "\nPROGRESS:1/2\n" : "") + "OK:" + zip + "\n");
}

int bugreport(const Arguments&) { return print("a report of words\n"); }

// One write, so that calls at the same time do not mix.
void note_call(std::string_view name, const Arguments& arguments) {
  const int fd = ::open(state_path("heard").c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (fd < 0) return;
  std::string call = std::string(name) + '\0';
  for (const std::string& argument : arguments) call += argument + '\0';
  call.back() = '\x1e';
  write_all(fd, call);
  ::close(fd);
}

int nothing(const Arguments&) { return 0; }

// Until Android 11 there is the program alone.
int cmd_input(const Arguments&) {
  return sdk() < 31 ? complain("No shell command implementation.\n", 0) : 0;
}

using Program = int (*)(const Arguments&);

int cmd(const Arguments& arguments) {
  static const std::map<std::string, Program, std::less<>> kServices = {
      {"activity", cmd_activity},     {"appops", appops}, {"input", cmd_input},
      {"notification", notification}, {"package", pm},    {"window", wm},
      {"connectivity", nothing},      {"wifi", nothing},  {"settings", settings},
      {"statusbar", nothing}};
  const std::string service = arguments.empty() ? "" : arguments[0];
  if (arguments.size() > 1 && arguments[1] == "help") return print(service + " commands:\n");
  if (service == "-l") {
    std::string services = "Currently running services:\n";
    for (const auto& [name, run] : kServices) services += "  " + name + "\n";
    return print(services);
  }
  const auto found = kServices.find(service);
  // Android 7 has few of them.
  const bool is_old = sdk() < 26 && service != "activity" && service != "package";
  if (found == kServices.end() || is_old)
    return complain("cmd: Can't find service: " + service + "\n", 20);
  return found->second(Arguments(arguments.begin() + 1, arguments.end()));
}

}  // namespace

int main(int argc, char** argv) {
  static const std::map<std::string_view, Program> kPrograms = {{"am", am},
                                                                {"bugreport", bugreport},
                                                                {"bugreportz", bugreportz},
                                                                {"cmd", cmd},
                                                                {"dumpsys", dumpsys},
                                                                {"getprop", getprop},
                                                                {"input", nothing},
                                                                {"log", log_line},
                                                                {"logcat", logcat},
                                                                {"monkey", nothing},
                                                                {"pm", pm},
                                                                {"run-as", run_as},
                                                                {"screencap", screencap},
                                                                {"screenrecord", screenrecord},
                                                                {"service", nothing},
                                                                {"settings", settings},
                                                                {"svc", nothing},
                                                                {"uiautomator", uiautomator},
                                                                {"wm", wm}};
  const std::string_view path = argc > 0 ? argv[0] : "";
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const Arguments arguments(argv + std::min(argc, 1), argv + argc);
  if (name == "phone") {  // the names to link it under
    for (const auto& [program, run] : kPrograms) print(std::string(program) + "\n");
    return 0;
  }
  const auto found = kPrograms.find(name);
  note_call(name, arguments);
  return found == kPrograms.end() ? 127 : found->second(arguments);
}
