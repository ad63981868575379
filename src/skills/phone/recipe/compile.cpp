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

// In a sample a selector's keys that no matcher has are left out, and the matcher has a condition
// all the same. In an execution they are faults.
enum class Purpose : std::uint8_t { execution, sample };

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
        add(std::string(kFreshId) + (type == ActionType::close_app ? "close" : "open"), name, app,
            frontmatter().member("session_policy")->place());
      }
    }
    for (const Block& step : recipe_.steps) take_step(part_of(step));
  }

  std::expected<std::string, std::vector<Fault>> finish() {
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
    if (execution && size) return payload_json(*execution);
    if (!size) wrong(errc::recipe_plan_invalid, frontmatter().place(), size.error().message());
    if (!execution) take_issues(execution.error());
    return std::unexpected(std::move(faults_).in_order());
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
    if (purpose_ == Purpose::execution) {
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

  void add_matchers(Part part, JsonObject* params) {
    if (const auto selector = part.member("selector")) params->json("matcher", matcher(*selector));
    if (const auto container = part.member("container")) {
      params->json("container", matcher(*container));
    }
  }

  void add(std::string id, std::string_view type, const std::string& params, TextPlace place) {
    JsonObject action;
    action.text("id", id).text("type", type);
    if (params != "{}") action.json("params", params);
    actions_.push_back(action.str());
    places_.push_back(place);
  }

  std::string params_of(const Part& step, const StepType& type) {
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
    add_matchers(step, &params);
    if (const auto retries = step.member("retries")) {
      params.object("retry", JsonObject().real("maxAttempts", number_of(*retries, "count")));
    }
    return params.str();
  }

  void take_step(const Part& step) {
    const StepType& type = *find_step_type(*step.text("type"));
    const std::string& id = *step.text("id");
    add(id, type.name, params_of(step, type), step.place());
    if (const auto wait = step.member("wait")) {
      const double pause = number_of(*wait, "after_ms");
      lasts_ms_ += pause;
      add(std::string(kAfterId) + id, "sleep", JsonObject().real("durationMs", pause).str(),
          wait->place());
    }
    if (const auto confirm = step.member("confirm")) {
      JsonObject params;
      add_matchers(*confirm, &params);
      if (const double limit = number_of(*confirm, "timeout_ms"); limit > 0) {
        lasts_ms_ += limit;
        params.real("timeoutMs", limit);
      }
      add(std::string(kConfirmId) + id, "wait_for_node", params.str(), confirm->place());
    }
  }

  // The contract's issues, each at the step that it is about.
  void take_issues(const Error& error) {
    const auto take = [this, &error](const Json& issue) {
      const Json* path = find_member(issue, "path");
      const auto index =
          whole_value(path && path->size() > 1 ? &(*path)[1] : nullptr, 0, std::ssize(places_) - 1);
      const std::string* message = string_member(issue, "message");
      wrong(errc::recipe_plan_invalid,
            index ? places_[static_cast<std::size_t>(*index)] : frontmatter().place(),
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
  std::vector<TextPlace> places_;  // of the actions
  double lasts_ms_ = 0;
};

}  // namespace

std::expected<std::string, std::vector<Fault>> compile_recipe(const Recipe& recipe,
                                                              const Json& vars) {
  Compiler compiler(recipe, Purpose::execution);
  compiler.take_values(vars);
  compiler.take_steps();
  return compiler.finish();
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
    return compiler.finish().value_or("");
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
