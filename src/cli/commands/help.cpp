
#include "base/error_members.hpp"
#include "base/json_text.hpp"
#include "cli/argument_checks.hpp"
#include "cli/commands/commands.hpp"
#include "cli/grammar/command_table.hpp"
#include "cli/libraries.hpp"
#include "cli/limited_task.hpp"
#include "cli/manual/completion.hpp"
#include "cli/manual/manual.hpp"
#include "cli/pretty/pretty_printer.hpp"
#include "cli/run_task.hpp"
#include "cli/settings.hpp"
#include "cli/version.hpp"
#include "runtime/device/target.hpp"
#include "runtime/host/operator/compatibility.hpp"

namespace clawperator::cli {
namespace {

constexpr std::array kHelpOptions{
    Option{"--json", "", Arity::none, "",
           "print commands, options, environment and error codes as data"},
};

// nullptr for the top level. An unknown topic gets the same error as an unknown command.
Result<const Command*> named_topic(const Invocation& invocation) {
  const auto& words = invocation.arguments.positionals();
  if (words.empty()) return nullptr;
  if (const Command* topic = help_topic(words)) return topic;
  TRY(const Lookup found, find_command(words));
  return group_usage(*found.command, std::span(words).subspan(found.words));
}

Result<Answer> run_help(const Invocation& invocation) {
  TRY(const Command* const topic, named_topic(invocation));
  if (invocation.arguments.has("--json")) {
    return Answer{.json = topic ? command_json(*topic) : program_json()};
  }
  return Answer{.text = topic ? command_help(*topic) : top_level_help()};
}

Result<Answer> run_man(const Invocation&) { return Answer{.text = man_page()}; }

constexpr std::array kCompletionOptions{
    Option{"--candidates", "", Arity::one, "<serials|packages|avds>",
           "for the scripts: candidates for the next word of the command line after `--`",
           kCandidateKinds},
};

Result<Answer> run_completion(const Invocation& invocation) {
  const auto& positionals = invocation.arguments.positionals();
  if (const std::string* kind = invocation.arguments.value("--candidates")) {
    return Answer{.text = candidates(*kind, positionals)};
  }
  if (positionals.empty()) {
    return missing_argument("completion requires a shell.", "completion <bash|zsh|fish>");
  }
  if (positionals[0] == "bash") return Answer{.text = bash_completion()};
  if (positionals[0] == "zsh") return Answer{.text = zsh_completion()};
  if (positionals[0] == "fish") return Answer{.text = fish_completion()};
  return fail(errc::usage, "completion: shell must be one of: bash, zsh, fish");
}

constexpr std::array kVersionOptions{
    Option{"--check-compat", "", Arity::none, "",
           "check whether the device's Operator app fits this program"},
    Option{"--json", "", Arity::none, "", "add commit, features and library versions"},
};

JsonObject build_facts() {
  JsonObject json;
  const std::string_view commit = commit_text();
  json.text_or_null("commit", commit.empty() ? std::nullopt : std::optional(std::string(commit)));
  return json.append(libraries_of_program());
}

ProgramVersions program_versions() {
  return {std::string(kVersionText), std::string(kApkCompatText)};
}

std::string versions_for_people() {
  return "clawperator " + std::string(kVersionText) + ", for Operator app " +
         std::string(kApkCompatText);
}

std::string compatibility_for_people(const Compatibility& report) {
  std::string text = versions_for_people() + "\n" + report.operator_package + " " +
                     printable_name(report.apk_version.value_or("(no version known)"));
  if (report.apk_version_code) text += " (" + *report.apk_version_code + ")";
  text += report.compatible ? "\ncompatible\n" : "\nNOT COMPATIBLE\n";
  if (!report.note.empty()) text += printable_name(report.note) + "\n";
  text += missing_for_people(report.missing);
  if (report.problem) text += error_for_people(*report.problem);
  for (const std::string& step : report.remediation) text += "- " + step + "\n";
  return text;
}

Result<Answer> run_version(const Invocation& invocation) {
  const Globals& globals = invocation.globals;
  const bool in_full = invocation.arguments.has("--json");
  if (!invocation.arguments.has("--check-compat")) {
    JsonObject json;
    json.text("cliVersion", kVersionText).text("apkCompat", kApkCompatText);
    if (in_full) json.append(build_facts());
    return Answer{.json = json.str(), .text = in_full ? "" : versions_for_people()};
  }
  if (in_full) return fail(errc::usage, "use --check-compat OR --json, not both");
  TRY(const auto checked,
      do_on_device<Compatibility>(globals, "version --check-compat",
                                  [package = operator_package(globals)](auto* device) {
                                    return check_compatibility(device, package, program_versions());
                                  }));
  const Compatibility& report = checked.value;
  return Answer{.json = to_json(report, program_versions()),
                .text = compatibility_for_people(report),
                .exit_code = report.compatible ? 0 : 1};
}

}  // namespace

constinit const Command kHelp = {.name = "help",
                                 .usage = "[<command>] [<subcommand>] [--json]",
                                 .summary = "Print the help of a command",
                                 .examples = "help click\nhelp click --json\n",
                                 .reach = Reach::host,
                                 .options = kHelpOptions,
                                 .run = run_help,
                                 .most_words = 2};

constinit const Command kMan = {
    .name = "man",
    .summary = "Print the manual page",
    .details = "The page is roff text: `clawperator man | man -l -` shows it.",
    .examples = "man > clawperator.1\n",
    .reach = Reach::host,
    .run = run_man};

constinit const Command kCompletion = {
    .name = "completion",
    .usage = "<bash|zsh|fish>",
    .summary = "Print a completion script",
    .details =
        "The script also completes serials, packages and virtual devices: it runs this program, "
        "which\n"
        "answers within a second and starts nothing.",
    .examples =
        "completion bash > ~/.local/share/bash-completion/completions/clawperator\n"
        "completion zsh > ~/.zfunc/_clawperator\n"
        "completion fish > ~/.config/fish/completions/clawperator.fish\n"
        "completion --candidates serials\n",
    .reach = Reach::host,
    .options = kCompletionOptions,
    .run = run_completion,
    .most_words = kAnyWords};

constinit const Command kVersion = {
    .name = "version",
    .usage = "[--check-compat | --json]",
    .summary = "Print the version, and the version of the Operator app for it",
    .details =
        "--check-compat reads the version of the device's app: from 0.5.3 on it is compatible,\n"
        "under both of its names. `missing` lists the features that the version lacks, and the\n"
        "commands that need them. An older version gives `error`, `remediation` and exit code 1.\n"
        "apkCompat is the newest app version that this program was built for.\n"
        "With --json, `commit` is the commit of the build (null: unknown), `features` has true\n"
        "if the feature's library can be loaded here, and `libraries` lists the linked and the\n"
        "loaded ones.",
    .examples =
        "version\n"
        "version --json\n"
        "version --check-compat\n"
        "version --check-compat --operator-package com.clawperator.operator.dev --output pretty\n",
    .options = kVersionOptions,
    .run = run_version};

}  // namespace clawperator::cli
