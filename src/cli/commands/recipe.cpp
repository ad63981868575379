// recipe: deterministic automations of an app as Markdown with steps; compile, validate

#include <nlohmann/json.hpp>

#include "base/json_text.hpp"
#include "cli/commands/commands.hpp"
#include "cli/pretty/pretty_printer.hpp"
#include "cli/settings.hpp"
#include "cli/version.hpp"
#include "skills/phone/recipe/compile.hpp"
#include "skills/phone/recipe/errc.hpp"
#include "skills/phone/recipe_files.hpp"
#include "skills/phone/rules/compile.hpp"

namespace clawperator::cli {
namespace {

constexpr std::array kRecipeCompileOptions{
    Option{"--vars", "", Arity::any, "<json>", "an object with the values of the inputs"},
};
constexpr std::array kRecipeValidateOptions{
    Option{"--all", "", Arity::none, "", "the word is a folder: check every recipe below it"},
    Option{"--format", "", Arity::one, "<format>", "json, or sarif for a CI", "json sarif"},
};

Result<Answer> run_recipe_compile(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  if (arguments.positionals().empty()) {
    return fail(errc::usage, "recipe compile <file> [--vars <json>]");
  }
  const std::string& file = arguments.positionals()[0];
  TRY(const Json vars, phone_skills::parse_vars(arguments.value_or("--vars", "{}")));
  TRY(const std::string text, phone_skills::read_recipe_file(expand_home(file)));
  const auto [recipe, faults] = recipe::read_recipe(text);
  if (!faults.empty()) return std::unexpected(report::error_of(file, faults));
  const auto execution = recipe::compile_recipe(recipe, vars);
  if (!execution) return std::unexpected(report::error_of(file, execution.error()));
  return Answer{JsonObject().json("execution", *execution).str(), {}, {}, 0};
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
  Answer answer{.exit_code = report.faults.empty() ? 0 : 1};
  if (arguments.value_or("--format", "json") == "sarif") {
    answer.json = report::to_sarif(report, kRecipeErrors, kVersionText);
  } else {
    answer.json = report::to_json(report);
    answer.text = printable(report::to_text(report));
  }
  return answer;
}

constexpr std::array<const Command*, 2> kRecipeSubcommands{&kRecipeCompile, &kRecipeValidate};

}  // namespace

constinit const Command kRecipeCompile = host_command(
    "recipe compile", "<file> [--vars <json>]", "Build an execution from a recipe",
    "Prints {\"execution\"}, which `exec` runs. The same recipe and values give the same bytes. A\n"
    "fault has its rule's code, and `details` lists all faults with line and column.",
    "recipe compile open-row.recipe.md --vars '{\"row\":\"Display\"}'\n", kRecipeCompileOptions,
    run_recipe_compile, 1);

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

constinit const Command kRecipe = {
    "recipe",
    "",
    "compile|validate ...",
    "Check recipes, and make executions of them",
    "A recipe is a Markdown file with YAML frontmatter and a YAML block for each step. It is\n"
    "checked and compiled here, without a device.",
    "recipe validate --all recipes\n"
    "recipe compile open-row.recipe.md --vars '{\"row\":\"Display\"}'\n",
    Reach::host,
    {},
    nullptr,
    kRecipeSubcommands};

}  // namespace clawperator::cli
