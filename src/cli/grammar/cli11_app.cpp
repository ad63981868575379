#include "cli/grammar/arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>

#include "cli/grammar/globals.hpp"

namespace clawperator::cli {
namespace {

using Words = std::span<const std::string>;

// No argument of a program holds a zero byte.
constexpr std::string_view kNoValue{"\0", 1};    // stands where an option finds no value
constexpr std::string_view kAttached{"\0=", 2};  // begins a value that was written `--flag=value`
constexpr std::string_view kEndOfEmptyList = "%%";  // what CLI11 2.4 adds to the value `{}`

std::string attached(std::string_view value) { return std::string(kAttached) + std::string(value); }

// CLI11 takes any word that does not look like a flag to it, and `-5` does not.
bool is_value_of(const Option& option, std::string_view word) {
  if (option.arity == Arity::optional) return is_one_of(word, option.choices);
  return option.arity != Arity::one || word == "-" || !word.starts_with('-');
}

class Sorter {
 public:
  Sorter(std::span<const Option> own, Sorted& sorted) : own_(own), sorted_(sorted) {
    app_.set_help_flag();
    app_.allow_extras();
  }

  void run(Words words) {
    for (const std::string& word : words) take_word(word);
    line_.emplace_back(kNoValue);  // the last word may be an option that takes any word
    std::ranges::reverse(line_);   // as CLI11 wants it
    app_.parse(line_);
    auto rest = app_.remaining();
    std::erase(rest, kNoValue);
    std::ranges::move(rest, std::back_inserter(sorted_.rest));
    std::ranges::move(too_many_, std::back_inserter(sorted_.rest));
  }

 private:
  [[nodiscard]] const Option* option_of(std::string_view spelling) const {
    const Option* own = find_option(own_, spelling);
    return own ? own : find_option(global_options(), spelling);
  }

  void take_word(const std::string& word) {
    const FlagToken token = split_flag(word);
    const Option* option = option_of(token.spelling);
    if (option) add(*option, token.spelling);
    if (!option || !token.has_value) {
      const bool is_help = option && option->name == "--help";  // never a value
      line_.push_back(is_help ? std::string(kNoValue) : word);
    } else if (option->arity == Arity::none) {
      line_.push_back(std::string(token.spelling) + "=" + attached(token.value));
    } else {
      line_.emplace_back(token.spelling);
      push_values(option->arity, token.value);
    }
  }

  // `--coordinate=1,2` gives two.
  void push_values(Arity arity, std::string_view text) {
    const auto comma = arity == Arity::two ? text.find(',') : text.npos;
    line_.push_back(attached(text.substr(0, comma)));
    if (arity != Arity::two) return;
    line_.push_back(attached(comma == text.npos ? std::string_view{} : text.substr(comma + 1)));
  }

  // Only spellings that occur become options of CLI11's: all of them cost a tenth of a millisecond.
  void add(const Option& option, std::string_view spelling) {
    const std::string name(spelling);
    if (app_.get_option_no_throw(name)) return;
    const CLI::callback_t on_each = [this, &option, name](const CLI::results_t& results) {
      take(option, name, results);
      return true;
    };
    const int most = option.arity == Arity::optional ? 1 : int(wanted_values(option.arity));
    const int least = option.arity == Arity::any ? 1 : 0;
    app_.add_option(name, on_each)
        ->expected(least, most)
        ->default_str(std::string(kNoValue))
        ->trigger_on_parse();
  }

  void take(const Option& option, const std::string& spelling, const CLI::results_t& results) {
    Given given{&option, spelling, {}, false};
    const std::size_t most = option.arity == Arity::two ? 2 : 1;
    for (std::string_view word : results) {
      if (word == kNoValue) continue;
      if (given.values.size() == most && word == kEndOfEmptyList) continue;
      const bool is_attached = word.starts_with(kAttached);
      if (is_attached) word.remove_prefix(kAttached.size());
      if (is_attached || is_value_of(option, word)) {
        given.values.emplace_back(word);
      } else if (option.arity == Arity::optional) {
        too_many_.emplace_back(word);
      }
    }
    given.missing_value = given.values.size() < wanted_values(option.arity);
    const bool is_own = find_option(own_, spelling) == &option;
    const std::string_view value = given.values.empty() ? std::string_view{} : given.values[0];
    const Option* global = is_own ? meant_globally(option, spelling, value) : nullptr;
    if (global) given.option = global;
    (is_own && !global ? sorted_.own : sorted_.globals).push_back(std::move(given));
  }

  std::span<const Option> own_;
  Sorted& sorted_;
  CLI::App app_;
  std::vector<std::string> line_;
  std::vector<std::string> too_many_;  // taken for an optional value, and none
};

void sort_part(std::span<const Option> own, Words words, Sorted& sorted) {
  const auto is_flag = [](const std::string& word) { return word.starts_with('-'); };
  if (std::ranges::any_of(words, is_flag)) return Sorter(own, sorted).run(words);
  sorted.rest.insert(sorted.rest.end(), words.begin(), words.end());
}

}  // namespace

Sorted sort_words(std::span<const Option> own, Words before_command, Words after_command) {
  Sorted sorted;
  sort_part({}, before_command, sorted);
  sort_part(own, after_command, sorted);
  return sorted;
}

}  // namespace clawperator::cli
