#include "runtime/contract/action_table.hpp"

#include <algorithm>

#include "base/js_string.hpp"
#include "base/text.hpp"
#include "runtime/contract/action_row.hpp"

namespace clawperator {
namespace {

template <class... Kind>
constexpr auto rows_of(std::type_identity<std::variant<Kind...>>) {
  return std::array{&Kind::kRow...};
}
constexpr auto kRows = rows_of(std::type_identity<ActionKind>());
static_assert(std::size(kRows) == static_cast<std::size_t>(ActionType::doctor_ping) + 1);

}  // namespace

const ParamUse* ActionRow::find(std::size_t row) const {
  const auto found = std::ranges::find(params, row, &ParamUse::row);
  return found == params.end() ? nullptr : &*found;
}

std::span<const ParamUse> ActionRow::documented() const {
  const auto end = std::ranges::find(params, std::string_view(), &ParamUse::meaning);
  return params.first(static_cast<std::size_t>(end - params.begin()));
}

const ActionRow& row_of(ActionType type) { return *kRows[static_cast<std::size_t>(type)]; }

std::span<const ActionRow* const> action_rows() {
  return std::span(kRows).first(static_cast<std::size_t>(ActionType::doctor_ping));
}

std::string_view action_name(ActionType type) { return row_of(type).name; }

std::vector<std::string> action_names() {
  std::vector<std::string> names;
  for (const ActionRow* row : action_rows()) names.emplace_back(row->name);
  return names;
}

bool only_looks(ActionType type) { return row_of(type).only_looks; }

std::optional<ActionType> find_action(std::string_view spelling) {
  const std::string lowered = ascii_lower(trim_js(spelling));
  const auto found = std::ranges::find_if(action_rows(), [&](const ActionRow* row) {
    return row->name == lowered || is_one_of(lowered, row->aliases);
  });
  if (found == action_rows().end()) return std::nullopt;
  return static_cast<ActionType>(found - action_rows().begin());
}

}  // namespace clawperator
