#include "cli/globals.hpp"

#include <algorithm>
#include <utility>

#include "cli/number.hpp"
#include "cli/output.hpp"

namespace clawperator::cli {
namespace {

using adbproto::Errc;
using adbproto::Result;
using Words = std::span<const std::string>;

// What becomes of a flag whose value is absent or unfit.
enum class ValueRule {
  none,    // takes no value
  keep,    // without a next word the flag stays where it is
  ignore,  // without a next word the flag is dropped
  any,     // any next word, else USAGE
  plain,   // a next word that is not blank and does not begin with `-`, else USAGE
};

using Apply = Result<void> (*)(Globals&, std::string_view value);

struct Rule {
  ValueRule value;
  Apply apply;
};

Result<void> set_lock_patience(Globals& globals, std::string_view value) {
  constexpr double kMost = 3'600'000;
  const double given = parse_number(value);
  if (!(given >= 0 && given <= kMost)) {
    return adbproto::fail(Errc::usage,
                          "--wait must be between 0 and 3600000, not " + std::string(value));
  }
  globals.lock_patience = std::chrono::milliseconds(static_cast<std::int64_t>(given));
  return adbproto::ok();
}

Result<void> set_log_level(Globals& globals, std::string_view value) {
  std::string level(value);
  std::ranges::transform(level, level.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  if (!contains_word("debug info warn error", level) || level.empty()) {
    return adbproto::fail(Errc::usage, "--log-level must be one of: debug, info, warn, error");
  }
  globals.log_level = std::move(level);
  return {};
}

Result<void> set_transport(Globals& globals, std::string_view value) {
  static constexpr std::pair<std::string_view, Transport> kNames[] = {
      {"auto", Transport::automatic},
      {"server", Transport::server},
      {"tcp", Transport::tcp},
      {"usb", Transport::usb}};
  for (const auto& [name, transport] : kNames) {
    if (name != value) continue;
    globals.target.transport = transport;
    return {};
  }
  return adbproto::fail(Errc::usage, "--transport must be one of: auto, server, tcp, usb");
}

Result<void> set_output(Globals& globals, std::string_view value) {
  if (!contains_word("json pretty", value) || value.empty()) {
    return adbproto::fail(Errc::usage, "--output must be one of: json, pretty");
  }
  globals.output = value == "pretty" ? OutputMode::pretty : OutputMode::json;
  return {};
}

constexpr Option kOptions[] = {
    {"--device", "--device-id", Arity::one, "<serial>",
     "the device to use; default ANDROID_SERIAL, else the only one"},
    {"--operator-package", "--receiver-package", Arity::one, "<package>",
     "the Operator app; default com.clawperator.operator"},
    {"--json", "", Arity::none, "", "print JSON (the default)"},
    {"--output", "--format", Arity::one, "<json|pretty>",
     "pretty prints tables and trees for people", "json pretty"},
    {"--timeout", "--timeout-ms", Arity::one, "<ms>",
     "how long the device may take, 1000 to 120000; of a chore all of it, to 3600000"},
    {"--wait", "", Arity::one, "<ms>",
     "how long to wait for a device that is busy with another execution; default 0, to 3600000"},
    {"--timings", "", Arity::none, "", "add the microseconds of each phase to the result"},
    {"--route", "", Arity::none, "", "add the route that served the result"},
    {"--transport", "", Arity::one, "<auto|server|tcp|usb>",
     "how to reach the device; tcp dials --device HOST:PORT", "auto server tcp usb"},
    {"--adb-server", "", Arity::one, "<address>",
     "tcp:HOST:PORT, tcp:PORT or localfilesystem:PATH"},
    {"--start-server", "", Arity::none, "", "start the adb server if none runs"},
    {"--broadcast-action", "", Arity::one, "<action>", "the broadcast the Operator app listens to"},
    {"--log-level", "", Arity::one, "<level>", "log file detail: debug, info, warn, error",
     "debug info warn error"},
    {"--verbose", "", Arity::none, "", "write the debug log to stderr"},
    {"--no-daemon", "", Arity::none, "", "accepted; every command already runs by itself"},
    {"--disable-star-suggestions", "", Arity::none, "", "accepted for old scripts"},
    {"--help", "-h", Arity::none, "", "print help"},
    {"--version", "", Arity::none, "", "print the version"},
};

// In the order of kOptions; --help and --version are the scanner's own.
constexpr Rule kRules[] = {
    {ValueRule::keep,
     [](Globals& g, std::string_view v) {
       g.target.device = v;
       return adbproto::ok();
     }},
    {ValueRule::plain,
     [](Globals& g, std::string_view v) {
       g.operator_package = v;
       return adbproto::ok();
     }},
    {ValueRule::none,
     [](Globals& g, std::string_view) {
       g.output = OutputMode::json;
       return adbproto::ok();
     }},
    {ValueRule::ignore, set_output},
    {ValueRule::any,
     [](Globals& g, std::string_view v) {
       g.timeout_ms = parse_number(v);
       return adbproto::ok();
     }},
    {ValueRule::any, set_lock_patience},
    {ValueRule::none,
     [](Globals& g, std::string_view) {
       g.timings = true;
       return adbproto::ok();
     }},
    {ValueRule::none,
     [](Globals& g, std::string_view) {
       g.route = true;
       return adbproto::ok();
     }},
    {ValueRule::plain, set_transport},
    {ValueRule::plain,
     [](Globals& g, std::string_view v) {
       g.target.adb_server = v;
       return adbproto::ok();
     }},
    {ValueRule::none,
     [](Globals& g, std::string_view) {
       g.target.start_server = true;
       return adbproto::ok();
     }},
    {ValueRule::plain,
     [](Globals& g, std::string_view v) {
       g.broadcast_action = v;
       return adbproto::ok();
     }},
    {ValueRule::any, set_log_level},
    {ValueRule::none,
     [](Globals& g, std::string_view) {
       g.verbose = true;
       return adbproto::ok();
     }},
    {ValueRule::none, [](Globals&, std::string_view) { return adbproto::ok(); }},
    {ValueRule::none, [](Globals&, std::string_view) { return adbproto::ok(); }},
    {ValueRule::none, nullptr},
    {ValueRule::none, nullptr},
};
static_assert(std::size(kOptions) == std::size(kRules));

const Rule& rule_of(const Option& option) { return kRules[&option - std::data(kOptions)]; }

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == text.npos; }

std::unexpected<adbproto::Error> value_required(std::string_view spelling) {
  return adbproto::fail(Errc::usage, std::string(spelling) + " requires a value");
}

// Does the command itself declare this flag, with a value that can be meant for it?
bool belongs_to_command(std::span<const Option> own, const FlagToken& token, Words following) {
  const Option* option = find_option(own, token.spelling);
  if (!option) return false;
  const std::string_view value = token.has_value      ? token.value
                                 : !following.empty() ? std::string_view(following.front())
                                                      : std::string_view{};
  const bool output_mode = value == "json" || value == "pretty";
  return !output_mode || option->choices.empty() || contains_word(option->choices, value);
}

class Scanner {
 public:
  Scanner(Words argv, const OwnOptions& own_options) : argv_(argv), own_options_(own_options) {}

  Result<Scan> run() {
    for (; at_ < argv_.size() && argv_[at_] != "--" && !is_foreign(); ++at_) {
      TRY_VOID(take_word());
    }
    if (is_foreign()) scan_.rest.emplace_back("--");
    scan_.rest.insert(scan_.rest.end(), argv_.begin() + static_cast<std::ptrdiff_t>(at_),
                      argv_.end());
    wait_for_people();
    return std::move(scan_);
  }

 private:
  // A key that a phone's owner must allow is waited for as long as the command may take.
  void wait_for_people() {
    TargetOptions& target = scan_.globals.target;
    target.on_notice = [](std::string_view line) {
      print_warning("[clawperator] " + std::string(line));
    };
    const double limit = scan_.globals.timeout_ms.value_or(-1);
    constexpr double kMost = 3'600'000;
    if (limit >= 0) {
      target.authorization_limit =
          std::chrono::milliseconds(static_cast<std::int64_t>(std::min(limit, kMost)));
    }
  }

  [[nodiscard]] bool is_foreign() const {
    return scan_.rest.size() == 1 && scan_.rest.front() == kForeignCommand;
  }

  Result<void> take_word() {
    const std::string& word = argv_[at_];
    const FlagToken token = split_flag(word);
    const Option* option = find_option(kOptions, token.spelling);
    const auto following = argv_.subspan(at_ + 1);
    if (!option || belongs_to_command(own_options_(scan_.rest), token, following)) {
      scan_.rest.push_back(word);
      return {};
    }
    if (token.has_value) return take_attached(*option, token);
    return take_following(*option, token.spelling, following);
  }

  Result<void> take_attached(const Option& option, const FlagToken& token) {
    const Rule& rule = rule_of(option);
    if (rule.value == ValueRule::none) {
      return adbproto::fail(Errc::usage, std::string(token.spelling) + " does not take a value");
    }
    if (is_blank(token.value)) return value_required(token.spelling);
    return rule.apply(scan_.globals, token.value);
  }

  Result<void> take_following(const Option& option, std::string_view spelling, Words following) {
    const Rule& rule = rule_of(option);
    if (!rule.apply) {
      (option.name == "--help" ? scan_.help : scan_.version) = true;
      return {};
    }
    if (rule.value == ValueRule::none) return rule.apply(scan_.globals, {});
    // Help is never a value: who asks for it means no action.
    const bool has_next = !following.empty() && following.front() != "--" &&
                          !is_spelling_of(*find_option(kOptions, "--help"), following.front());
    if (rule.value == ValueRule::keep && (!has_next || following.front().empty())) {
      scan_.rest.emplace_back(spelling);
      return {};
    }
    if (rule.value == ValueRule::ignore && !has_next) return {};
    const bool fit = has_next && (rule.value != ValueRule::plain ||
                                  (!is_blank(following.front()) && following.front()[0] != '-'));
    if (!fit && option.name != "--log-level") return value_required(spelling);
    if (has_next) ++at_;
    return rule.apply(scan_.globals, has_next ? std::string_view(following.front()) : "");
  }

  Words argv_;
  const OwnOptions& own_options_;
  std::size_t at_ = 0;
  Scan scan_;
};

// `--version` anywhere before the first `--`, unless the command before it has one of its own.
bool asks_for_version(Words words, const OwnOptions& own_options) {
  std::vector<std::string> command;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--version" && !find_option(own_options(command), words[i])) return true;
    const Option* global = find_option(kOptions, words[i]);
    const bool has_value = global && global->arity == Arity::one && i + 1 < words.size() &&
                           words[i + 1] != "--version";
    if (has_value) {
      ++i;
    } else if (!words[i].starts_with('-')) {
      command.push_back(words[i]);
    }
  }
  return false;
}

}  // namespace

std::span<const Option> global_options() { return kOptions; }

Result<Scan> scan_globals(Words argv, const OwnOptions& own_options) {
  const auto end = std::ranges::find_if(
      argv, [](const std::string& word) { return word == "--" || word == kForeignCommand; });
  const auto words = std::ranges::subrange(argv.begin(), end);
  if (asks_for_version(Words(words.begin(), words.end()), own_options)) {
    Scan scan;
    scan.version = true;
    return scan;
  }
  return Scanner(argv, own_options).run();
}

OutputMode guess_output(Words argv) {
  OutputMode mode = OutputMode::json;
  for (std::size_t i = 0; i < argv.size() && argv[i] != "--"; ++i) {
    const FlagToken token = split_flag(argv[i]);
    if (token.spelling == "--json") mode = OutputMode::json;
    if (token.spelling != "--output" && token.spelling != "--format") continue;
    const std::string_view value = token.has_value       ? token.value
                                   : i + 1 < argv.size() ? std::string_view(argv[i + 1])
                                                         : std::string_view{};
    mode = value == "pretty" ? OutputMode::pretty : OutputMode::json;
  }
  return mode;
}

}  // namespace clawperator::cli
