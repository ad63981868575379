#include "runtime/contract/action.hpp"

#include "base/js_string.hpp"
#include "base/json_text.hpp"
#include "runtime/contract/action_row.hpp"

namespace clawperator {
namespace {

// By the rows of kParams.
using InOrder = std::array<ParamRef, kParams.size()>;

ParamRef reference(const ParamValue& value) {
  return std::visit([](const auto& held) { return ParamRef(&held); }, value);
}

InOrder in_order(const Action& action) {
  InOrder all{};
  for (const ParamUse& use : row_of(action.type()).params) all[use.row] = use.get(action);
  for (const ForeignParam& foreign : action.rest) all[foreign.row] = reference(foreign.value);
  return all;
}

struct Writer {
  JsonObject& json;
  std::string_view name;

  void operator()(std::monostate) const {}
  void operator()(const std::string* text) const { json.text(name, *text); }
  void operator()(const double* number) const { json.real(name, *number); }
  void operator()(const bool* flag) const { json.boolean(name, *flag); }
  void operator()(const Selector* selector) const { json.json(name, matcher_json(*selector)); }
  void operator()(const Coordinate* at) const {
    json.object(name, JsonObject().real("x", at->x).real("y", at->y));
  }
  void operator()(const Retry* retry) const { json.json(name, retry->json); }
};

template <std::size_t... type>
ActionKind kind_at(std::size_t index, std::index_sequence<type...>) {
  ActionKind kind;
  (void)((index == type && (kind.emplace<type>(), true)) || ...);
  return kind;
}

std::optional<std::string> written(const Action& action, bool with_ours) {
  if (!action.has_params) return std::nullopt;
  JsonObject json;
  InOrder all = in_order(action);
  // Behind the caller's parameters stand the container that the engine has added, and the
  // parameters that the device never sees.
  const auto* container = param_as<Selector>(action, "container");
  const bool is_added = container && !container->descendant.empty();
  if (is_added) all[param_index("container")] = {};
  for (const bool ours : {false, true}) {
    for (std::size_t row = 0; row < all.size() && (with_ours || !ours); ++row) {
      if (kParams[row].is_ours == ours) std::visit(Writer{json, kParams[row].name}, all[row]);
    }
  }
  if (is_added) Writer{json, "container"}(container);
  return json.str();
}

}  // namespace

bool Action::operator==(const Action& other) const {
  return id == other.id && type() == other.type() &&
         whole_params_json(*this) == whole_params_json(other);
}

ParamRef find_param(const Action& action, std::string_view name) {
  const std::size_t row = param_index(name);
  if (const ParamUse* use = row_of(action.type()).find(row)) return use->get(action);
  const auto foreign = std::ranges::find(action.rest, row, &ForeignParam::row);
  return foreign == action.rest.end() ? ParamRef() : reference(foreign->value);
}

NodeMatcher matched_by(const Action& action) {
  const auto* matcher = param_as<Selector>(action, "matcher");
  return matcher ? wanted_by(*matcher) : NodeMatcher{};
}

Action bare_action(ActionType type, std::string id) {
  Action action;
  action.id = std::move(id);
  action.kind = kind_at(static_cast<std::size_t>(type),
                        std::make_index_sequence<std::variant_size_v<ActionKind>>());
  action.has_params = false;
  return action;
}

std::optional<std::string> params_json(const Action& action) { return written(action, false); }
std::optional<std::string> whole_params_json(const Action& action) { return written(action, true); }

}  // namespace clawperator
