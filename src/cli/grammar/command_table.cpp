#include "cli/grammar/command_table.hpp"

#include <algorithm>
#include <vector>

#include "cli/commands/commands.hpp"
#include "cli/grammar/group.hpp"
#include "cli/grammar/suggest.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/error_members.hpp"

namespace clawperator::cli {
namespace {

// In the order of the help.
constexpr const Command* kCommands[] = {
    &kDevices,
    &kConnect,
    &kDisconnect,
    &kPair,
    &kSnapshot,
    &kScreenshot,
    &kRecordVideo,
    &kClick,
    &kType,
    &kRead,
    &kReadValue,
    &kWait,
    &kWaitForNav,
    &kAssert,
    &kPress,
    &kInput,
    &kSwipe,
    &kKey,
    &kDoubleTap,
    &kDrag,
    &kPinch,
    &kHideKeyboard,
    &kBack,
    &kOpen,
    &kClose,
    &kSleep,
    &kScroll,
    &kScrollUntil,
    &kScrollAndClick,
    &kExec,
    &kRecording,
    &kSkills,
    &kAgentSkills,
    &kHub,
    &kDoctor,
    &kOperator,
    &kSetup,
    &kInstall,
    &kGrantDevicePermissions,
    &kRotate,
    &kBattery,
    &kNet,
    &kNotifications,
    &kClipboard,
    &kApps,
    &kPackages,
    &kCrash,
    &kLog,
    &kCrashLog,
    &kEmulator,
    &kProvision,
    &kLogs,
    &kAdb,
    &kServe,
    &kMcp,
    &kDaemon,
    &kSim,
    &kGuide,
    &kVersion,
    &kCompletion,
    &kMan,
    &kHelp,
};

struct TwoWordVerb {
  std::string_view first, second, command;
};

constexpr TwoWordVerb kTwoWordVerbs[] = {
    {"action", "click", "click"},
    {"action", "open-app", "open"},
    {"action", "open-uri", "open"},
    {"action", "type", "type"},
    {"action", "read", "read"},
    {"action", "wait", "wait"},
    {"action", "press-key", "press"},
    {"observe", "snapshot", "snapshot"},
    {"observe", "screenshot", "screenshot"},
    {"inspect", "ui", "snapshot"},
};

const Command* by_name(std::string_view name) {
  const auto named = [&](const Command* command) {
    return command->name == name || contains_word(command->synonyms, name);
  };
  const auto found = std::ranges::find_if(kCommands, named);
  return found == std::end(kCommands) ? nullptr : *found;
}

bool is_second_word(const Command& subcommand, std::string_view word) {
  return second_word(subcommand) == word || contains_word(subcommand.synonyms, word);
}

Lookup in_group(const Command& command, std::span<const std::string> words) {
  if (words.size() < 2) return {&command, 1};
  for (const Command* subcommand : command.subcommands) {
    if (is_second_word(*subcommand, words[1])) return {subcommand, 2, &command};
  }
  return {&command, 1};
}

std::string second_words_of(std::string_view first) {
  std::string list;
  for (const TwoWordVerb& verb : kTwoWordVerbs) {
    if (verb.first != first) continue;
    list += (list.empty() ? "" : ", ") + std::string(verb.second);
  }
  return list;
}

std::unexpected<Error> unknown(std::string_view name) {
  std::vector<NameCandidate> candidates;
  for (const Command* command : kCommands) {
    candidates.push_back({command->name, true});
    for_each_word(command->synonyms,
                  [&](std::string_view synonym) { candidates.push_back({synonym, false}); });
  }
  const std::string start = "Unknown command: " + clipped(name) + ".";
  const std::string end = " Use --help for available commands.";
  const auto near = suggest_name(name, candidates);
  if (!near) return fail(errc::unknown_command, start + end);
  return fail(errc::unknown_command, start + " Did you mean '" + std::string(*near) + "'?" + end,
              ErrorMembers().text("suggestion", *near).str());
}

}  // namespace

std::span<const Command* const> commands() { return kCommands; }

std::vector<const Command*> commands_and_subcommands() {
  std::vector<const Command*> all;
  for (const Command* command : kCommands) {
    all.push_back(command);
    all.insert(all.end(), command->subcommands.begin(), command->subcommands.end());
  }
  return all;
}

Lookup look_up(std::span<const std::string> words) {
  if (words.empty()) return {};
  if (const Command* command = by_name(words[0])) return in_group(*command, words);
  for (const TwoWordVerb& verb : kTwoWordVerbs) {
    if (words.size() > 1 && words[0] == verb.first && words[1] == verb.second) {
      return {by_name(verb.command), 2};
    }
  }
  return {};
}

Result<Lookup> find_command(std::span<const std::string> words) {
  if (words.empty() || words[0].empty()) {
    return fail(errc::usage, "Use --help for available commands.");
  }
  if (const Lookup found = look_up(words); found.command) return found;
  if (const std::string subs = second_words_of(words[0]); !subs.empty()) {
    return fail(errc::unknown_command, "Unknown command: '" + words[0] +
                                           (words.size() > 1 ? " " + clipped(words[1]) : "") +
                                           "'. Use '" + words[0] + "' with one of: " + subs +
                                           ". Use --help for available commands.");
  }
  return unknown(words[0]);
}

}  // namespace clawperator::cli
