// The shape of a recipe: which fields there are, their types and words; what one value may hold.

#include "skills/phone/recipe/check.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/js_string.hpp"
#include "base/json_text.hpp"
#include "base/suggest.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "skills/phone/recipe/compile.hpp"
#include "skills/phone/recipe/errc.hpp"
#include "skills/phone/recipe/fields_table.hpp"
#include "skills/phone/recipe/placeholders.hpp"

namespace clawperator::recipe {
namespace {

std::string listed(std::string_view words) { return replaced(words, " ", ", "); }

std::string_view kind_shown(Shape shape) {
  switch (shape) {
    case Shape::text:
    case Shape::any_text: return "a text; quotes make one of a number";
    case Shape::whole: return "a whole number";
    case Shape::number: return "a number";
    case Shape::boolean: return "true or false";
    case Shape::scalar: return "a single value";
    case Shape::texts: return "a list of texts";
    case Shape::object:
    case Shape::selector: return "a mapping";
    case Shape::objects:
    case Shape::selectors: return "a list of mappings";
  }
  return {};
}

class ShapeCheck {
 public:
  // Without `inputs` it is not known which there are.
  ShapeCheck(std::optional<std::span<const Input>> inputs, Faults* faults)
      : inputs_(inputs), faults_(faults) {}

  void object(std::span<const Field> fields, Part part, const std::string& path) {
    if (!part.json->is_object()) return no_fit(Shape::object, part, path);
    const bool is_selector = fields.data() == selector_fields().data();
    part.each([&](const std::string& name, Part value) {
      if (const Field* field = find_field(fields, name)) return member(*field, value, path + name);
      unknown(fields, name, value, path, is_selector);
    });
    for (const Field& field : fields) {
      if (field.need == Need::required && !part.member(field.name)) missing(field, part, path);
    }
    const auto is_condition = [](const auto& each) { return each.key() != "annotation"; };
    const auto members = part.json->items();
    if (is_selector && std::none_of(members.begin(), members.end(), is_condition)) {
      faults_->add(errc::recipe_selector_invalid, part.place(),
                   path_of(path) + " has no condition: one of its keys must describe the node");
    }
  }

 private:
  // "confirm.selector." -> "`confirm.selector`"
  static std::string path_of(std::string_view path) {
    return "`" + std::string(path.substr(0, path.size() - (path.ends_with('.') ? 1 : 0))) + "`";
  }

  void no_fit(Shape shape, Part part, const std::string& path) {
    faults_->add(errc::recipe_field_invalid, part.place(),
                 path_of(path) + " must be " + std::string(kind_shown(shape)));
  }

  void unknown(std::span<const Field> fields, const std::string& name, Part value,
               const std::string& path, bool is_selector) {
    std::vector<std::string_view> known;
    for (const Field& field : fields) known.push_back(field.name);
    const Errc code = is_selector ? errc::recipe_selector_key_unknown : errc::recipe_field_unknown;
    faults_->add(code, value.name_place(),
                 "unknown field `" + path + clipped(name) + "`" + did_you_mean(name, known));
  }

  void missing(const Field& field, Part part, const std::string& path) {
    const bool is_policy = path.empty() && field.name == "session_policy";
    faults_->add(
        is_policy ? errc::recipe_session_policy_missing : errc::recipe_field_missing, part.place(),
        "`" + path + std::string(field.name) + "` is missing: " + std::string(field.meaning));
  }

  void member(const Field& field, Part value, const std::string& path) {
    const Json& json = *value.json;
    bool is_right = true;
    switch (field.shape) {
      case Shape::object: return object(field.inside, value, path + ".");
      case Shape::selector: return object(selector_fields(), value, path + ".");
      case Shape::texts:
      case Shape::objects:
      case Shape::selectors: return list(field, value, path);
      case Shape::text:
      case Shape::any_text: return text(field, value, path);
      case Shape::whole: return whole_number(field, value, path);
      case Shape::number: is_right = json.is_number(); break;
      case Shape::boolean: is_right = json.is_boolean(); break;
      case Shape::scalar:
        is_right = !json.is_structured();
        if (json.is_string()) placeholders(field, value, path);
    }
    if (!is_right) no_fit(field.shape, value, path);
  }

  void list(const Field& field, Part value, const std::string& path) {
    if (!value.json->is_array()) return no_fit(field.shape, value, path);
    if (std::ssize(*value.json) < field.least) {
      faults_->add(errc::recipe_field_invalid, value.place(), path_of(path) + " must not be empty");
    }
    value.each([&](const std::string&, Part item) {
      if (field.shape == Shape::texts) return text(field, item, path);
      object(field.shape == Shape::selectors ? selector_fields() : field.inside, item, path + ".");
    });
  }

  void whole_number(const Field& field, Part value, const std::string& path) {
    if (!whole_value(value.json, INT32_MIN, INT32_MAX)) return no_fit(field.shape, value, path);
    if (whole_value(value.json, field.least, field.most)) return;
    faults_->add(errc::recipe_field_invalid, value.place(),
                 path_of(path) + " must be from " + std::to_string(field.least) + " to " +
                     std::to_string(field.most));
  }

  void text(const Field& field, Part value, const std::string& path) {
    const std::string* text = string_value(value.json);
    if (text == nullptr || (field.shape != Shape::any_text && is_blank(*text))) {
      return no_fit(Shape::text, value, path);
    }
    if (!field.choices.empty() && !is_one_of(*text, field.choices)) {
      faults_->add(errc::recipe_value_not_allowed, value.place(),
                   path_of(path) + " is " + in_quotes(clipped(*text)) +
                       "; it is one of: " + listed(field.choices));
    }
    if (field.form != nullptr && !field.form->fits(*text)) {
      faults_->add(errc::recipe_field_invalid, value.place(),
                   path_of(path) + " is " + in_quotes(clipped(*text)) + "; it looks like " +
                       std::string(field.form->shown));
    }
    if (std::cmp_greater(utf16_length(*text), field.most)) {
      faults_->add(errc::recipe_field_invalid, value.place(),
                   path_of(path) + " has more than " + std::to_string(field.most) + " characters");
    }
    placeholders(field, value, path);
  }

  void placeholders(const Field& field, Part value, const std::string& path) {
    for (const Placeholder& each : placeholders_in(*string_value(value.json))) {
      if (!field.takes_inputs || each.name.empty()) {
        faults_->add(errc::recipe_placeholder_invalid, value.place(),
                     field.takes_inputs
                         ? path_of(path) + ": `${` begins a placeholder, ${inputs.NAME}"
                         : path_of(path) +
                               " takes no placeholder: only texts of a selector and "
                               "`params.text` do");
      } else if (inputs_ &&
                 std::ranges::find(*inputs_, each.name, &Input::name) == inputs_->end()) {
        faults_->add(
            errc::recipe_input_undeclared, value.place(),
            path_of(path) + ": the frontmatter has no input " + in_quotes(clipped(each.name)));
      }
    }
  }

  std::optional<std::span<const Input>> inputs_;
  Faults* faults_;
};

void check_step(ShapeCheck& check, const Block& step, Faults* faults) {
  const Part part = part_of(step);
  const std::string* name = part.text("type");
  const StepType* type = name ? find_step_type(*name) : nullptr;
  if (type != nullptr) return check.object(type->fields, part, "");
  const auto value = part.member("type");
  if (!value) {
    faults->add(errc::recipe_field_missing, part.place(), "`type` is missing: the action");
  } else {
    std::vector<std::string> names;
    for (const StepType& each : step_types()) names.emplace_back(each.name);
    faults->add(errc::recipe_action_unsupported, value->place(),
                "`type` is " + clipped(write_json(*value->json)) +
                    "; it is one of: " + joined(names, ", "));
  }
}

}  // namespace

void check_shape(const Recipe& recipe, std::span<const Input> inputs, Faults* faults) {
  const bool is_known = recipe.frontmatter.json != nullptr;
  ShapeCheck check(is_known ? std::optional(inputs) : std::nullopt, faults);
  if (is_known) check.object(frontmatter_fields(), part_of(recipe.frontmatter), "");
  for (const Block& step : recipe.steps) {
    if (step.json) check_step(check, step, faults);
  }
}

Reading read_recipe(std::string_view file) {
  Faults faults;
  Recipe recipe = parse_recipe(file, &faults);
  const std::vector<Input> inputs = inputs_of(recipe);
  check_shape(recipe, inputs, &faults);
  check_rules(recipe, inputs, &faults);
  if (faults.empty()) faults.append(plan_faults(recipe));
  return {std::move(recipe), std::move(faults).in_order()};
}

}  // namespace clawperator::recipe
