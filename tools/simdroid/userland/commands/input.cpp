#include <algorithm>
#include <cstdlib>

#include "simdroid/userland/commands/commands.hpp"
#include "simdroid/userland/commands/exception.hpp"

namespace simdroid {
namespace {

constexpr auto kDefaultSwipe = std::chrono::milliseconds(300);
constexpr auto kLongPress = std::chrono::milliseconds(500);

std::optional<int> parse_coordinate(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(value > -1e6 && value < 1e6)) return std::nullopt;
  return static_cast<int>(value);
}

Task<int> bad_arguments(Process* process, std::string verb) {
  co_return co_await give_up(process, "Error: Invalid arguments for command: " + verb + "\n", 255);
}

Task<int> run_tap(Process* process, std::vector<std::string> args) {
  if (args.size() != 2) co_return co_await bad_arguments(process, "tap");
  const auto x = parse_coordinate(args[0]);
  const auto y = parse_coordinate(args[1]);
  if (!x || !y) co_return co_await bad_arguments(process, "tap");
  process->phone->ui().tap({*x, *y});
  co_return 0;
}

Task<int> run_swipe(Process* process, std::vector<std::string> args) {
  if (args.size() != 4 && args.size() != 5) co_return co_await bad_arguments(process, "swipe");
  std::vector<int> at;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto value = parse_coordinate(args[i]);
    if (!value) co_return co_await bad_arguments(process, "swipe");
    at.push_back(*value);
  }
  const auto given = args.size() == 5 ? parse_coordinate(args[4]) : std::nullopt;
  const auto time = given ? std::chrono::milliseconds(std::max(*given, 0)) : kDefaultSwipe;
  const Point from{at[0], at[1]};
  const Point to{at[2], at[3]};
  // A real finger takes this long.
  if (process->phone->options.profile == Profile::phone) co_await sleep_for(time);
  if (from == to && time >= kLongPress) {
    process->phone->ui().long_press(from);
  } else if (from == to) {
    process->phone->ui().tap(from);
  } else {
    process->phone->ui().swipe(from, to);
  }
  co_return 0;
}

Task<int> run_text(Process* process, std::vector<std::string> args) {
  if (args.size() != 1) co_return co_await bad_arguments(process, "text");
  std::string text = args[0];
  for (std::size_t at = 0; (at = text.find("%s", at)) != std::string::npos; ++at)
    text.replace(at, 2, " ");
  process->phone->ui().type(text);
  co_return 0;
}

Task<int> run_keyevent(Process* process, std::vector<std::string> args) {
  std::erase_if(args, [](const std::string& arg) { return arg.starts_with("--"); });
  if (args.empty()) co_return co_await bad_arguments(process, "keyevent");
  for (const std::string& name : args) {
    const auto key = key_from_name(name);
    if (!key) co_return co_await bad_arguments(process, "keyevent");
    process->phone->ui().press(*key);
  }
  co_return 0;
}

constexpr std::string_view kSources[] = {"touchscreen", "keyboard", "mouse",
                                         "touchpad",    "dpad",     "stylus"};

constexpr CommandEntry kCommands[] = {{"input", run_input, &Latencies::app_process}};

}  // namespace

std::span<const CommandEntry> input_commands() { return kCommands; }

Task<int> run_input(Process* process) {
  std::vector<std::string> args = process->args_from(1);
  const bool source = !args.empty() && std::ranges::find(kSources, args[0]) != std::end(kSources);
  if (source) args.erase(args.begin());
  if (args.empty())
    co_return co_await give_up(process, "Usage: input [<source>] <command> [<arg>...]\n", 255);
  const std::string verb = args.front();
  args.erase(args.begin());
  if (process->phone->faults.active(Fault::shell_restricted)) {
    co_return co_await refuse_shell(
        process, verb, "Injecting to another application requires INJECT_EVENTS permission");
  }
  if (verb == "tap") co_return co_await run_tap(process, args);
  if (verb == "swipe" || verb == "draganddrop") co_return co_await run_swipe(process, args);
  if (verb == "text") co_return co_await run_text(process, args);
  if (verb == "keyevent") co_return co_await run_keyevent(process, args);
  co_return co_await give_up(process, "Error: Unknown command: " + verb + "\n", 255);
}

}  // namespace simdroid
