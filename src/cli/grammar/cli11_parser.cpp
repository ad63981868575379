#include "cli/grammar/cli11_parser.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace clawperator::cli {
namespace {

using Words = std::vector<std::string>;

bool is_flag(const std::string& word) { return word.starts_with('-'); }

class Parser {
 public:
  Parser(Words words, const TakeOption& take)
      : words_(std::move(words)), line_(words_.rbegin(), words_.rend()), take_(take) {
    app_.set_help_flag();
    app_.allow_extras();
  }

  // Only spellings that occur become CLI11 options: to add all of them takes a tenth of a
  // millisecond.
  void add_options(const FindOption& find) {
    for (const std::string& word : words_) {
      const std::string spelling(spelling_of(word));
      const Option* option = is_flag(word) ? find(spelling) : nullptr;
      if (!option || app_.get_option_no_throw(spelling)) continue;
      const CLI::callback_t on_each = [this, option, spelling](const CLI::results_t&) {
        if (auto given = occurrence(*option, spelling)) take_(*std::move(given));
        return true;
      };
      const int most = option->arity == Arity::optional ? 1 : int(wanted_values(option->arity));
      app_.add_option(spelling, on_each)->expected(0, most)->trigger_on_parse();
    }
  }

  Words run(Until until) {
    app_.prefix_command(until == Until::first_word);
    app_.parse(line_);
    return app_.remaining();
  }

 private:
  // CLI11 takes words off the end of line_, so the position in words_ is known: a value at that
  // position is a separate word, any other value was written behind `=`.
  std::optional<Given> occurrence(const Option& option, const std::string& spelling) {
    const Words& found = app_.get_option(spelling)->results();  // only "" when there is no value
    auto next = words_.end() - std::ssize(line_);
    auto value = found.end();
    while (value != found.begin() && *(next - 1) == *(value - 1)) --next, --value;
    const std::string& flag = *(next - 1);
    if (spelling_of(flag) != spelling)
      return std::nullopt;  // CLI11 reads `-home` as `-h` and more letters
    Given given{&option, spelling, {value, found.end()}, false};
    if (flag == spelling) {
      choose_values(given, next);
    } else {
      given.values = attached(option.arity, flag.substr(spelling.size() + 1));
      unread(next);
    }
    given.missing_value = given.values.size() < wanted_values(option.arity);
    return given;
  }

  // `--coordinate=1,2` has two values.
  static Words attached(Arity arity, std::string text) {
    if (arity != Arity::two) return {std::move(text)};
    const auto comma = std::min(text.find(','), text.size());
    return {text.substr(0, comma), text.substr(std::min(comma + 1, text.size()))};
  }

  // CLI11's idea of a value differs from ours in both directions: it takes `-5` as a value, and
  // never
  // `--x`.
  void choose_values(Given& given, Words::iterator next) {
    const Option& option = *given.option;
    Words& values = given.values;
    if (option.arity == Arity::optional && !values.empty() &&
        !is_one_of(values[0], option.choices)) {
      values.clear();
      unread(next);
    } else if (option.arity == Arity::one && !values.empty() && is_flag(values[0]) &&
               values[0] != "-") {
      values.clear();
    } else if (option.arity == Arity::any && values.empty() && !line_.empty() &&
               !is_one_of(line_.back(), "--help -h --version")) {
      values.push_back(std::move(line_.back()));
      line_.pop_back();
    }
  }

  // CLI11 continues at that word.
  void unread(Words::iterator from) {
    for (auto next = words_.end() - std::ssize(line_); next != from;) line_.push_back(*--next);
  }

  Words words_;
  Words line_;  // not read yet; the next word is the last one, as CLI11 expects
  const TakeOption& take_;
  CLI::App app_;
};

}  // namespace

Words parse_words(Words words, Until until, const FindOption& find, const TakeOption& take) {
  const bool is_plain = until == Until::first_word ? words.empty() || !is_flag(words.front())
                                                   : std::ranges::none_of(words, is_flag);
  if (is_plain) return words;
  Parser parser(std::move(words), take);
  parser.add_options(find);
  return parser.run(until);
}

}  // namespace clawperator::cli
