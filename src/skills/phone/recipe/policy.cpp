#include "skills/phone/recipe/policy.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/text.hpp"
#include "skills/phone/recipe/errc.hpp"
#include "skills/phone/recipe/fields_table.hpp"
#include "skills/phone/recipe/inputs.hpp"

namespace clawperator::recipe {
namespace {

constexpr std::string_view kActing = "click long_click type_text toggle purchase_risk";

using Names = std::set<std::string, std::less<>>;

void note_inputs(const Part& part, Names* used) {
  part.each([used](const std::string&, const Part& value) { note_inputs(value, used); });
  const std::string* text = string_value(part.json);
  if (text == nullptr) return;
  for (const Placeholder& each : placeholders_in(*text)) used->emplace(each.name);
}

class Policy {
 public:
  explicit Policy(const Recipe& recipe) : recipe_(recipe), head_(part_of(recipe.frontmatter)) {}

  std::vector<Fault> check() {
    if (const auto list = head_.member("capabilities")) {
      list->each([this](const std::string&, const Part& each) {
        if (const std::string* word = string_value(each.json)) declared_.insert(*word);
      });
    }
    if (is_word("session_policy", "fresh")) used_.emplace("navigate");
    for (const Block& step : recipe_.steps) {
      if (step.json) {
        take_step(part_of(step));
      } else {
        is_all_known_ = false;
      }
    }
    check_declared();
    if (is_all_known_) check_inputs();
    return std::move(faults_).in_order();
  }

 private:
  [[nodiscard]] bool is_word(std::string_view field, std::string_view word) const {
    const std::string* text = head_.text(field);
    return text != nullptr && *text == word;
  }

  void need(std::string_view capability, TextPlace place, std::string_view what) {
    used_.emplace(capability);
    if (capability.empty() || declared_.contains(capability)) return;
    faults_.add(errc::recipe_capability_undeclared, place,
                std::string(what) + " needs the capability `" + std::string(capability) +
                    "`: add it to `capabilities`");
  }

  void take_step(const Part& step) {
    note_inputs(step, &inputs_);
    const auto needs = needs_of(step);
    if (!needs) {
      is_all_known_ = false;
      return;
    }
    if (needs->navigates) used_.emplace("navigate");
    if (needs->changes) used_.insert({"toggle", "purchase_risk"});
    need(needs->capability, step.member("type")->place(), *step.text("type"));
    if (const auto confirm = step.member("confirm")) {
      need("observe", confirm->name_place(), "`confirm`");
    }
  }

  void check_declared() {
    const auto list = head_.member("capabilities");
    if (!list) return;
    const bool is_probe = is_word("recipe_type", "probe");
    // Other words are faults of the format.
    const std::string_view all = find_field(frontmatter_fields(), "capabilities")->choices;
    list->each([&](const std::string&, const Part& each) {
      const std::string* word = string_value(each.json);
      if (word == nullptr) return;
      const std::string shown = "`" + *word + "`";
      if (is_probe && is_one_of(*word, kActing)) {
        faults_.add(errc::recipe_probe_acts, each.place(),
                    "a probe only reads, it has no capability " + shown);
      } else if (is_all_known_ && is_one_of(*word, all) && !used_.contains(*word)) {
        faults_.add(errc::recipe_capability_unused, each.place(),
                    "no step uses the capability " + shown + ": remove it");
      }
      if (*word == "purchase_risk" && !is_word("risk_level", "high")) {
        faults_.add(errc::recipe_risk_level_too_low, each.place(),
                    shown + " requires `risk_level: high`");
      }
    });
  }

  void check_inputs() {
    for (const Input& input : inputs_of(recipe_)) {
      if (inputs_.contains(input.name)) continue;
      faults_.add(errc::recipe_input_unused, input.place,
                  "no step uses the input " + in_quotes(input.name) + ": remove it");
    }
  }

  const Recipe& recipe_;
  Part head_;
  Faults faults_;
  Names declared_;
  Names used_;
  Names inputs_;
  bool is_all_known_ = true;  // false: a step that cannot be read may use anything
};

}  // namespace

const StepType* type_of(const Part& step) {
  const std::string* name = step.text("type");
  return name ? find_step_type(*name) : nullptr;
}

std::optional<Needs> needs_of(const Part& step) {
  const StepType* type = type_of(step);
  if (type == nullptr) return std::nullopt;
  const auto params = step.member("params");
  const Json* click = params ? find_member(*params->json, "click_after") : nullptr;
  const std::string* kind = params ? params->text("click_type") : nullptr;
  switch (type->action) {
    case ActionType::wait_for_node:
    case ActionType::read_text:
    case ActionType::snapshot_ui: return Needs{.capability = "observe"};
    case ActionType::open_app:
    case ActionType::close_app: return Needs{.capability = "navigate"};
    case ActionType::click:
    case ActionType::scroll_and_click:
      if (click != nullptr && *click == false) return Needs{.capability = "navigate"};
      return Needs{kind != nullptr && kind->starts_with("long") ? "long_click" : "click", true,
                   true};
    case ActionType::enter_text: return Needs{.capability = "type_text", .changes = true};
    default: return Needs{};
  }
}

std::vector<Fault> policy_faults(const Recipe& recipe) {
  if (!recipe.frontmatter.json) return {};
  return Policy(recipe).check();
}

}  // namespace clawperator::recipe
