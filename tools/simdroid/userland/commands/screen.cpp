#include "adbproto/wire/screencap.hpp"
#include "runtime/image/png.hpp"
#include "simdroid/ui/draw.hpp"
#include "simdroid/ui/hierarchy.hpp"
#include "simdroid/userland/commands/commands.hpp"
#include "simdroid/userland/screencap_file.hpp"

namespace simdroid {
namespace {

// Opaque black, for a screen that may not be captured.
void blacken(Bytes* pixels) {
  for (std::size_t i = 0; i < pixels->size(); ++i) {
    (*pixels)[i] = i % 4 == 3 ? std::byte{0xff} : std::byte{0};
  }
}

// The third u32 of the header is the pixel format.
Bytes with_format(const Faults& faults, Bytes output) {
  if (!faults.active(Fault::screencap_format)) return output;
  constexpr std::size_t kFormatAt = 8;
  output[kFormatAt] = static_cast<std::byte>(faults.number(Fault::screencap_format));
  return output;
}

constexpr std::string_view kManyDisplays =
    "[Warning] Multiple displays were found, but no display id was specified! Defaulting to the "
    "first display found, however this default is not guaranteed to be consistent across "
    "captures. A display id should be specified.\nA display ID can be specified with the "
    "[-d display-id] option.\nSee \"dumpsys SurfaceFlinger --display-id\" for valid display "
    "IDs.\n";

// The whole output of screencap: the frame is drawn and encoded every time.
Task<Bytes> capture(Process* process, bool png, bool black) {
  Phone* phone = process->phone;
  auto start = Clock::now();
  const Frame frame = draw_screen(phone->ui());
  Bytes pixels(frame.bytes().begin(), frame.bytes().end());
  if (black) blacken(&pixels);
  RawFrame raw;
  raw.width = static_cast<std::uint32_t>(frame.width);
  raw.height = static_cast<std::uint32_t>(frame.height);
  raw.format = PixelFormat::rgba_8888;
  raw.colorspace = 1;
  raw.pixels = pixels;
  constexpr int kColoursSince = 28;
  const auto header = phone->sdk() < kColoursSince ? adbproto::ScreencapHeader::words_3
                                                   : adbproto::ScreencapHeader::words_4;
  co_await phone->spend(phone->costs.capture, start);
  if (!png) co_return with_format(phone->faults, encode_screencap(raw, header));
  start = Clock::now();
  auto encoded = clawperator::encode_png(raw);
  co_await phone->spend(phone->costs.encode_png, start);
  co_return encoded;
}

// The rest of the output under the screencap faults.
Bytes damaged(const Faults& faults, Bytes output) {
  if (faults.active(Fault::screencap_empty)) return {};
  if (!faults.active(Fault::screencap_truncated)) return output;
  const auto kept = static_cast<std::size_t>(faults.number(Fault::screencap_truncated));
  output.resize(std::min(output.size(), kept));
  return output;
}

Task<int> write_file(Process* process, std::string path, Bytes content) {
  FileSystem& files = process->phone->files;
  auto done = files.create(path, 0660);
  if (done) done = files.append(path, as_text(content));
  if (done) co_return 0;
  co_return co_await give_up(
      process, "Error opening file: " + path + " (" + error_text(done.error()) + ")\n");
}

Task<int> run_screencap(Process* process) {
  const Faults& faults = process->phone->faults;
  bool png = false;
  std::string file;
  std::string display;
  for (std::size_t i = 1; i < process->count(); ++i) {
    const std::string& arg = process->arg(i);
    if (arg == "-p") {
      png = true;
    } else if (arg == "-d") {
      display = process->arg(++i);
    } else if (arg.starts_with('-')) {
      co_return co_await give_up(process, "usage: screencap [-ahp] [-d display-id] [FILENAME]\n");
    } else {
      file = process->path(arg);
    }
  }
  process->phone->counters.add("screencap");
  if (faults.active(Fault::screencap_fails)) {
    co_return co_await give_up(process, faults.text(Fault::screencap_fails) + "\n");
  }
  if (faults.active(Fault::screencap_hangs)) co_await sleep_for(std::chrono::hours(24));
  const bool two = faults.active(Fault::second_display);
  const bool known = display.empty() || display == kMainDisplay || display == kSecondDisplay;
  if (!known) {
    co_return co_await give_up(process, "Display Id '" + display + "' is not valid.\n");
  }
  if (two && display.empty()) CO_TRY_VOID(co_await complain(process, std::string(kManyDisplays)));
  const bool dark = two && display != kMainDisplay;
  const bool black = dark || faults.active(Fault::secure_window);
  CO_TRY(Bytes captured, co_await capture(process, png || file.ends_with(".png"), black));
  const Bytes output = damaged(faults, std::move(captured));
  if (!file.empty()) co_return co_await write_file(process, file, output);
  const StreamPtr out = process->io.out;
  if (!output.empty()) CO_TRY_VOID(co_await out->write_all(output));
  co_return 0;
}

// There may be one client of UiAutomation at a time. The exception kills the program.
Task<int> is_registered(Process* process) {
  co_return co_await give_up(
      process,
      "java.lang.IllegalStateException: UiAutomationService "
      "android.accessibilityservice.IAccessibilityServiceClient$Stub$Proxy@8e0f1c4already "
      "registered!\n\tat android.os.Parcel.createException(Parcel.java:1966)\nKilled\n",
      137);
}

// A file that cannot be written is logged, and success is reported all the same.
Task<void> write_dump(Process* process, std::string file, std::string xml) {
  const Faults& faults = process->phone->faults;
  const bool fails = faults.active(Fault::uiautomator_fails);
  const std::string how = fails ? faults.text(Fault::uiautomator_fails) : "";
  if (how == "write") co_return ok();
  if (how == "half") xml.resize(xml.size() / 2);
  if (file == "/dev/tty" || file == "/dev/stdout") co_return co_await print(process, xml);
  FileSystem& files = process->phone->files;
  if (auto done = files.create(file, 0660)) done = files.append(file, xml);
  co_return ok();
}

// The message instead of a tree, with a meaningless status; empty when there will be a tree.
Task<std::string> why_no_tree(Phone* phone) {
  Faults& faults = phone->faults;
  if (!faults.active(Fault::uiautomator_fails)) co_return std::string();
  const std::string how = faults.text(Fault::uiautomator_fails);
  if (how == "hang") co_await sleep_for(std::chrono::hours(24));
  if (how == "idle-once") CO_TRY_VOID(faults.clear("uiautomator-fails"));
  if (how.starts_with("idle")) co_return "ERROR: could not get idle state.\n";
  if (how != "null") co_return std::string();
  co_return "ERROR: null root node returned by UiTestAutomationBridge.\n";
}

std::string tree_of(Phone* phone) {
  if (!phone->faults.active(Fault::tree_file)) {
    return hierarchy_xml(phone->ui(), HierarchyStyle::uiautomator);
  }
  const auto text = phone->files.read(phone->faults.text(Fault::tree_file));
  return text ? std::string(*text) : std::string();
}

Task<int> run_uiautomator(Process* process) {
  Phone* phone = process->phone;
  if (process->arg(1) != "dump") {
    co_return co_await give_up(process, "Usage: uiautomator <subcommand> [options]\n");
  }
  // It ignores unknown options.
  constexpr int kAllWindows = 30;
  std::string target = "/sdcard/window_dump.xml";
  bool all = false;
  for (std::size_t i = 2; i < process->count(); ++i) {
    if (!process->arg(i).starts_with("--")) target = process->path(process->arg(i));
    all = all || (process->arg(i) == "--windows" && phone->sdk() >= kAllWindows);
  }
  phone->counters.add("uiautomator_dump");
  if (phone->faults.active(Fault::ui_automation)) co_return co_await is_registered(process);
  co_await phone->spend(phone->costs.uiautomator_dump);
  CO_TRY(const std::string why, co_await why_no_tree(phone));
  phone->accessibility.was_suppressed();
  if (!why.empty()) co_return co_await give_up(process, why, 0);
  std::string xml = all ? windows_xml(phone->ui()) : tree_of(phone);
  phone->world->on_tree_read();
  CO_TRY_VOID(co_await write_dump(process, target, std::move(xml)));
  CO_TRY_VOID(co_await print(process, "UI hierchary dumped to: " + target + "\n"));
  co_return 0;
}

std::string with_override(std::string text, std::string_view what, const std::string& value) {
  return value.empty() ? text : text + "Override " + std::string(what) + ": " + value + "\n";
}

constexpr CommandEntry kScreenCommands[] = {
    {"screencap", run_screencap},
    {"uiautomator", run_uiautomator, &Latencies::app_process},
    {"wm", run_window, &Latencies::cmd_service},
};

}  // namespace

std::span<const CommandEntry> screen_commands() { return kScreenCommands; }

namespace {

// user-rotation [lock N|free] since Android 12; set-user-rotation, which cannot read it, on 10 and
// 11.
Task<int> rotate_user(Process* process, bool reads) {
  Settings::Table& system = *process->phone->settings.table("system");
  std::string& automatic = system["accelerometer_rotation"];
  const std::string& verb = process->arg(2);
  if (verb.empty() && reads) {
    CO_TRY_VOID(co_await print(
        process, automatic == "1" ? "free\n" : "lock " + system["user_rotation"] + "\n"));
    co_return 0;
  }
  if (verb == "free") {
    automatic = "1";
    co_return 0;
  }
  const std::string& turns = process->arg(3);
  if (verb != "lock" || (!turns.empty() && (turns.size() > 1 || turns < "0" || turns > "3"))) {
    co_return co_await give_up(process, "Error: expecting free, lock [rotation]\n", 255);
  }
  automatic = "0";
  const bool ignored = process->phone->faults.active(Fault::setting_ignored) &&
                       process->phone->faults.text(Fault::setting_ignored) == "user_rotation";
  if (!turns.empty() && !ignored) system["user_rotation"] = turns;
  co_return 0;
}

}  // namespace

// wm size|density [VALUE|reset], wm user-rotation
Task<int> run_window(Process* process) {
  Phone* phone = process->phone;
  const std::string& verb = process->arg(1);
  constexpr int kRotates = 29;
  constexpr int kReadsRotationSince = 31;
  const bool reads = phone->sdk() >= kReadsRotationSince;
  if (verb == (reads ? "user-rotation" : "set-user-rotation") && phone->sdk() >= kRotates) {
    co_return co_await rotate_user(process, reads);
  }
  const bool size = verb == "size";
  if (!size && verb != "density") {
    co_return co_await give_up(process, "Unknown command: " + verb + "\n", 255);
  }
  std::string& override_value = size ? phone->size_override : phone->density_override;
  if (process->count() > 2) {
    override_value = process->arg(2) == "reset" ? "" : process->arg(2).substr(0, 32);
    co_return 0;
  }
  const std::string physical = size ? "Physical size: " + std::to_string(kScreenWidth) + "x" +
                                          std::to_string(kScreenHeight) + "\n"
                                    : "Physical density: " + std::to_string(kScreenDensity) + "\n";
  CO_TRY_VOID(co_await print(process, with_override(physical, verb, override_value)));
  co_return 0;
}

}  // namespace simdroid
