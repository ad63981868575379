// The simulated phone is a program of its own, installed beside this one, which becomes it.

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
    Option{"--listen", "", Arity::one, "<host:port>", "default 127.0.0.1:5555; port 0 is any"},
    Option{"--port", "", Arity::one, "<port>", "the port alone"},
    Option{"--profile", "", Arity::one, "<zero|phone>", "how long things take; default zero",
           "zero phone"},
    Option{"--phone", "", Arity::one, "<name>", "which phone it is; `list` names them",
           "list android-7 android-8 android-9 android-10 android-11 android-12 android-13 "
           "android-14 android-15 android-16 xiaomi oppo samsung huawei emulator"},
    Option{"--operator", "--operator-version", Arity::one, "<version>",
           "of its Operator app: 0.5.3 to 1.0.0; two with a comma between them, or none; default "
           "0.12.5"},
    Option{"--seed", "", Arity::one, "<number>", "of all jitter; default 1"},
    Option{"--serial", "", Arity::one, "<text>", "its ro.serialno; default SIM0DROID1"},
    Option{"--screens", "", Arity::one, "<folder>", "screen files on top of the bundled ones"},
    Option{"--auth", "", Arity::one, "<none|key|tls>", "what a host must show; default none",
           "none key tls"},
    Option{"--authorised", "", Arity::one, "<file>", "public keys that may come in, a line each"},
    Option{"--confirm-after", "", Arity::one, "<ms>", "when an offered key is confirmed"},
    Option{"--control", "", Arity::one, "<port-or-socket>", "takes simctl lines: faults, counters"},
};

// As a decimal number is written, whatever the other program makes of zeros in front.
template <class Number>
Result<std::string> plain_number(std::string_view flag, std::string_view text) {
  if (const auto number = whole_number<Number>(text)) return std::to_string(*number);
  return fail(errc::usage, std::string(flag) + " is no number: " + std::string(text));
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
    if (!value || flag == "--listen") continue;  // all others have the same name there
    TRY(const std::string text, passed_on(flag, *value));
    // One word, because a value may begin with a dash; but CLI11 takes an empty one by itself only.
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
    .summary = "Be a simulated device until stopped",
    .details =
        "Prints {\"address\",\"serial\"} once it listens. `adb connect <address>`, `clawperator "
        "connect\n<address>` or `--device <address> --transport tcp` reach it; its shell knows "
        "`simctl help`.\n`--phone list` tells the Android releases and makers' phones that it can "
        "be; `simctl phone\nNAME` changes it while it runs, `simctl reset` ends that. The process "
        "becomes the program\nsimdroid, which is installed beside this one.",
    .examples = "sim\nsim --phone samsung\nsim --listen 127.0.0.1:0 --profile phone --seed 7\n",
    .reach = Reach::host,
    .options = kSimOptions,
    .run = run_sim};

}  // namespace clawperator::cli
