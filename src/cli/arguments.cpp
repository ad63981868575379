#include "cli/arguments.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cli/globals.hpp"
#include "cli/number.hpp"
#include "cli/suggest.hpp"

namespace clawperator::cli {
namespace {

using adbproto::Errc;
using adbproto::Result;

bool is_double_dashed(std::string_view word) { return word.starts_with("--") && word != "--"; }

bool can_be_value(std::string_view word) { return word == "-" || !word.starts_with('-'); }

void append_spellings(std::vector<std::string_view>& into, std::span<const Option> options) {
  for (const Option& option : options) {
    into.push_back(option.name);
    for_each_word(option.aliases, [&](std::string_view alias) { into.push_back(alias); });
  }
}

Result<void> check_gate(std::span<const Option> options, std::span<const std::string> words) {
  for (const std::string& word : words) {
    if (word == "--") break;
    if (!is_double_dashed(word)) continue;
    const std::string_view spelling = split_flag(word).spelling;
    // A global flag can still stand here when the scanner found no value for it.
    const bool known = find_option(options, spelling) || find_option(global_options(), spelling);
    if (!known) return unrecognized_flag(options, spelling);
  }
  return {};
}

std::size_t wanted_values(const Option& option) {
  return option.arity == Arity::optional ? 0 : static_cast<std::size_t>(option.arity);
}

// Takes the values of `given` from the words after it.
std::size_t take_values(Given& given, std::span<const std::string> following) {
  if (given.option->arity == Arity::optional) {
    if (following.empty() || !contains_word(given.option->choices, following[0])) return 0;
    given.values.push_back(following[0]);
    return 1;
  }
  const std::size_t wanted = wanted_values(*given.option);
  std::size_t taken = 0;
  // Two values are taken as they are: `--coordinate -1 5` is a bad coordinate, not a missing one.
  while (taken < wanted && taken < following.size() &&
         (wanted == 2 ? !is_double_dashed(following[taken]) : can_be_value(following[taken]))) {
    given.values.push_back(following[taken++]);
  }
  given.missing_value = taken < wanted;
  return taken;
}

// `--coordinate=1,2` gives two values.
void take_attached(Given& given, std::string_view value) {
  if (wanted_values(*given.option) == 2) {
    const auto comma = value.find(',');
    given.values.emplace_back(value.substr(0, comma));
    given.values.emplace_back(comma == value.npos ? "" : value.substr(comma + 1));
  } else {
    given.values.emplace_back(value);
  }
}

Result<void> check_value(const Given& given) {
  const Option& option = *given.option;
  if (given.missing_value && option.on_missing == OnMissing::usage) {
    return adbproto::fail(Errc::usage, given.spelling + " requires a value");
  }
  const bool free = option.choices.empty() || given.values.empty();
  if (free || contains_word(option.choices, given.values.front())) return {};
  std::string message = given.spelling + " must be one of: ";
  for_each_word(option.choices, [&, first = true](std::string_view choice) mutable {
    if (!std::exchange(first, false)) message += ", ";
    message += choice;
  });
  return adbproto::fail(Errc::usage, std::move(message));
}

// What a command judges itself it judges here too: its contract has words of its own for it.
Result<void> check_repetition(std::span<const Given> before, const Given& given) {
  const bool judged_here =
      given.option->arity != Arity::none && given.option->on_missing == OnMissing::usage;
  const auto same = [&](const Given& other) { return other.spelling == given.spelling; };
  if (!judged_here || std::ranges::none_of(before, same)) return {};
  return adbproto::fail(Errc::usage, given.spelling + " must not appear more than once");
}

}  // namespace

bool looks_like_flag(std::string_view word) {
  if (!word.starts_with('-') || word == "-" || word == "--") return false;
  return is_double_dashed(word) || std::isnan(parse_number(word));
}

std::optional<std::string_view> nearest_flag(std::span<const Option> options,
                                             std::string_view flag) {
  std::vector<std::string_view> known;
  append_spellings(known, options);
  append_spellings(known, global_options());
  const auto dashed = std::ranges::find(known, "-" + std::string(flag));
  if (dashed != known.end()) return *dashed;
  return suggest_flag(flag, known);
}

std::unexpected<adbproto::Error> unrecognized_flag(std::span<const Option> options,
                                                   std::string_view flag) {
  std::string message = "unrecognized flag '" + clipped(flag) + "'";
  if (const auto near = nearest_flag(options, flag)) {
    message += ". Did you mean '" + std::string(*near) + "'?";
  }
  return adbproto::fail(Errc::usage, std::move(message));
}

Result<Arguments> Arguments::parse(std::span<const Option> options,
                                   std::span<const std::string> words) {
  TRY_VOID(check_gate(options, words));
  Arguments arguments;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--") {
      const auto rest = words.subspan(i + 1);
      arguments.positionals_.insert(arguments.positionals_.end(), rest.begin(), rest.end());
      break;
    }
    const FlagToken token = split_flag(words[i]);
    const Option* option =
        looks_like_flag(words[i]) ? find_option(options, token.spelling) : nullptr;
    if (!option) {
      TRY_VOID(arguments.take_plain(options, words[i]));
      continue;
    }
    Given given{option, std::string(token.spelling), {}, false};
    if (token.has_value && option->arity == Arity::none) {
      return adbproto::fail(Errc::usage, given.spelling + " does not take a value");
    }
    if (token.has_value) {
      take_attached(given, token.value);
    } else {
      i += take_values(given, words.subspan(i + 1));
    }
    TRY_VOID(check_value(given));
    TRY_VOID(check_repetition(arguments.given_, given));
    arguments.given_.push_back(std::move(given));
  }
  return arguments;
}

Result<void> Arguments::take_plain(std::span<const Option> options, const std::string& word) {
  // What stands where a value should: the command will say that the value is missing.
  const bool misplaced = !can_be_value(word) && !given_.empty() && given_.back().missing_value;
  if (misplaced || is_double_dashed(word)) return {};
  if (looks_like_flag(word)) return unrecognized_flag(options, split_flag(word).spelling);
  positionals_.push_back(word);
  return {};
}

const Given* Arguments::find(std::string_view name) const {
  const Given* found = nullptr;
  for (const Given& given : given_) {
    if (given.option->name != name) continue;
    const bool canonical = given.spelling == name;
    if (!found || canonical || found->spelling != name) found = &given;
  }
  return found;
}

const std::string* Arguments::value(std::string_view name) const {
  const Given* given = find(name);
  return given && !given->values.empty() ? &given->values.front() : nullptr;
}

bool Arguments::repeated(std::string_view name) const {
  for (auto it = given_.begin(); it != given_.end(); ++it) {
    if (it->option->name != name) continue;
    const auto same = [&](const Given& other) { return other.spelling == it->spelling; };
    if (std::any_of(it + 1, given_.end(), same)) return true;
  }
  return false;
}

void Arguments::replace(std::string_view name, Given given) {
  std::erase_if(given_, [&](const Given& old) { return old.option->name == name; });
  given_.push_back(std::move(given));
}

}  // namespace clawperator::cli
