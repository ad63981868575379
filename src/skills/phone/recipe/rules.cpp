// What no single field shows.

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "skills/phone/recipe/check.hpp"
#include "skills/phone/recipe/errc.hpp"
#include "skills/phone/recipe/fields_table.hpp"
#include "skills/phone/recipe/policy.hpp"
#include "skills/privacy/literals.hpp"

namespace clawperator::recipe {
namespace {

bool may_be(const Part& step, ActionType action) {
  const StepType* type = type_of(step);
  return type == nullptr || type->action == action;
}

// A later step must verify it.
bool changes(const Part& step) {
  const auto needs = needs_of(step);
  return needs && needs->changes;
}

bool verifies(const Part& step) {
  return may_be(step, ActionType::read_text) || may_be(step, ActionType::wait_for_node);
}

class Rules {
 public:
  Rules(const Recipe& recipe, std::span<const Input> inputs, Faults* faults)
      : recipe_(recipe), inputs_(inputs), faults_(faults) {
    static const Json kUnread = Json::object();
    for (const Block& step : recipe.steps) {
      steps_.push_back(step.json ? part_of(step) : Part{&kUnread, &step.places});
    }
    if (recipe.frontmatter.json) frontmatter_ = part_of(recipe.frontmatter);
  }

  void check() {
    check_names();
    check_literals(recipe_.frontmatter);
    for (const Block& step : recipe_.steps) check_literals(step);
    for (const Part& step : steps_) check_annotations(step);
    if (!frontmatter_) return;
    check_defaults();
    check_outputs();
    if (is_word("recipe_type", "probe")) check_probe();
    if (needs_verification()) check_verification();
    check_fresh_start();
  }

 private:
  void wrong(Errc code, TextPlace place, std::string message) {
    faults_->add(code, place, std::move(message));
  }

  [[nodiscard]] bool is_word(std::string_view field, std::string_view word) const {
    const std::string* text = frontmatter_->text(field);
    return text != nullptr && *text == word;
  }

  using Seen = std::set<std::string_view>;
  void name_once(const Part& entry, const char* field, std::string_view what, Seen* seen) {
    const std::string* name = entry.text(field);
    if (name == nullptr || seen->insert(*name).second) return;
    wrong(errc::recipe_name_repeated, entry.member(field)->place(),
          "there is another " + std::string(what) + " " + in_quotes(*name));
  }

  void check_names() {
    Seen ids;
    for (const Part& step : steps_) name_once(step, "id", "step", &ids);
    if (!frontmatter_) return;
    for (const auto& [list, what] : {std::pair("inputs", "input"), {"outputs", "output"}}) {
      Seen names;
      if (const auto entries = frontmatter_->member(list)) {
        entries->each(
            [&](const std::string&, Part entry) { name_once(entry, "name", what, &names); });
      }
    }
  }

  // The whole text, comments too. The literal itself is not printed.
  void check_literals(const Block& block) {
    std::size_t number = block.place.line;
    for (const std::string_view line : split(block.text, '\n')) {
      for (const privacy::Literal& each : privacy::find_literals(line)) {
        wrong(errc::recipe_literal_found,
              {number, character_count(line.substr(0, each.offset)) + 1},
              std::string(privacy::shown(each.kind)) +
                  " belongs to one user: declare an input for it");
      }
      ++number;
    }
  }

  void check_annotations(const Part& part) {
    part.each([this](const std::string&, Part value) { check_annotations(value); });
    const std::string* annotation = part.text("annotation");
    if (annotation == nullptr || *annotation != "USER_SPECIFIC") return;
    part.each([this](const std::string& name, Part value) {
      const Field* field = find_field(selector_fields(), name);
      const std::string* text = string_value(value.json);
      if (field == nullptr || !field->takes_inputs || text == nullptr) return;
      if (name.starts_with("text") || name.starts_with("content")) {
        if (!placeholders_in(*text).empty()) return;
        wrong(errc::recipe_literal_found, value.place(),
              "`" + name + "` is USER_SPECIFIC: declare an input for it, ${inputs.NAME}");
      }
    });
  }

  void check_defaults() {
    for (const Input& input : inputs_) {
      if (!is_given(input.otherwise) || fits(input, *input.otherwise)) continue;
      wrong(errc::recipe_field_invalid, input.place,
            "the default of input " + in_quotes(input.name) + " is no " + std::string(input.type));
    }
  }

  void check_outputs() {
    const auto outputs = frontmatter_->member("outputs");
    if (!outputs) return;
    outputs->each([this](const std::string&, Part output) {
      const std::string* step = output.text("step");
      const auto is_it = [step](const Part& each) {
        const std::string* id = each.text("id");
        return (id == nullptr || *id == *step) && may_be(each, ActionType::read_text);
      };
      if (step == nullptr || std::ranges::any_of(steps_, is_it)) return;
      wrong(errc::recipe_reference_invalid, output.member("step")->place(),
            "no read_text step has the id " + in_quotes(*step));
    });
  }

  void check_probe() {
    for (const Part& step : steps_) {
      if (!changes(step)) continue;
      wrong(errc::recipe_probe_acts, step.member("type")->place(),
            "a probe only reads: make it a flow or an action");
    }
  }

  [[nodiscard]] bool needs_verification() const {
    if (is_word("recipe_type", "action")) return true;
    const auto capabilities = frontmatter_->member("capabilities");
    const auto is_risky = [](const Json& each) {
      const std::string* word = string_value(&each);
      return word != nullptr && is_one_of(*word, "toggle type_text purchase_risk");
    };
    return capabilities && capabilities->json->is_array() &&
           std::ranges::any_of(*capabilities->json, is_risky);
  }

  void check_verification() {
    const Part* open = nullptr;  // a change that no step has verified yet
    const auto report = [&] {
      if (open == nullptr) return;
      wrong(errc::recipe_verification_missing, open->member("type")->place(),
            "the step changes something: give it a `confirm` block, or a read_text or "
            "wait_for_node step before the next change");
    };
    for (const Part& step : steps_) {
      if (verifies(step)) open = nullptr;
      if (!changes(step)) continue;
      report();
      open = step.member("confirm") ? nullptr : &step;
    }
    report();
  }

  void check_fresh_start() {
    const auto injected = frontmatter_->member("fresh_start_injected");
    if (!injected || *injected->json != false || !is_word("session_policy", "fresh")) return;
    const auto is_own = [this](std::size_t at, ActionType action) {
      if (at >= steps_.size() || !may_be(steps_[at], action)) return false;
      const auto params = steps_[at].member("params");
      const std::string* app = params ? params->text("application_id") : nullptr;
      return app == nullptr || is_word("application_id", *app);
    };
    if (is_own(0, ActionType::close_app) && is_own(1, ActionType::open_app)) return;
    wrong(errc::recipe_fresh_start_missing, injected->place(),
          "the first two steps must be close_app and open_app of the recipe's app");
  }

  const Recipe& recipe_;
  std::span<const Input> inputs_;
  Faults* faults_;
  std::vector<Part> steps_;
  std::optional<Part> frontmatter_;
};

}  // namespace

void check_rules(const Recipe& recipe, std::span<const Input> inputs, Faults* faults) {
  Rules(recipe, inputs, faults).check();
}

}  // namespace clawperator::recipe
