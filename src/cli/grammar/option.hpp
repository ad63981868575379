#pragma once
// An option as data. Parsing, help, completion and did-you-mean read the same table of a command,
// so that they cannot contradict each other.

#include "base/text.hpp"

namespace clawperator::cli {

// `optional`: the next word, if it is one of the choices. `any`: the next word, even if it begins
// with a dash.
enum class Arity : std::uint8_t { none, one, two, optional, any };

// What happens without a value. usage: the parser reports USAGE `<flag> requires a value`. command:
// the command reports it with its own code, text and order of checks. ignore: nothing.
enum class OnMissing : std::uint8_t { usage, command, ignore };

struct Option {
  std::string_view name = {};     // canonical spelling: "--text"
  std::string_view aliases = {};  // further spellings, separated by spaces
  Arity arity = Arity::none;
  std::string_view value_name = {};  // "<json>"; "<file>" completes to file names
  std::string_view help = {};        // one line
  std::string_view choices = {};     // legal values, separated by spaces; empty = free
  OnMissing on_missing = OnMissing::usage;
};

constexpr std::size_t wanted_values(Arity arity) {
  return arity == Arity::two ? 2 : arity == Arity::one || arity == Arity::any ? 1 : 0;
}

// Calls visit(part) for each word of `list`, or for each line of it if lines separate.
template <class Visit>
constexpr void for_each_part(std::string_view list, Visit visit, char separator = ' ') {
  while (!list.empty()) {
    const auto end = list.find(separator);
    visit(list.substr(0, end));
    list = end == std::string_view::npos ? std::string_view{} : list.substr(end + 1);
  }
}

constexpr bool is_spelling_of(const Option& option, std::string_view spelling) {
  return option.name == spelling || is_one_of(spelling, option.aliases);
}

constexpr const Option* find_option(std::span<const Option> options, std::string_view spelling) {
  for (const Option& option : options) {
    if (is_spelling_of(option, spelling)) return &option;
  }
  return nullptr;
}

// Joins shared groups of options into a command's table at compile time.
template <std::size_t... N>
constexpr auto join(const std::array<Option, N>&... groups) {
  std::array<Option, (N + ... + 0)> all{};
  std::size_t at = 0;
  const auto append = [&](const auto& group) {
    for (const Option& option : group) all[at++] = option;
  };
  (append(groups), ...);
  return all;
}

// The spelling of a flag with or without `=value`.
constexpr std::string_view spelling_of(std::string_view flag) {
  return flag.substr(0, flag.find('='));
}

}  // namespace clawperator::cli
