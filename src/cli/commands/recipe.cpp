// recipe: deterministic automations of an app as Markdown with steps; compile, run, validate, lint

#include <nlohmann/json.hpp>

#include "base/json_text.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/report_answer.hpp"
#include "cli/dispatch.hpp"
#include "cli/settings.hpp"
#include "skills/phone/play/play.hpp"
#include "skills/phone/recipe/compile.hpp"
#include "skills/phone/recipe/errc.hpp"
#include "skills/phone/recipe_files.hpp"
#include "skills/phone/rules/compile.hpp"
#include "skills/privacy/errc.hpp"

namespace clawperator::cli {
namespace {

// Of compile and run.
constexpr std::array kVarsOptions{
    Option{"--vars", "", Arity::any, "<json>", "an object with the values of the inputs"},
};
constexpr Option kAll{"--all", "", Arity::none, "",
                      "the word is a folder: check every recipe below it"};
constexpr std::array kRecipeValidateOptions{kAll, kReportFormat};
constexpr std::array kRecipeLintOptions{kAll, kTermsFile, kReportFormat};

struct GivenRecipe {
  std::string file{};
  recipe::Recipe recipe{};  // without faults
  Json vars{};
};

// The recipe and the values of a command line.
Result<GivenRecipe> read_given(const Arguments& arguments, const char* usage) {
  if (arguments.positionals().empty()) return fail(errc::usage, usage);
  const std::string& file = arguments.positionals()[0];
  TRY(Json vars, phone_skills::parse_vars(arguments.value_or("--vars", "{}")));
  TRY(const std::string text, phone_skills::read_recipe_file(expand_home(file)));
  auto [recipe, faults] = recipe::read_recipe(text);
  if (!faults.empty()) return std::unexpected(report::error_of(file, faults));
  return GivenRecipe{file, std::move(recipe), std::move(vars)};
}

// The value, or the first of the faults.
template <class T>
Result<T> or_fault(const std::string& file, std::expected<T, std::vector<report::Fault>> made) {
  if (made) return *std::move(made);
  return std::unexpected(report::error_of(file, made.error()));
}

Result<Answer> run_recipe_compile(const Invocation& invocation) {
  TRY(const GivenRecipe given,
      read_given(invocation.arguments, "recipe compile <file> [--vars <json>]"));
  TRY(const std::string execution,
      or_fault(given.file, recipe::compile_recipe(given.recipe, given.vars)));
  return Answer{JsonObject().json("execution", execution).str(), {}, {}, 0};
}

Result<Answer> run_recipe_run(const Invocation& invocation) {
  TRY(const GivenRecipe given,
      read_given(invocation.arguments, "recipe run <file> [--vars <json>]"));
  const recipe::Part head = recipe::part_of(given.recipe.frontmatter);
  recipe::Play play{.file = given.file, .app = *head.text("application_id")};
  TRY(play.steps, or_fault(given.file, recipe::plan_recipe(given.recipe, given.vars)));
  TRY(play.outputs, or_fault(given.file, recipe::outputs_of(given.recipe)));
  TRY(play.how, request_for(invocation, Snapshot{}));
  TRY(const recipe::Played played,
      run_with_executor<recipe::Played>(invocation.globals, [&play](Executor* executor) {
        return recipe::play(executor, std::move(play));
      }));
  JsonObject json;
  json.text("recipe", *head.text("recipe_id")).text("version", *head.text("recipe_version"));
  json.text("deviceId", played.device_id).strings("done", played.done);
  return Answer{json.object("outputs", played.outputs).str(), {}, {}, 0};
}

Result<Answer> run_recipe_validate(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  if (arguments.positionals().empty()) {
    return fail(errc::usage,
                "recipe validate <file> [--format json|sarif] | recipe validate --all <folder> "
                "[--format json|sarif]");
  }
  const std::string path = expand_home(arguments.positionals()[0]);
  TRY(const report::Report report, arguments.has("--all") ? phone_skills::check_recipes(path)
                                                          : phone_skills::check_recipe(path));
  return report_answer(invocation, report, kRecipeErrors);
}

Result<Answer> run_recipe_lint(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  if (arguments.positionals().empty()) {
    return fail(errc::usage,
                "recipe lint <file> [--terms-file <file>] [--format json|sarif] | recipe lint "
                "--all <folder> [--terms-file <file>] [--format json|sarif]");
  }
  const std::string path = expand_home(arguments.positionals()[0]);
  TRY(const auto terms, terms_of(arguments));
  TRY(const report::Report report, arguments.has("--all")
                                       ? phone_skills::lint_recipes(path, terms.get())
                                       : phone_skills::lint_recipe(path, terms.get()));
  return report_answer(invocation, report, kPrivacyErrors);
}

constexpr std::array<const Command*, 3> kRecipeSubcommands{&kRecipeCompile, &kRecipeValidate,
                                                           &kRecipeLint};

}  // namespace

constinit const Command kRecipeCompile = host_command(
    "recipe compile", "<file> [--vars <json>]", "Build an execution from a recipe",
    "Prints {\"execution\"}, which `exec` runs. The same recipe and values give the same bytes. A\n"
    "fault has its rule's code, and `details` lists all faults with line and column.",
    "recipe compile open-row.recipe.md --vars '{\"row\":\"Display\"}'\n", kVarsOptions,
    run_recipe_compile, 1);

constinit const Command kRecipeRun = {
    .name = "recipe run",
    .usage = "<file> [--vars <json>]",
    .summary = "Carry a recipe out on a phone, verify it, and read its outputs",
    .details =
        "Compiles the recipe and sends its steps one by one, each to exactly one node of the\n"
        "recipe's app. Prints {\"recipe\",\"version\",\"deviceId\",\"done\",\"outputs\"}; the "
        "outputs\n"
        "are redacted as the recipe declares. The first step that fails ends it: VERIFY_FAILED,\n"
        "NODE_AMBIGUOUS, NODE_NOT_FOUND and others have the step, its line, the steps that were\n"
        "`done`, and the nodes that are near. Nothing is done twice.",
    .examples = "recipe run open-row.recipe.md --vars '{\"row\":\"Display\"}'\n",
    .options = kVarsOptions,
    .run = run_recipe_run,
    .most_words = 1};

constinit const Command kRecipeValidate = host_command(
    "recipe validate", "<file> | --all <folder> [--format json|sarif]",
    "List every fault of a recipe, or of all recipes in a folder",
    "{\"valid\",\"recipes\",\"faults\":[{\"code\",\"file\",\"line\",\"column\",\"message\"}]}. "
    "Exit code 1 if\n"
    "there is a fault. In a folder recipes are *.recipe.md, and other *.md files whose\n"
    "frontmatter has recipe_id; links are not followed.",
    "recipe validate open-row.recipe.md\n"
    "recipe validate --all recipes --format sarif\n",
    kRecipeValidateOptions, run_recipe_validate, 1);

constinit const Command kRecipeLint = host_command(
    "recipe lint", "<file> | --all <folder> [--terms-file <file>] [--format json|sarif]",
    "Find personal texts in a recipe, or in all recipes of a folder",
    "Reads the whole file, as `skills scan` does: e-mail addresses, phone numbers, serials, home\n"
    "folders, and the terms of ~/.clawperator/blocked-terms.txt. Exit code 1 if there is one.",
    "recipe lint open-row.recipe.md\n"
    "recipe lint --all recipes --terms-file terms.txt --format sarif\n",
    kRecipeLintOptions, run_recipe_lint, 1);

constinit const Command kRecipe = {
    "recipe",
    "",
    "compile|run|validate|lint ...",
    "Check recipes, and carry them out",
    "A recipe is a Markdown file with YAML frontmatter and a YAML block for each step. Only\n"
    "`recipe run` needs a device.",
    "recipe validate --all recipes\n"
    "recipe run open-row.recipe.md --vars '{\"row\":\"Display\"}'\n"
    "recipe compile open-row.recipe.md --vars '{\"row\":\"Display\"}'\n",
    Reach::host,
    {},
    nullptr,
    kRecipeSubcommands};

}  // namespace clawperator::cli
