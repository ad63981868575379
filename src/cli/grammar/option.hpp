#pragma once
// An option as data. One table of these per command drives parsing, help, completion and
// did-you-mean, so that none of the four can disagree with another.

#include "base/text.hpp"

namespace clawperator::cli {

// `optional`: the next word, if it is one of the choices. `any`: whatever the next word begins
// with.
enum class Arity : std::uint8_t { none, one, two, optional, any };

// Who reports an absent value: the parser with USAGE `<flag> requires a value`; the command, whose
// contract wants another code, another text or a certain order of checks; or it is ignored.
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

// Calls visit(part) for each word of `list`, or each line of it where that separates.
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

// Option tables are put together from shared groups at compile time.
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

// Of a flag with or without `=value`.
constexpr std::string_view spelling_of(std::string_view flag) {
  return flag.substr(0, flag.find('='));
}

}  // namespace clawperator::cli
