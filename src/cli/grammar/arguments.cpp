#include "cli/grammar/arguments.hpp"

#include <algorithm>

namespace clawperator::cli {
namespace {

Result<void> check_value(const Given& given) {
  const Option& option = *given.option;
  if (given.missing_value && option.on_missing == OnMissing::usage) {
    return fail(errc::usage, given.spelling + " requires a value");
  }
  const bool free = option.choices.empty() || given.values.empty();
  if (free || is_one_of(given.values.front(), option.choices)) return {};
  return not_a_choice(given.spelling, option.choices);
}

Result<void> check_repetition(std::span<const Given> before, const Given& given) {
  const bool judged_here =
      given.option->arity != Arity::none && given.option->on_missing == OnMissing::usage;
  const auto same = [&](const Given& other) { return other.spelling == given.spelling; };
  if (!judged_here || std::ranges::none_of(before, same)) return {};
  return fail(errc::usage, given.spelling + " must not appear more than once");
}

}  // namespace

std::unexpected<Error> not_a_choice(std::string_view flag, std::string_view choices) {
  std::string message = std::string(flag) + " must be one of: ";
  for_each_part(choices, [&, first = true](std::string_view choice) mutable {
    if (!std::exchange(first, false)) message += ", ";
    message += choice;
  });
  return fail(errc::usage, std::move(message));
}

Result<void> check_switch(const Given& given) {
  if (given.option->arity != Arity::none || given.values.empty()) return {};
  return fail(errc::usage, given.spelling + " does not take a value");
}

Result<void> check_given(std::span<const Given> all) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    TRY_VOID(check_switch(all[i]));
    TRY_VOID(check_value(all[i]));
    TRY_VOID(check_repetition(all.first(i), all[i]));
  }
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

std::string Arguments::value_or(std::string_view name, std::string_view otherwise) const {
  const std::string* given = value(name);
  return given ? *given : std::string(otherwise);
}

bool Arguments::repeated(std::string_view name) const {
  for (auto it = given_.begin(); it != given_.end(); ++it) {
    if (it->option->name != name) continue;
    const auto same = [&](const Given& other) { return other.spelling == it->spelling; };
    if (std::any_of(it + 1, given_.end(), same)) return true;
  }
  return false;
}

}  // namespace clawperator::cli
