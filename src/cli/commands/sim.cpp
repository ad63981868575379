// Runs the simulated phone: a separate program beside this one, which replaces this process.

#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "base/number.hpp"
#include "base/own_program.hpp"
#include "base/system/errc.hpp"
#include "cli/commands/commands.hpp"

namespace clawperator::cli {
namespace {

using Words = std::vector<std::string>;

constexpr std::array kSimOptions{
    Option{"--listen", "", Arity::one, "<host:port>",
           "default 127.0.0.1:5555; port 0 selects a free one"},
    Option{"--port", "", Arity::one, "<port>", "only the port"},
    Option{"--profile", "", Arity::one, "<zero|phone>", "the delays of the phone; default zero",
           "zero phone"},
    Option{"--phone", "", Arity::one, "<name>", "the simulated phone; `list` prints their names",
           "list android-7 android-8 android-9 android-10 android-11 android-12 android-13 "
           "android-14 android-15 android-16 xiaomi oppo samsung huawei emulator"},
    Option{
        "--operator", "--operator-version", Arity::one, "<version>",
        "versions of its Operator app: 0.5.3 to 1.0.0; two, separated by a comma, or none; default "
        "0.12.5"},
    Option{"--seed", "", Arity::one, "<number>", "the seed of all jitter; default 1"},
    Option{"--serial", "", Arity::one, "<text>", "the phone's ro.serialno; default SIM0DROID1"},
    Option{"--screens", "", Arity::one, "<folder>", "a folder with further screen files"},
    Option{"--auth", "", Arity::one, "<none|key|tls>", "how a host must authenticate; default none",
           "none key tls"},
    Option{"--authorised", "", Arity::one, "<file>", "a file of accepted public keys, one a line"},
    Option{"--confirm-after", "", Arity::one, "<ms>", "confirm an offered key after this time"},
    Option{"--control", "", Arity::one, "<port-or-socket>",
           "a port or socket for simctl lines: faults, counters"},
};

// Prints the number in decimal, because the other program may read leading zeros differently.
template <class Number>
Result<std::string> plain_number(std::string_view flag, std::string_view text) {
  if (const auto number = whole_number<Number>(text)) return std::to_string(*number);
  return fail(errc::usage, std::string(flag) + " must be a number, not " + std::string(text));
}

Result<std::string> passed_on(std::string_view flag, const std::string& value) {
  if (flag == "--port") return plain_number<std::uint16_t>(flag, value);
  if (flag == "--seed") return plain_number<std::uint64_t>(flag, value);
  if (flag == "--confirm-after") return plain_number<std::uint32_t>(flag, value);
  return value;
}

Result<Words> words_for_simdroid(const Arguments& arguments) {
  Words words{"simdroid", "--json"};
  if (const auto* address = arguments.value("--listen")) {
    const auto colon = address->rfind(':');
    if (colon == address->npos || colon == 0) {
      return fail(errc::usage, "--listen must be HOST:PORT");
    }
    TRY(const std::string port,
        plain_number<std::uint16_t>("--listen", address->substr(colon + 1)));
    words.push_back("--host=" + address->substr(0, colon));
    if (!arguments.value("--port")) words.push_back("--port=" + port);
  }
  for (const Option& option : kSimOptions) {
    const std::string flag(option.name);
    const auto* value = arguments.value(flag);
    if (!value || flag == "--listen") continue;  // all others have the same name in simdroid
    TRY(const std::string text, passed_on(flag, *value));
    // One word, because a value may begin with a dash; but CLI11 accepts an empty value only
    // separately.
    if (text.empty()) {
      words.insert(words.end(), {flag, ""});
    } else {
      words.push_back(flag + "=" + text);
    }
  }
  return words;
}

Result<Answer> run_sim(const Invocation& invocation) {
  TRY(Words words, words_for_simdroid(invocation.arguments));
  const auto self = own_program();
  if (self.empty()) {
    return fail(errc::host_dependency_missing,
                "the simulated phone cannot be found: /proc/self/exe cannot be read");
  }
  const std::string program = (self.parent_path() / "simdroid").string();
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execv(program.c_str(), argv.data());
  return fail(errc::host_dependency_missing, "the simulated phone cannot be started: " + program +
                                                 ": " + std::generic_category().message(errno) +
                                                 ". It belongs beside clawperator.");
}

}  // namespace

constinit const Command kSim = {
    .name = "sim",
    .usage =
        "[--listen <host:port>] [--phone <name>] [--profile zero|phone] [--seed <number>] [--auth "
        "none|key|tls]",
    .summary = "Run a simulated device until stopped",
    .details =
        "Prints {\"address\",\"serial\"} when it listens. `adb connect <address>`, `clawperator\n"
        "connect <address>` and `--device <address> --transport tcp` connect to it; `simctl\n"
        "help` in its shell lists its controls. `--phone list` prints the Android releases and\n"
        "makers' phones that it can be; `simctl phone NAME` changes the phone while it runs,\n"
        "`simctl reset` undoes that. The process becomes the program simdroid, which is\n"
        "installed beside this one.",
    .examples = "sim\nsim --phone samsung\nsim --listen 127.0.0.1:0 --profile phone --seed 7\n",
    .reach = Reach::host,
    .options = kSimOptions,
    .run = run_sim};

}  // namespace clawperator::cli
