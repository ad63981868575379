#include "cli/grammar/walk.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "cli/grammar/number.hpp"

namespace clawperator::cli {
namespace {

using WordSpan = std::span<const std::string>;

// Help and the version are nobody's value.
bool can_follow(const Option& option, const std::string& word) {
  if (wanted_values(option.arity) != 1 || contains_word("--help -h --version", word)) return false;
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
    const bool is_ours = own || (global && contains_word(kScriptGlobals, global->name));
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

}  // namespace

Walk walk_over(WordSpan argv) { return Walker().run(argv); }

bool looks_like_flag(std::string_view word) {
  if (!word.starts_with('-') || word == "-" || word == "--") return false;
  return word.starts_with("--") || std::isnan(parse_number(word));
}

}  // namespace clawperator::cli
