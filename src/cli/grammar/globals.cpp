#include "cli/grammar/globals.hpp"

#include <algorithm>
#include <iterator>

#include "base/js_string.hpp"
#include "base/text.hpp"
#include "cli/grammar/arguments.hpp"
#include "cli/grammar/number.hpp"
#include "runtime/engine/engine.hpp"

namespace clawperator::cli {
namespace {

constexpr std::string_view kOutputs = "json pretty brief";
constexpr std::string_view kBackends = "app shell";
constexpr std::string_view kTransports = "auto server tcp usb";
constexpr std::string_view kLogLevels = "debug info warn error";

using Apply = Result<void> (*)(Globals&, std::string_view value);

struct Global {
  Option option;
  Apply apply;  // the value is empty if the option has none
};

Result<void> nothing(Globals&, std::string_view) { return {}; }

// `Member` is the path from the globals to the value.
template <auto Member>
Result<void> set_flag(Globals& globals, std::string_view) {
  std::invoke(Member, globals) = true;
  return {};
}

template <auto Member>
Result<void> set_text(Globals& globals, std::string_view value) {
  std::invoke(Member, globals) = value;
  return {};
}

// The phone's owner has as much time to allow a key as the command has.
Result<void> set_timeout(Globals& globals, std::string_view value) {
  // An hour, like the engine's kMaxPatience; an infinite number would overflow.
  constexpr double kMost = 3'600'000;
  const double limit = parse_number(value);
  globals.timeout_ms = limit;
  globals.target.authorization_limit =
      limit >= 0 ? std::chrono::milliseconds(static_cast<std::int64_t>(std::min(limit, kMost)))
                 : TargetOptions{}.authorization_limit;
  return ok();
}

Result<void> set_lock_patience(Globals& globals, std::string_view value) {
  const double given = parse_number(value);
  if (!(given >= 0 && given <= static_cast<double>(kMaxPatience.count()))) {
    // The part behind the `=` of a flag may be a secret.
    const auto shown = value.starts_with("--") ? spelling_of(value) : value;
    return fail(errc::usage, "--wait must be between 0 and 3600000, not " + std::string(shown));
  }
  globals.lock_patience = std::chrono::milliseconds(static_cast<std::int64_t>(given));
  return ok();
}

// Sets a time only if --wait has set none.
Result<void> set_queue(Globals& globals, std::string_view) {
  if (globals.lock_patience == globals.lock_patience.zero()) globals.lock_patience = kQueuePatience;
  return ok();
}

Result<void> set_log_level(Globals& globals, std::string_view value) {
  std::string level = ascii_lower(value);
  if (!is_one_of(level, kLogLevels)) {
    return not_a_choice("--log-level", kLogLevels);
  }
  globals.log_level = std::move(level);
  return {};
}

Result<void> set_transport(Globals& globals, std::string_view value) {
  for (const auto& [name, transport] : kTransportNames) {
    if (name != value) continue;
    globals.target.transport = transport;
    return {};
  }
  return not_a_choice("--transport", kTransports);
}

Result<void> set_backend(Globals& globals, std::string_view value) {
  globals.backend = read_backend(value);
  return globals.backend ? ok() : not_a_choice("--backend", kBackends);
}

Result<void> set_output(Globals& globals, std::string_view value) {
  if (!is_one_of(value, kOutputs)) {
    return not_a_choice("--output", kOutputs);
  }
  globals.output = output_mode(value);
  return {};
}

constexpr Global kGlobals[] = {
    {{"--device", "--device-id", Arity::any, "<serial>",
      "the device; default ANDROID_SERIAL, else the only one", "", OnMissing::ignore},
     set_text<[](Globals& g) -> auto& { return g.target.device; }>},
    {{"--operator-package", "--receiver-package", Arity::one, "<package>",
      "the Operator app; default: the installed one"},
     set_text<&Globals::operator_package>},
    {{"--backend", "", Arity::one, "<app|shell>",
      "what acts on the phone: app, the Operator app (default), or shell, the phone's own shell",
      kBackends},
     set_backend},
    {{"--json", "", Arity::none, "", "print JSON (the default)"},
     [](Globals& g, std::string_view) {
       g.output = OutputMode::json;
       return ok();
     }},
    {{"--output", "--format", Arity::any, "<json|pretty|brief>",
      "pretty: tables and trees for people; brief: one short line for agents", kOutputs,
      OnMissing::ignore},
     set_output},
    {{"--timeout", "--timeout-ms", Arity::any, "<ms>",
      "time limit on the device, 1000 to 120000; for commands without an execution to 3600000"},
     set_timeout},
    {{"--wait", "", Arity::any, "<ms>",
      "how long to wait for a device that runs another execution; default 0, up to 3600000"},
     set_lock_patience},
    {{"--queue", "", Arity::none, "",
      "wait like --wait, up to 60000 ms unless --wait names another time"},
     set_queue},
    {{"--timings", "", Arity::none, "", "add the duration of each phase in microseconds"},
     set_flag<&Globals::timings>},
    {{"--transport", "", Arity::one, "<auto|server|tcp|usb>",
      "how to reach the device; tcp dials --device HOST:PORT", kTransports},
     set_transport},
    {{"--adb-server", "", Arity::one, "<address>",
      "tcp:HOST:PORT, tcp:PORT or localfilesystem:PATH"},
     set_text<[](Globals& g) -> auto& { return g.target.adb_server; }>},
    {{"--start-server", "", Arity::none, "", "start the adb server if none runs"},
     set_flag<[](Globals& g) -> auto& { return g.target.start_server; }>},
    {{"--accept-new", "", Arity::none, "",
      "accept another phone than before at the address of --device, and remember it"},
     set_flag<[](Globals& g) -> auto& { return g.target.accept_new; }>},
    {{"--broadcast-action", "", Arity::one, "<action>",
      "the broadcast action of the Operator app; default from its package name"},
     set_text<&Globals::broadcast_action>},
    {{"--log-level", "", Arity::any, "<level>", "log file detail: debug, info, warn, error",
      kLogLevels, OnMissing::command},
     set_log_level},
    {{"--verbose", "", Arity::none, "", "write the debug log to stderr"},
     set_flag<&Globals::verbose>},
    {{"--trace", "", Arity::one, "<file>", "write a trace file for ui.perfetto.dev"},
     set_text<&Globals::trace>},
    {{"--no-daemon", "", Arity::none, "", "do not use a running daemon or `serve`"},
     set_flag<&Globals::no_daemon>},
    {{"--disable-star-suggestions", "", Arity::none, "", "accepted for old scripts"}, nothing},
    {{"--help", "-h", Arity::none, "", "print help"}, nothing},
    {{"--version", "", Arity::none, "", "print the version"}, nothing},
};

constexpr auto kOptions = [] {
  std::array<Option, std::size(kGlobals)> options;
  std::ranges::transform(kGlobals, options.begin(), &Global::option);
  return options;
}();

}  // namespace

OutputMode output_mode(std::string_view value) {
  if (value == "pretty") return OutputMode::pretty;
  return value == "brief" ? OutputMode::brief : OutputMode::json;
}

std::span<const Option> global_options() { return kOptions; }

const Option* meant_globally(const Option& own, std::string_view spelling, std::string_view value) {
  const Option* global = find_option(kOptions, spelling);
  const bool can_be_own = own.choices.empty() || is_one_of(value, own.choices);
  return global && !can_be_own && is_one_of(value, global->choices) ? global : nullptr;
}

Result<void> read_global(Globals& globals, const Given& given) {
  const Option& option = *given.option;
  TRY_VOID(check_switch(given));
  if (given.missing_value && option.on_missing == OnMissing::ignore) return {};
  const std::string_view value = given.values.empty() ? "" : std::string_view(given.values.front());
  const bool needs_value = option.arity != Arity::none && option.on_missing != OnMissing::command;
  if (needs_value && is_blank(value)) {
    return fail(errc::usage, given.spelling + " requires a value");
  }
  return kGlobals[&option - kOptions.data()].apply(globals, value);
}

}  // namespace clawperator::cli
