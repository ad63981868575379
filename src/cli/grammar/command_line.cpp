#include "cli/grammar/command_line.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/url.hpp"
#include "cli/grammar/arguments.hpp"
#include "cli/grammar/command_table.hpp"
#include "cli/grammar/number.hpp"
#include "cli/grammar/suggest.hpp"
#include "runtime/contract/secrets.hpp"

namespace clawperator::cli {
namespace {

using Words = std::vector<std::string>;
using WordSpan = std::span<const std::string>;

// One walk over the words, before anything is parsed: which command it is, how its answer is to be
// printed, whether --version or --help is wanted. It never fails, so that an error is printed as
// the rest of the line asks for.
struct Walk {
  Words names;  // what may name the command: at most two words
  Lookup found;
  Words before;       // the other words before the command's name
  Words after;        // those that follow it, up to `--`
  Words passed;       // of those, what a script is to get (Kind::script)
  Words tail;         // taken as it is: what follows `--`, or a foreign command
  std::string stray;  // the first flag before the command that is nobody's
  OutputMode output = OutputMode::json;
  bool stdout_is_for_picture = false;  // every document goes to stderr, that of an error too
  bool version = false;
  bool help = false;
};

// True for what begins with a dash and is no value: not `-`, `--`, `-5`.
bool looks_like_flag(std::string_view word) {
  if (!word.starts_with('-') || word == "-" || word == "--") return false;
  return word.starts_with("--") || std::isnan(parse_number(word));
}

// Help and the version are nobody's value.
bool can_follow(const Option& option, const std::string& word) {
  if (wanted_values(option.arity) != 1 || is_one_of(word, "--help -h --version")) return false;
  return option.arity == Arity::any || !looks_like_flag(word);
}

class Walker {
 public:
  Walk run(WordSpan argv) {
    std::size_t at = 0;
    while (at < argv.size() && argv[at] != "--" && !is_foreign()) {
      at += looks_like_flag(argv[at]) ? take_flag(argv[at], argv.subspan(at + 1))
                                      : take_word(argv[at]);
    }
    if (at < argv.size() && !is_foreign()) {
      if (walk_.names.empty()) walk_.names.push_back(argv[at]);
      ++at;
    }
    walk_.tail.assign(argv.begin() + static_cast<std::ptrdiff_t>(at), argv.end());
    return std::move(walk_);
  }

 private:
  [[nodiscard]] bool is_foreign() const {
    return walk_.found.command && walk_.found.command->kind == Kind::foreign;
  }

  [[nodiscard]] bool runs_script() const {
    return walk_.found.command && walk_.found.command->kind == Kind::script;
  }

  [[nodiscard]] bool is_named() const {
    const Command* command = walk_.found.command;
    return walk_.names.size() == 2 || (command && command->subcommands.empty());
  }

  std::size_t take_word(const std::string& word) {
    const bool is_name = !is_named();
    if (is_name) {
      walk_.names.push_back(word);
      walk_.found = look_up(walk_.names);
    }
    if (is_name && walk_.found.group && !walk_.found.group->options.empty()) {
      // `hub --workdir W install S`: the group's options are the subcommand's, too.
    } else if (is_name && walk_.found.words == walk_.names.size()) {
      std::ranges::move(walk_.after, std::back_inserter(walk_.before));
      walk_.after.clear();
    } else if (runs_script() && std::exchange(has_script_, true)) {
      walk_.passed.push_back(word);
    } else if (walk_.found.command) {
      walk_.after.push_back(word);
    }
    return 1;
  }

  // How many words it takes: a global option before the command takes its value along.
  std::size_t take_flag(const std::string& word, WordSpan following) {
    const FlagToken token = split_flag(word);
    const bool has_next = !token.has_value && !following.empty() && following[0] != "--";
    const std::string_view value = has_next ? std::string_view(following[0]) : token.value;
    const Command* command = walk_.found.command;
    const Option* own = command ? find_option(command->options, token.spelling) : nullptr;
    const Option* global = own ? meant_globally(*own, token.spelling, value)
                               : find_option(global_options(), token.spelling);
    const bool is_ours = own || (global && is_one_of(global->name, kScriptGlobals));
    if (runs_script() && has_script_ && !is_ours) {
      walk_.passed.push_back(word);
      return 1;
    }
    walk_.after.push_back(word);
    if (global) {
      note(*global, token, value);
    } else if (own) {
      const bool for_picture = command->kind == Kind::picture && own->name == "--path";
      if (for_picture && value == "-") walk_.stdout_is_for_picture = true;
    } else if (walk_.names.empty() && walk_.stray.empty()) {
      walk_.stray = token.spelling;
    }
    // Of an own option the value is no word of the script, and no subcommand.
    const bool is_group = command && !command->subcommands.empty();
    const Option* taker = global || (!runs_script() && !is_group) ? global : own;
    if (!taker || !has_next || !can_follow(*taker, following[0])) return 1;
    walk_.after.push_back(following[0]);
    return 2;
  }

  void note(const Option& global, const FlagToken& token, std::string_view value) {
    if (global.name == "--output") {
      walk_.output = output_mode(value);
    }
    if (token.has_value) return;
    if (global.name == "--json") walk_.output = OutputMode::json;
    if (global.name == "--version") walk_.version = true;
    if (global.name == "--help") walk_.help = true;
  }

  Walk walk_;
  bool has_script_ = false;  // the word that names it was there
};

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
      for_each_part(option.aliases, [&](std::string_view alias) { known.push_back(alias); });
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
  return fail(errc::usage, "unexpected argument '" + clipped(shown_url(extra)) + "'." +
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

bool is_typing_secret(const Walk& walk) {
  return std::ranges::find(walk.after, "--secret") != walk.after.end();
}

// A word that is wrong may be a part of the text.
Error unquoted(const Error& error) {
  const auto quote = error.message().find('\'');
  if (quote == std::string::npos) return error;
  return {error.code(), error.message().substr(0, quote) + std::string(kMask)};
}

}  // namespace

CommandLine read_command_line(std::span<const std::string> argv) {
  if (argv.empty()) return {PrintHelp{}, OutputMode::json, false};
  const Walk walk = Walker().run(argv);
  auto request = read(walk);
  if (!request && is_typing_secret(walk)) request = std::unexpected(unquoted(request.error()));
  return {std::move(request), walk.output, walk.stdout_is_for_picture};
}

Result<Globals> globals_of(std::span<const std::string> argv) {
  return read_globals(sorted_words(Walker().run(argv)).globals);
}

}  // namespace clawperator::cli
