// screenrecord: a file with nothing to see, finished when it was ended by its time or by SIGINT.
#include <cstdlib>

#include "base/number.hpp"
#include "simdroid/userland/commands/commands.hpp"
#include "simdroid/userland/shell.hpp"

namespace simdroid {
namespace {

constexpr int kBadUsage = 2;
constexpr int kThreeMinutes = 180;
constexpr int kUnlimited = 34;  // Android 14 took the limit away

struct VideoOptions {
  long seconds = kThreeMinutes;
  std::string file;
  std::string wrong;  // the error where they cannot be used
};

VideoOptions read_video_options(const Process& process) {
  VideoOptions options;
  const bool limited = process.phone->sdk() < kUnlimited;
  for (std::size_t i = 1; i < process.count(); ++i) {
    const std::string& arg = process.arg(i);
    const std::string& value = process.arg(i + 1);
    if (arg == "--time-limit") {
      options.seconds = std::atol(value.c_str());
      const bool over = limited && (options.seconds <= 0 || options.seconds > kThreeMinutes);
      if (over) {
        options.wrong = "Time limit " + value + "s outside acceptable range [1,180]\n";
      }
    } else if (arg == "--size") {
      const auto height =
          whole_number<int>(value.substr(std::min(value.find('x') + 1, value.size())));
      if (height.value_or(0) == 0) {
        options.wrong = "Invalid size '" + value + "', must be width x height\n";
      }
    } else if (arg == "--bit-rate") {
      constexpr int kFewest = 100'000;
      if (whole_number<int>(value).value_or(0) < kFewest) {
        options.wrong = "Bit rate " + value + "bps outside acceptable range [100000,200000000]\n";
      }
    } else {
      options.file = process.path(arg);
      continue;
    }
    ++i;
  }
  if (options.file.empty() && options.wrong.empty()) {
    options.wrong = "Must specify output file (see --help).\n";
  }
  return options;
}

// A file's first box is its type; the rest here is no picture.
constexpr std::string_view kType{
    "\0\0\0\x18"
    "ftypmp42\0\0\0\0isommp42",
    24};
// The boxes that a recorder writes when it finishes.
constexpr std::string_view kEnding{
    "\0\0\0\x08"
    "moov",
    8};

std::string beginning(std::string_view how) {
  constexpr std::size_t kPicture = 70'000;
  if (how == "empty") return {};
  return std::string(kType) + (how == "begun" ? "" : std::string(kPicture, '\x5a'));
}

std::string video_help(int sdk) {
  const std::string most = sdk < kUnlimited
                               ? "Default / maximum is 180.\n"
                               : "Default is 180. Set to 0\n    to remove the time limit.\n";
  return "Usage: screenrecord [options] <filename>\n\nOptions:\n--size WIDTHxHEIGHT\n"
         "--bit-rate RATE\n--time-limit TIME\n    Set the maximum recording time, in seconds.  " +
         most;
}

Task<int> run_screenrecord(Process* process) {
  using namespace base::parallel;
  Phone* phone = process->phone;
  if (process->arg(1) == "--help") {
    co_return co_await give_up(process, video_help(phone->sdk()), kBadUsage);
  }
  const Faults& faults = phone->faults;
  const std::string how =
      faults.active(Fault::screenrecord_fails) ? faults.text(Fault::screenrecord_fails) : "";
  const VideoOptions options = read_video_options(*process);
  if (!options.wrong.empty()) co_return co_await give_up(process, options.wrong, kBadUsage);
  phone->counters.add("screenrecord");
  if (how == "encoder") {
    co_return co_await give_up(
        process, "ERROR: unable to configure video/avc codec at 1080x2400 (err=-1010)\n");
  }
  FileSystem& files = phone->files;
  auto made = files.create(options.file, 0660);
  if (made) made = files.append(options.file, beginning(how));
  if (!made) {
    co_return co_await give_up(
        process, "Unable to open '" + options.file + "': " + error_text(made.error()) + "\n");
  }
  const auto interrupted = std::make_shared<Signal>(phone->executor);
  const int pid = process->shell->pid();
  if (how != "deaf") {
    phone->processes.catch_interrupts(pid, [interrupted] { interrupted->notify_all(); });
  } else {
    phone->processes.catch_interrupts(pid, [] {});
  }
  const long seconds = options.seconds > 0 ? options.seconds : 24L * 3600;
  co_await (sleep_for(std::chrono::seconds(seconds)) || interrupted->wait());
  phone->processes.catch_interrupts(pid, {});
  if (how == "empty" || how == "begun") co_return 0;
  [[maybe_unused]] const auto ended = files.append(options.file, kEnding);
  co_return 0;
}

constexpr CommandEntry kVideoCommands[] = {{"screenrecord", run_screenrecord}};

}  // namespace

std::span<const CommandEntry> video_commands() { return kVideoCommands; }

}  // namespace simdroid
