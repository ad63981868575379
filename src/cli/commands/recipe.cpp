// recipe: deterministic automations of an app as Markdown with steps; compile, validate, lint

#include <nlohmann/json.hpp>

#include "base/json_text.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/report_answer.hpp"
#include "cli/settings.hpp"
#include "skills/phone/recipe/compile.hpp"
#include "skills/phone/recipe/errc.hpp"
#include "skills/phone/recipe_files.hpp"
#include "skills/phone/rules/compile.hpp"
#include "skills/privacy/errc.hpp"

namespace clawperator::cli {
namespace {

constexpr std::array kRecipeCompileOptions{
    Option{"--vars", "", Arity::any, "<json>", "an object with the values of the inputs"},
};
constexpr Option kAll{"--all", "", Arity::none, "",
                      "the word is a folder: check every recipe below it"};
constexpr std::array kRecipeValidateOptions{kAll, kReportFormat};
constexpr std::array kRecipeLintOptions{kAll, kTermsFile, kReportFormat};

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
    "compile|validate|lint ...",
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
