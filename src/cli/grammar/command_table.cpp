#include "cli/grammar/command_table.hpp"

#include <algorithm>

#include "base/error_members.hpp"
#include "base/suggest.hpp"
#include "cli/grammar/command_list.hpp"
#include "cli/grammar/errc.hpp"

namespace clawperator::cli {
namespace {

#define CLAWPERATOR_ADDRESS(NAME) &(NAME),
constexpr const Command* kCommands[] = {CLAWPERATOR_COMMANDS(CLAWPERATOR_ADDRESS)};
#undef CLAWPERATOR_ADDRESS

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

const Command* find_named(std::span<const Command* const> among, std::string_view name) {
  const auto found = std::ranges::find_if(among, [&](const Command* command) {
    return second_word(*command) == name || is_one_of(name, command->synonyms);
  });
  return found == among.end() ? nullptr : *found;
}

Lookup in_group(const Command& command, std::span<const std::string> words) {
  const Command* sub = words.size() < 2 ? nullptr : find_named(command.subcommands, words[1]);
  return sub ? Lookup{sub, 2, &command} : Lookup{&command, 1};
}

std::string second_words_of(std::string_view first) {
  std::string list;
  for (const TwoWordVerb& verb : kTwoWordVerbs) {
    if (verb.first != first) continue;
    list += (list.empty() ? "" : ", ") + std::string(verb.second);
  }
  return list;
}

std::optional<std::string_view> nearest_name(std::string_view word,
                                             std::span<const Command* const> among) {
  std::vector<NameCandidate> candidates;
  for (const Command* command : among) {
    candidates.push_back({second_word(*command), true});
    for_each_part(command->synonyms,
                  [&](std::string_view synonym) { candidates.push_back({synonym, false}); });
  }
  return suggest_name(word, candidates);
}

std::unexpected<Error> unknown(std::string_view name) {
  const std::string start = "Unknown command: " + clipped(name) + ".";
  const std::string end = " Use --help for available commands.";
  const auto near = nearest_name(name, kCommands);
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
  if (const Command* command = find_named(kCommands, words[0])) return in_group(*command, words);
  for (const TwoWordVerb& verb : kTwoWordVerbs) {
    if (words.size() > 1 && words[0] == verb.first && words[1] == verb.second) {
      return {find_named(kCommands, verb.command), 2};
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

const Command* help_topic(std::span<const std::string> words) {
  const Lookup found = look_up(words);
  if (!found.command) return nullptr;
  const bool unknown_subtopic = !found.command->subcommands.empty() && words.size() > 1;
  return unknown_subtopic ? nullptr : found.command;
}

std::string_view second_word(const Command& subcommand) {
  return subcommand.name.substr(subcommand.name.find(' ') + 1);
}

std::string names_of(std::span<const Command* const> commands, std::string_view separator) {
  std::string names;
  for (const Command* command : commands) {
    if (!names.empty()) names += separator;
    names += second_word(*command);
  }
  return names;
}

std::unexpected<Error> group_usage(const Command& group, std::span<const std::string> words) {
  std::string message =
      "Usage: clawperator " + std::string(group.name) + " " + names_of(group.subcommands, "|");
  const auto near = words.empty() ? std::nullopt : nearest_name(words.front(), group.subcommands);
  if (!near) return fail(errc::usage, std::move(message));
  return fail(errc::usage, message + ". Did you mean '" + std::string(*near) + "'?",
              ErrorMembers().text("suggestion", *near).str());
}

}  // namespace clawperator::cli
