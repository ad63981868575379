#include "cli/manual/all_errors.hpp"
#include "cli/manual/manual.hpp"

#include <algorithm>
#include <iterator>

#include "cli/adb/adb_command.hpp"
#include "cli/environment_table.hpp"
#include "cli/grammar/command_table.hpp"
#include "cli/grammar/globals.hpp"
#include "cli/version.hpp"

namespace clawperator::cli {
namespace {

struct Entry {
  std::string_view term, text;
};

constexpr Entry kExitCodes[] = {
    {"0", "The command did everything that it was called for."},
    {"1",
     "An error object, a failed envelope, a failed step or a failed critical check. Also "
     "output that could not be written."},
    {"129, 130, 143", "SIGHUP, SIGINT or SIGTERM ended the command."},
};

constexpr Entry kFiles[] = {
    {"~/.clawperator/logs/", "The log: one NDJSON file a day (CLAWPERATOR_LOG_DIR)."},
    {"~/.clawperator/targets.json", "The addresses that `connect` added."},
    {"~/.clawperator/downloads/", "Operator apps from `operator download`."},
    {"~/.cache/clawperator/", "The last snapshots, and saved facts about devices."},
    {"$XDG_RUNTIME_DIR, /tmp/clawperator-UID",
     "One lock a device, the daemon's socket, and the token that `serve` generates."},
    {"~/.android/adbkey, adbkey.pub", "The key that phones trust. It is adb's own key."},
    {"~/.clawperator/logs/emulator-NAME-*.log",
     "The output of each emulator that `emulator start` started."},
    {"~/.android/avd/", "The virtual devices (ANDROID_AVD_HOME)."},
    {"~/.emulator_console_auth_token", "The token for the consoles of emulators. It is only read."},
};

constexpr std::pair<char, const char*> kRoffEscapes[] = {
    {'\\', "\\e"}, {'-', "\\-"}, {'\'', "\\(aq"}, {'`', "\\(ga"}, {'~', "\\(ti"}, {'^', "\\(ha"}};

std::string bold(std::string_view text) { return "\\fB" + roff_escaped(text) + "\\fR"; }

std::string italic(std::string_view text) { return "\\fI" + roff_escaped(text) + "\\fR"; }

std::string entry(const std::string& term, std::string_view text) {
  return ".TP\n" + term + "\n" + roff_escaped(text) + "\n";
}

std::string entries(std::span<const Entry> list) {
  std::string text;
  for (const Entry& each : list) text += entry(bold(each.term), each.text);
  return text;
}

std::string option_entry(const Option& option) {
  std::string term = bold(option.name);
  for_each_part(option.aliases, [&](std::string_view alias) { term += ", " + bold(alias); });
  if (!option.value_name.empty()) term += " " + italic(option.value_name);
  return entry(term, option.help);
}

// Without filling: the line breaks stay.
std::string verbatim(std::string_view lines, std::string_view prefix) {
  std::string text = ".EX\n";
  for_each_part(
      lines,
      [&](std::string_view line) {
        text += roff_escaped(std::string(prefix) + std::string(line)) + "\n";
      },
      '\n');
  return text + ".EE\n";
}

std::string command_section(const Command& command) {
  const bool is_group = !command.subcommands.empty();
  std::string text =
      ".SS " + roff_escaped(command.name) + "\n" + bold("clawperator " + std::string(command.name));
  const std::string usage =
      is_group ? names_of(command.subcommands, "|") : std::string(command.usage);
  if (!usage.empty()) text += " " + roff_escaped(usage);
  text += "\n.PP\n" + roff_escaped(command.summary) + ".\n";
  if (!command.synonyms.empty()) text += "Also: " + roff_escaped(command.synonyms) + ".\n";
  if (!command.details.empty()) text += ".PP\n" + roff_escaped(command.details) + "\n";
  for (const Option& option : command.options) text += option_entry(option);
  if (!command.examples.empty()) {
    text += ".PP\nExamples:\n.PP\n" + verbatim(command.examples, "  clawperator ");
  }
  return text;
}

std::string adb_section() {
  std::string lines;
  for (const AdbCommand& command : adb_commands()) lines += std::string(command.usage) + "\n";
  return ".SH \"ADB SUBCOMMANDS\"\n"
         "After " +
         bold("clawperator adb") + ", and under the name " + bold("adb") + ":\n.PP\n" +
         verbatim(lines, " ");
}

std::string error_section() {
  std::string text =
      ".SH ERRORS\n"
      "An error is one JSON object on stdout: its " +
      bold("code") + " is one of these, its " + bold("message") +
      " a sentence. Hints and details may follow.\n";
  for (const ErrorCode* row : all_errors()) text += entry(bold(row->published), row->meaning);
  return text;
}

}  // namespace

std::string roff_escaped(std::string_view text) {
  std::string escaped;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) escaped += "\\&";
    line_begins = c == '\n';
    const auto special = std::ranges::find(kRoffEscapes, c, &std::pair<char, const char*>::first);
    if (special == std::end(kRoffEscapes)) {
      escaped += c;
    } else {
      escaped += special->second;
    }
  }
  return escaped;
}

std::string man_page() {
  std::string text =
      ".TH CLAWPERATOR 1 " CLAWPERATOR_VERSION_DATE " \"clawperator " + std::string(kVersionText) +
      "\" \"User Commands\"\n"
      ".SH NAME\n"
      "clawperator \\- see and act on an Android device\n"
      ".SH SYNOPSIS\n" +
      bold("clawperator") + " [" + italic("global options") + "] " + italic("command") + " [" +
      italic("options") + "]\n" +
      ".SH DESCRIPTION\n"
      "It lets agents and scripts control Android devices. It speaks adb's own protocols: to "
      "an adb server, to a phone over TCP or TLS, or over USB.\n"
      "Results are one JSON document on stdout; warnings and progress go to "
      "stderr.\n.PP\n" +
      bold("clawperator help --json") +
      " prints the tables of this page as data.\n"
      ".SH COMMANDS\n";
  for (const Command* command : commands_and_subcommands()) text += command_section(*command);
  text += ".SH \"GLOBAL OPTIONS\"\nThey may stand anywhere before a " + bold("--") +
          "; the last one wins.\n";
  for (const Option& option : global_options()) text += option_entry(option);
  text += adb_section() + ".SH ENVIRONMENT\n";
  for (const EnvironmentVariable& variable : environment_table()) {
    text += entry(bold(variable.name), variable.help);
  }
  text += ".SH FILES\n" + entries(kFiles) + ".SH \"EXIT STATUS\"\n" + entries(kExitCodes);
  return text + error_section() + ".SH \"SEE ALSO\"\n.BR adb (1)\n";
}

}  // namespace clawperator::cli
