#include "cli/command_line.hpp"

#include <algorithm>
#include <iterator>

#include "cli/command_table.hpp"
#include "cli/commands/commands.hpp"
#include "cli/globals.hpp"
#include "cli/group.hpp"
#include "cli/help.hpp"
#include "cli/suggest.hpp"

namespace clawperator::cli {
namespace {

using adbproto::Errc;
using adbproto::Result;
using Words = std::span<const std::string>;

std::span<const Option> own_options(Words words) {
  const Lookup found = look_up(words);
  return found.command ? found.command->options : std::span<const Option>{};
}

PrintHelp help_for(Words rest) {
  std::vector<std::string> topic;
  for (const std::string& word : rest) {
    if (!looks_like_flag(word) && word != "--") topic.push_back(word);
  }
  return {help_topic(topic)};
}

// The subcommand beside `found` that has the first flag which `found` has not.
const Command* sibling_with_its_flag(const Lookup& found, Words words) {
  if (found.words != 2) return nullptr;
  const auto is_foreign = [&](const std::string& word) {
    const auto spelling = split_flag(word).spelling;
    return word.starts_with("--") && !find_option(found.command->options, spelling) &&
           !find_option(global_options(), spelling);
  };
  const auto flag = std::ranges::find_if(words, is_foreign);
  if (flag == words.end() || *flag == "--") return nullptr;
  for (const Command* sibling : look_up(words.first(1)).command->subcommands) {
    if (find_option(sibling->options, split_flag(*flag).spelling)) return sibling;
  }
  return nullptr;
}

// A group's answer is about its subcommands, whatever flags stand there.
Result<Arguments> group_arguments(Words words) {
  std::vector<std::string> plain;
  std::ranges::copy_if(words, std::back_inserter(plain),
                       [](const std::string& word) { return !word.starts_with('-'); });
  return Arguments::parse({}, plain);
}

// `exec --plan.json`: the first word of exec may be a file whose name looks like a flag.
std::vector<std::string> with_dashed_file_last(const Command& command, Words words) {
  std::vector<std::string> all(words.begin(), words.end());
  const bool alone = all.size() == 1 || (all.size() > 1 && all[1].starts_with("--"));
  if (&command != &kExec || !alone || !all[0].starts_with("--") || all[0] == "--") return all;
  const bool is_flag = find_option(command.options, split_flag(all[0]).spelling) != nullptr;
  if (is_flag || nearest_flag(command.options, all[0])) return all;
  const auto dashes = std::ranges::find(all, "--");
  const bool has_dashes = dashes != all.end();
  std::ranges::rotate(all.begin(), all.begin() + 1, has_dashes ? dashes + 1 : all.end());
  if (!has_dashes) all.insert(all.end() - 1, "--");
  return all;
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

Result<void> check_word_count(const Command& command, const Arguments& arguments) {
  const auto& words = arguments.positionals();
  if (words.size() <= command.most_words) return {};
  const std::string& extra = words[command.most_words];
  return adbproto::fail(Errc::usage,
                        "unexpected argument '" + clipped(extra) + "'." + meant_by(command, extra) +
                            " Usage: clawperator " + std::string(command.name) +
                            (command.usage.empty() ? "" : " ") + std::string(command.usage));
}

Result<Arguments> arguments_for(const Lookup& found, Words words) {
  const Words after = words.subspan(found.words);
  if (found.command->run == run_group) return group_arguments(after);
  auto arguments =
      Arguments::parse(found.command->options, with_dashed_file_last(*found.command, after));
  if (arguments) TRY_VOID(check_word_count(*found.command, *arguments));
  if (arguments || !arguments.error().message().starts_with("unrecognized flag")) return arguments;
  const Command* sibling = sibling_with_its_flag(found, words);
  if (!sibling) return arguments;
  return adbproto::fail(arguments.error().code(), arguments.error().message() + ". '" +
                                                      std::string(sibling->name) + "' has it");
}

// A flag of nobody before the command's name. A global that lacks its value is left to the look-up,
// which then suggests a command.
Result<void> check_first_word(Words words) {
  if (words.empty() || !looks_like_flag(words[0])) return {};
  const auto spelling = split_flag(words[0]).spelling;
  if (find_option(global_options(), spelling)) return {};
  return unrecognized_flag({}, spelling);
}

}  // namespace

Result<Request> read_command_line(Words argv) {
  if (argv.empty()) return PrintHelp{};
  TRY(Scan scan, scan_globals(argv, own_options));
  if (scan.version) return PrintVersion{};
  if (scan.help) return help_for(scan.rest);
  TRY_VOID(check_first_word(scan.rest));
  TRY(const Lookup found, find_command(scan.rest));
  Invocation invocation;
  invocation.command = found.command;
  invocation.globals = std::move(scan.globals);
  TRY(invocation.arguments, arguments_for(found, scan.rest));
  invocation.stamp = Stamp::now();
  return invocation;
}

bool stdout_is_for_picture(Words argv) {
  const bool screenshot = std::ranges::any_of(argv, [](const std::string& word) {
    return word == kScreenshot.name || contains_word(kScreenshot.synonyms, word);
  });
  if (!screenshot) return false;
  for (std::size_t i = 0; i < argv.size() && argv[i] != "--"; ++i) {
    const FlagToken token = split_flag(argv[i]);
    if (token.spelling != "--path" && token.spelling != "--file") continue;
    if (token.has_value ? token.value == "-" : i + 1 < argv.size() && argv[i + 1] == "-") {
      return true;
    }
  }
  return false;
}

}  // namespace clawperator::cli
