#include "cli/command_line.hpp"

#include <algorithm>

#include "cli/command_table.hpp"
#include "cli/commands/commands.hpp"
#include "cli/globals.hpp"

namespace clawperator::cli {
namespace {

using adbproto::Result;
using Words = std::span<const std::string>;

std::span<const Option> own_options(Words words) {
  const Lookup found = look_up(words);
  return found.command ? found.command->options : std::span<const Option>{};
}

PrintHelp help_for(Words rest) {
  std::vector<std::string> topic;
  for (const std::string& word : rest) {
    if (!word.starts_with("--")) topic.push_back(word);
  }
  return {look_up(topic).command};
}

}  // namespace

Result<Request> read_command_line(Words argv) {
  if (argv.empty() || argv[0] == "-h") return PrintHelp{};
  TRY(Scan scan, scan_globals(argv, own_options));
  if (scan.version) return PrintVersion{};
  if (scan.help) return help_for(scan.rest);
  TRY(const Lookup found, find_command(scan.rest));
  Invocation invocation;
  invocation.command = found.command;
  invocation.globals = std::move(scan.globals);
  TRY(invocation.arguments,
      Arguments::parse(found.command->options, Words(scan.rest).subspan(found.words)));
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
