#include <algorithm>
#include <cstdlib>

#include "simdroid/userland/commands/commands.hpp"
#include "simdroid/userland/commands/exception.hpp"

namespace simdroid {
namespace {

constexpr auto kDefaultSwipe = std::chrono::milliseconds(300);
constexpr auto kLongPress = std::chrono::milliseconds(500);

// Android 12 made a service of it, of which `input` is a script. Before, it is a program, which
// succeeded with any arguments.
constexpr int kService = 31;
constexpr int kNewProgram = 29;
constexpr std::string_view kInputUsage = "Usage: input [<source>] <command> [<arg>...]\n";
constexpr std::string_view kInputCommandList =
    "\nThe commands and default sources are:\n"
    "      text <string> (Default: touchscreen)\n"
    "      keyevent [--longpress] <key code number or name> ... (Default: keyboard)\n"
    "      tap <x> <y> (Default: touchscreen)\n"
    "      swipe <x1> <y1> <x2> <y2> [duration(ms)] (Default: touchscreen)\n"
    "      draganddrop <x1> <y1> <x2> <y2> [duration(ms)] (Default: touchscreen)\n";

std::optional<int> parse_coordinate(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !(value > -1e6 && value < 1e6)) return std::nullopt;
  return static_cast<int>(value);
}

Task<int> bad_arguments(Process* process, std::string verb) {
  const int sdk = process->phone->sdk();
  const std::string expected = "Argument expected after \"" + verb + "\"";
  if (sdk >= kService) {
    co_return co_await throw_exception(process, {verb, "IllegalArgumentException", expected});
  }
  const std::string why = sdk >= kNewProgram ? expected : "Invalid arguments for command: " + verb;
  co_return co_await give_up(process, std::string(kInputUsage) + "\nError: " + why + "\n", 0);
}

// The program's exception is on stderr; it killed old ones.
Task<int> uncaught(Process* process, JavaException thrown) {
  const int sdk = process->phone->sdk();
  if (sdk >= kService) co_return co_await throw_exception(process, std::move(thrown));
  const std::string what = "java.lang." + std::string(thrown.type) + ": " + thrown.text +
                           "\n\tat com.android.commands.input.Input.run(Input.java:107)\n";
  if (sdk >= kNewProgram) co_return co_await give_up(process, what, 1);
  co_return co_await give_up(process, what + "Killed\n", 137);
}

Task<int> run_tap(Process* process, std::vector<std::string> args) {
  if (args.size() < 2) co_return co_await bad_arguments(process, "tap");
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

// Holds, then moves; nothing on these screens can be carried, so that holding is what counts. Since
// Android 10 the time that it holds is a part of the time that it is given.
Task<int> run_drag(Process* process, std::vector<std::string> args) {
  if (args.size() != 4 && args.size() != 5) {
    co_return co_await bad_arguments(process, "draganddrop");
  }
  const auto x = parse_coordinate(args[0]);
  const auto y = parse_coordinate(args[1]);
  if (!x || !y) co_return co_await bad_arguments(process, "draganddrop");
  process->phone->ui().long_press({*x, *y});
  co_return 0;
}

// One letter that the keyboard has not, and nothing is typed.
Task<int> run_text(Process* process, std::vector<std::string> args) {
  if (args.size() != 1) co_return co_await bad_arguments(process, "text");
  std::string text = args[0];
  if (std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) > 0x7e; })) {
    co_return co_await uncaught(
        process, {"text", "NullPointerException", "Attempt to get length of null array"});
  }
  for (std::size_t at = 0; (at = text.find("%s", at)) != std::string::npos; ++at)
    text.replace(at, 2, " ");
  process->phone->ui().type(text);
  co_return 0;
}

// An unknown key is key 0, silently.
Task<int> run_keyevent(Process* process, std::vector<std::string> args) {
  std::erase_if(args, [](const std::string& arg) { return arg.starts_with("--"); });
  if (args.empty()) co_return co_await bad_arguments(process, "keyevent");
  for (const std::string& name : args) {
    const auto key = key_from_name(name);
    const bool ignored = key == Key::escape && process->phone->faults.active(Fault::escape_ignored);
    if (key && !ignored) process->phone->ui().press(*key);
  }
  co_return 0;
}

Task<int> unknown_input(Process* process, std::string verb) {
  const std::string text = "Unknown command: " + verb + "\n";
  if (process->phone->sdk() < kService) {
    co_return co_await give_up(process, std::string(kInputUsage) + "\nError: " + text, 0);
  }
  CO_TRY_VOID(co_await print(process, text));
  co_return 0;
}

Task<int> refuse_input(Process* process, std::string verb) {
  const bool is_new = process->phone->sdk() >= kService;
  co_return co_await uncaught(
      process, {std::move(verb), "SecurityException",
                is_new ? "Injecting input events requires the caller (or the source of the "
                         "instrumentation, if any) to have the INJECT_EVENTS permission."
                       : "Injecting to another application requires INJECT_EVENTS permission"});
}

constexpr std::string_view kSources[] = {"touchscreen", "keyboard", "mouse",
                                         "touchpad",    "dpad",     "stylus"};

constexpr CommandEntry kInputCommands[] = {{"input", run_input, &Latencies::app_process}};

struct Verb {
  std::string_view name;
  Task<int> (*run)(Process*, std::vector<std::string>);
};

constexpr Verb kVerbs[] = {{"tap", run_tap},
                           {"swipe", run_swipe},
                           {"draganddrop", run_drag},
                           {"text", run_text},
                           {"keyevent", run_keyevent}};

}  // namespace

std::span<const CommandEntry> input_commands() { return kInputCommands; }

Task<int> run_input(Process* process) {
  std::vector<std::string> args = process->args_from(1);
  const bool source = !args.empty() && std::ranges::find(kSources, args[0]) != std::end(kSources);
  if (source) args.erase(args.begin());
  if (args.empty()) {
    const std::string usage = std::string(kInputUsage).append(kInputCommandList);
    if (process->phone->sdk() < kService) co_return co_await give_up(process, usage, 0);
    CO_TRY_VOID(co_await print(process, usage));
    co_return 0;
  }
  const std::string verb = args.front();
  args.erase(args.begin());
  const auto known = std::ranges::find(kVerbs, verb, &Verb::name);
  if (known == std::end(kVerbs)) co_return co_await unknown_input(process, verb);
  if (process->phone->faults.active(Fault::shell_restricted)) {
    co_return co_await refuse_input(process, verb);
  }
  process->phone->counters.add("input." + verb);
  co_return co_await known->run(process, std::move(args));
}

Task<int> run_input_service(Process* process) {
  if (process->phone->sdk() >= kService) co_return co_await run_input(process);
  co_return co_await give_up(process, "No shell command implementation.\n", 0);
}

}  // namespace simdroid
