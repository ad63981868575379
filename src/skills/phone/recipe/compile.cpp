#include "skills/phone/recipe/compile.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_text.hpp"
#include "base/suggest.hpp"
#include "base/text.hpp"
#include "runtime/contract/parse.hpp"
#include "skills/phone/recipe/errc.hpp"
#include "skills/phone/recipe/fields_table.hpp"
#include "skills/phone/recipe/inputs.hpp"
#include "skills/phone/rules/compile.hpp"

namespace clawperator::recipe {
namespace {

constexpr std::string_view kSource = "clawperator-recipe";
// Besides the pauses and waits that the steps have themselves.
constexpr double kBaseTimeoutMs = 30'000;

// What becomes of a selector with keys that no matcher has.
enum class Purpose : std::uint8_t {
  execution,  // they are faults
  run,        // a snapshot finds the node
  sample,     // they are left out
};

// The contract requires a value or a condition where none is known yet.
constexpr std::string_view kSample = "1";

double number_of(const Part& part, std::string_view name) {
  const auto member = part.member(name);
  return member && member->json->is_number() ? member->json->get<double>() : 0;
}

class Compiler {
 public:
  Compiler(const Recipe& recipe, Purpose purpose) : recipe_(recipe), purpose_(purpose) {}

  void take_values(const Json& vars) {
    const auto inputs = inputs_of(recipe_);
    for (const Input& input : inputs) take_value(input, find_member(vars, std::string(input.name)));
    std::vector<std::string_view> names(inputs.size());
    std::ranges::transform(inputs, names.begin(), &Input::name);
    for (const auto& [name, value] : vars.get_ref<const Json::object_t&>()) {
      if (std::ranges::find(names, name) != names.end()) continue;
      const auto list = frontmatter().member("inputs");
      wrong(errc::recipe_input_invalid, list->name_place(),
            "the recipe has no input " + in_quotes(clipped(name)) + did_you_mean(name, names));
    }
  }

  void take_samples() {
    for (const Input& input : inputs_of(recipe_)) values_[std::string(input.name)] = kSample;
  }

  void take_steps() {
    if (is_fresh()) {
      const std::string app = JsonObject().text("applicationId", app_id()).str();
      for (const ActionType type : {ActionType::close_app, ActionType::open_app}) {
        const std::string_view name = type == ActionType::close_app ? "close_app" : "open_app";
        add({.place = frontmatter().member("session_policy")->place()},
            std::string(kFreshId) + (type == ActionType::close_app ? "close" : "open"), name, app);
      }
    }
    for (const Block& step : recipe_.steps) take_step(part_of(step));
  }

  std::expected<Execution, std::vector<Fault>> finish() {
    if (!faults_.empty()) return std::unexpected(std::move(faults_).in_order());
    const std::string hash = phone_skills::artifact_hash(
        *frontmatter().text("recipe_id"), *frontmatter().text("recipe_version"), hashed_);
    JsonObject json;
    json.text("commandId", "cmd-" + hash).text("taskId", "task-" + hash).text("source", kSource);
    json.text("expectedFormat", kExpectedFormat);
    json.real("timeoutMs", std::min(kBaseTimeoutMs + lasts_ms_, kMaxTimeoutMs));
    json.json("actions", list_json(actions_, [](const std::string& action) { return action; }));
    json.text("mode", "artifact_compiled");
    auto execution = parse_execution(json.str());
    const auto size = execution ? check_size(*execution) : ok();
    if (execution && size) return *std::move(execution);
    if (!size) wrong(errc::recipe_plan_invalid, frontmatter().place(), size.error().message());
    if (!execution) take_issues(execution.error());
    return std::unexpected(std::move(faults_).in_order());
  }

  std::vector<PlanStep> take_plan(Execution execution) && {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      steps_[i].action = std::move(execution.actions[i]);
    }
    return std::move(steps_);
  }

 private:
  [[nodiscard]] Part frontmatter() const { return part_of(recipe_.frontmatter); }
  [[nodiscard]] const std::string& app_id() const { return *frontmatter().text("application_id"); }

  void wrong(Errc code, TextPlace place, std::string message) {
    faults_.add(code, place, std::move(message));
  }

  [[nodiscard]] bool is_fresh() const {
    const auto injected = frontmatter().member("fresh_start_injected");
    return *frontmatter().text("session_policy") == "fresh" &&
           !(injected && *injected->json == false);
  }

  void take_value(const Input& input, const Json* given) {
    const Json* value = is_given(given)             ? given
                        : is_given(input.otherwise) ? input.otherwise
                                                    : nullptr;
    const std::string name(input.name);
    if (value != nullptr && fits(input, *value)) {
      values_[name] = js_text(*value);
      hashed_[name] = *value;
    } else if (value != nullptr) {
      wrong(errc::recipe_input_invalid, input.place,
            "input " + in_quotes(name) + " must be a " + std::string(input.type));
      values_[name] = kSample;  // one fault is enough; so below
    } else if (input.is_required) {
      wrong(errc::recipe_input_missing, input.place,
            "input " + in_quotes(name) + " has no value: add it to --vars");
      values_[name] = kSample;
    }
  }

  std::string filled(Part text) {
    auto result = fill_in(*string_value(text.json), values_);
    if (result) return *std::move(result);
    wrong(result.error().code(), text.place(), result.error().message());
    return {};
  }

  void unsupported(TextPlace place, std::string why) {
    if (purpose_ != Purpose::sample) {
      wrong(errc::recipe_selector_unsupported, place,
            std::move(why) + ": the app's matcher cannot have it");
    }
  }

  void lower(Part selector, NodeMatcher* matcher) {
    selector.each([&](const std::string& name, Part value) {
      if (name == "annotation") return;
      if (name == "all_of") {
        return value.each([&](const std::string&, Part each) { lower(each, matcher); });
      }
      const std::string_view own = find_field(selector_fields(), name)->execution;
      if (own.empty()) return unsupported(value.name_place(), "selector key `" + name + "`");
      auto& field = matcher->*std::ranges::find(matcher_fields(), own, &MatcherField::name)->field;
      if (field) return unsupported(value.name_place(), "a second `" + name + "`");
      field = filled(value);
    });
  }

  std::string matcher(Part selector) {
    Selector made;
    lower(selector, &made.fields);
    if (purpose_ == Purpose::sample && made == Selector()) made.fields.resource_id = kSample;
    return matcher_json(made);
  }

  NodeRule rule_of(Part selector) {
    NodeRule rule;
    selector.each([&](const std::string& name, Part value) {
      const auto rules = [&](std::vector<NodeRule>* into) {
        value.each([&](const std::string&, Part each) { into->push_back(rule_of(each)); });
      };
      const std::string_view own = find_field(selector_fields(), name)->execution;
      if (!own.empty()) {
        rule.texts.*std::ranges::find(matcher_fields(), own, &MatcherField::name)->field =
            filled(value);
      }
      if (name == "class") rule.class_name = filled(value);
      if (name == "clickable") rule.clickable = value.json->get<bool>();
      if (name == "enabled") rule.enabled = value.json->get<bool>();
      if (name == "selected") rule.selected = value.json->get<bool>();
      if (name == "index_in_parent") rule.index_in_parent = value.json->get<int>();
      if (name == "any_of") rules(&rule.any_of);
      if (name == "all_of") rules(&rule.all_of);
    });
    return rule;
  }

  // The selector and container of a step. In a run a snapshot finds the node, and `of` receives
  // them; but the app does what the parameters of a read_text describe.
  void add_matchers(Part part, ActionType type, PlanStep* of, JsonObject* params) {
    const auto selector = part.member("selector");
    const auto container = part.member("container");
    if (!selector) return;
    of->wanted = wanted(*selector->json);
    if (purpose_ != Purpose::run || (type == ActionType::read_text && part.member("params"))) {
      params->json("matcher", matcher(*selector));
      if (container) params->json("container", matcher(*container));
      return;
    }
    params->object("matcher", JsonObject().text("resourceId", kSample));
    of->node = rule_of(*selector);
    if (container) of->container = rule_of(*container);
  }

  // With its texts filled in; a fault of a text is reported elsewhere.
  [[nodiscard]] std::string wanted(Json json) const {
    const std::function<void(Json&)> fill = [&](Json& value) {
      if (value.is_string()) value = fill_in(value.get_ref<std::string&>(), values_).value_or("");
      if (value.is_structured()) std::ranges::for_each(value, fill);
    };
    fill(json);
    return write_json(json);
  }

  void add(PlanStep step, std::string id, std::string_view type, const std::string& params) {
    JsonObject action;
    action.text("id", id).text("type", type);
    if (params != "{}") action.json("params", params);
    actions_.push_back(action.str());
    steps_.push_back(std::move(step));
  }

  std::string params_of(const Part& step, const StepType& type, PlanStep* of) {
    JsonObject params;
    const auto own = step.member("params");
    if (own) {
      own->each([&](const std::string& name, Part value) {
        const Field& field = *find_field(type.params, name);
        if (field.takes_inputs) {
          params.text(field.execution, filled(value));
        } else {
          params.json(field.execution, write_json(*value.json));
        }
      });
      lasts_ms_ += number_of(*own, "timeout_ms") + number_of(*own, "duration_ms");
    }
    if (find_field(type.params, "application_id") && !(own && own->member("application_id"))) {
      params.text("applicationId", app_id());
    }
    add_matchers(step, type.action, of, &params);
    if (const auto retries = step.member("retries")) {
      params.object("retry", JsonObject().real("maxAttempts", number_of(*retries, "count")));
    }
    return params.str();
  }

  void take_step(const Part& step) {
    const StepType& type = *find_step_type(*step.text("type"));
    const std::string& id = *step.text("id");
    PlanStep own{.place = step.place()};
    const std::string own_params = params_of(step, type, &own);
    add(std::move(own), id, type.name, own_params);
    if (const auto wait = step.member("wait")) {
      const double pause = number_of(*wait, "after_ms");
      lasts_ms_ += pause;
      add({.place = wait->place()}, std::string(kAfterId) + id, "sleep",
          JsonObject().real("durationMs", pause).str());
    }
    if (const auto confirm = step.member("confirm")) {
      JsonObject params;
      PlanStep of{.place = confirm->place()};
      add_matchers(*confirm, ActionType::wait_for_node, &of, &params);
      if (const double limit = number_of(*confirm, "timeout_ms"); limit > 0) {
        lasts_ms_ += limit;
        params.real("timeoutMs", limit);
      }
      add(std::move(of), std::string(kConfirmId) + id, "wait_for_node", params.str());
    }
  }

  // The contract's issues, each at the step that it is about.
  void take_issues(const Error& error) {
    const auto take = [this, &error](const Json& issue) {
      const Json* path = find_member(issue, "path");
      const auto index =
          whole_value(path && path->size() > 1 ? &(*path)[1] : nullptr, 0, std::ssize(steps_) - 1);
      const std::string* message = string_member(issue, "message");
      wrong(errc::recipe_plan_invalid,
            index ? steps_[static_cast<std::size_t>(*index)].place : frontmatter().place(),
            message ? *message : error.message());
    };
    if (phone_skills::for_each_issue(error, take)) return;
    wrong(errc::recipe_plan_invalid, frontmatter().place(), error.message());
  }

  const Recipe& recipe_;
  Purpose purpose_;
  Faults faults_;
  Values values_;
  Json hashed_ = Json::object();  // the same, for the ids
  std::vector<std::string> actions_;
  std::vector<PlanStep> steps_;  // the same, without their actions
  double lasts_ms_ = 0;
};

}  // namespace

std::expected<std::string, std::vector<Fault>> compile_recipe(const Recipe& recipe,
                                                              const Json& vars) {
  Compiler compiler(recipe, Purpose::execution);
  compiler.take_values(vars);
  compiler.take_steps();
  auto execution = compiler.finish();
  if (!execution) return std::unexpected(std::move(execution).error());
  return payload_json(*execution);
}

std::expected<std::vector<PlanStep>, std::vector<Fault>> plan_recipe(const Recipe& recipe,
                                                                     const Json& vars) {
  Compiler compiler(recipe, Purpose::run);
  compiler.take_values(vars);
  compiler.take_steps();
  auto execution = compiler.finish();
  if (!execution) return std::unexpected(std::move(execution).error());
  return std::move(compiler).take_plan(*std::move(execution));
}

bool is_reproducible(const Recipe& recipe) {
  std::vector<Input> inputs = inputs_of(recipe);
  const auto compiled = [&] {
    Json vars = Json::object();
    for (const Input& input : inputs) {
      vars[std::string(input.name)] = input.type == "number"    ? Json(1)
                                      : input.type == "boolean" ? Json(true)
                                                                : Json(kSample);
    }
    Compiler compiler(recipe, Purpose::sample);
    compiler.take_values(vars);
    compiler.take_steps();
    const auto execution = compiler.finish();
    return execution ? payload_json(*execution) : std::string();
  };
  const std::string first = compiled();
  std::ranges::reverse(inputs);
  return compiled() == first;
}

std::vector<Fault> plan_faults(const Recipe& recipe) {
  Compiler compiler(recipe, Purpose::sample);
  compiler.take_samples();
  compiler.take_steps();
  auto execution = compiler.finish();
  return execution ? std::vector<Fault>() : std::move(execution).error();
}

}  // namespace clawperator::recipe
