#include "cli/grammar/command_line.hpp"

#include <algorithm>

#include "cli/grammar/command_table.hpp"
#include "cli/grammar/group.hpp"
#include "cli/grammar/suggest.hpp"
#include "cli/grammar/walk.hpp"
#include "cli/manual/help.hpp"
#include "runtime/contract/errc.hpp"

namespace clawperator::cli {
namespace {

using Words = std::vector<std::string>;

std::span<const Option> options_of(const Lookup& found) {
  return found.command ? found.command->options : std::span<const Option>{};
}

Sorted sorted_words(const Walk& walk) {
  return sort_words(options_of(walk.found), walk.before, walk.after);
}

std::optional<std::string_view> nearest_flag(std::span<const Option> options,
                                             std::string_view flag) {
  std::vector<std::string_view> known;
  for (const auto table : {options, global_options()}) {
    for (const Option& option : table) {
      known.push_back(option.name);
      for_each_word(option.aliases, [&](std::string_view alias) { known.push_back(alias); });
    }
  }
  const auto dashed = std::ranges::find(known, "-" + std::string(flag));
  return dashed != known.end() ? *dashed : suggest_flag(flag, known);
}

// With what it may have meant, and which other subcommand of the group has it.
std::unexpected<Error> unrecognized_flag(const Lookup& found, std::string_view flag) {
  std::string message = "unrecognized flag '" + clipped(flag) + "'";
  if (const auto near = nearest_flag(options_of(found), flag)) {
    message += ". Did you mean '" + std::string(*near) + "'?";
  }
  if (found.group) {
    const auto has_it = [&](const Command* other) { return find_option(other->options, flag); };
    const auto sibling = std::ranges::find_if(found.group->subcommands, has_it);
    if (sibling != found.group->subcommands.end()) {
      message += ". '" + std::string((*sibling)->name) + "' has it";
    }
  }
  return fail(errc::usage, std::move(message));
}

// What a word that is too many may have meant.
std::string meant_by(const Command& command, const std::string& word) {
  if (const auto near = nearest_flag(command.options, "--" + word)) {
    return " Did you mean '" + std::string(*near) + "'?";
  }
  if (command.most_words == 0 && find_option(command.options, "--text")) {
    return " Did you mean --text '" + clipped(word) + "'?";
  }
  return {};
}

Result<void> check_word_count(const Command& command, const Words& words) {
  if (words.size() <= command.most_words) return {};
  const std::string& extra = words[command.most_words];
  return fail(errc::usage, "unexpected argument '" + clipped(extra) + "'." +
                               meant_by(command, extra) + " Usage: clawperator " +
                               std::string(command.name) + (command.usage.empty() ? "" : " ") +
                               std::string(command.usage));
}

// `exec --plan.json`: the first word, and the only one that is left.
bool is_file_name(const Walk& walk, const Words& rest) {
  return walk.found.command->kind == Kind::payload && rest.size() == 1 && !walk.after.empty() &&
         rest[0] == walk.after[0] && rest[0].starts_with("--") &&
         !nearest_flag(options_of(walk.found), split_flag(rest[0]).spelling);
}

// What is left of the words when no flag is. Unknown ones with two dashes are told first. One with
// one dash may stand where a value should: then the value is complained about.
Result<Words> plain_words(const Walk& walk, const Sorted& sorted) {
  Words words = sorted.rest;
  if (is_file_name(walk, words)) return words;
  const auto flag_with = [&](std::string_view dashes) {
    return std::ranges::find_if(words, [&](const std::string& word) {
      return word.starts_with(dashes) && looks_like_flag(word);
    });
  };
  auto unknown = flag_with("--");
  const bool lacks_value = std::ranges::any_of(sorted.own, &Given::missing_value);
  if (unknown == words.end() && !lacks_value) unknown = flag_with("-");
  if (unknown != words.end()) return unrecognized_flag(walk.found, split_flag(*unknown).spelling);
  std::erase_if(words, looks_like_flag);
  return words;
}

// A group's answer is about its subcommands, whatever flags stand there.
std::unexpected<Error> group_answer(const Command& group, Words words) {
  std::erase_if(words, [](const std::string& word) { return word.starts_with('-'); });
  return group_usage(group, words);
}

Result<Arguments> arguments_for(const Walk& walk, Sorted sorted) {
  TRY(Words words, plain_words(walk, sorted));
  TRY_VOID(check_given(sorted.own));
  words.insert(words.end(), walk.passed.begin(), walk.passed.end());
  words.insert(words.end(), walk.tail.begin(), walk.tail.end());
  TRY_VOID(check_word_count(*walk.found.command, words));
  return Arguments(std::move(sorted.own), std::move(words));
}

// `clawperator --device` is taken for a mistyped command.
Words names_of(const Walk& walk) {
  const bool is_command =
      walk.names.empty() && !walk.after.empty() && walk.after.back() == "--device";
  return is_command ? Words{walk.after.back()} : walk.names;
}

Result<Request> read(const Walk& walk) {
  if (walk.version) return PrintVersion{};
  Sorted sorted = sorted_words(walk);
  TRY(Globals globals, read_globals(sorted.globals));
  if (walk.help) return PrintHelp{help_topic(walk.names)};
  if (!walk.stray.empty()) return unrecognized_flag({}, walk.stray);
  TRY(const Lookup found, find_command(names_of(walk)));
  if (!found.command->subcommands.empty()) {
    sorted.rest.insert(sorted.rest.end(), walk.tail.begin(), walk.tail.end());
    return group_answer(*found.command, std::move(sorted.rest));
  }
  Invocation invocation;
  invocation.command = found.command;
  invocation.globals = std::move(globals);
  TRY(invocation.arguments, arguments_for(walk, std::move(sorted)));
  invocation.stamp = act::Stamp::now();
  return invocation;
}

}  // namespace

CommandLine read_command_line(std::span<const std::string> argv) {
  if (argv.empty()) return {PrintHelp{}, OutputMode::json, false};
  const Walk walk = walk_over(argv);
  return {read(walk), walk.output, walk.stdout_is_for_picture};
}

Result<Globals> globals_of(std::span<const std::string> argv) {
  return read_globals(sorted_words(walk_over(argv)).globals);
}

}  // namespace clawperator::cli
