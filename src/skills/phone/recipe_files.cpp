#include "skills/phone/recipe_files.hpp"

#include <algorithm>
#include <map>

#include "base/files.hpp"
#include "base/text.hpp"
#include "skills/phone/recipe/errc.hpp"
#include "skills/phone/recipe/recipe.hpp"
#include "skills/privacy/scan_text.hpp"

namespace clawperator::phone_skills {
namespace {

namespace fs = std::filesystem;

// The plain files *.md, by their paths.
Result<std::vector<fs::path>> markdown_files(const fs::path& folder) {
  TRY(const auto entries, with_code(errc::file_unreadable, entries_below(folder)));
  std::vector<fs::path> files;
  for (const EntryBelow& entry : entries) {
    std::error_code ignored;
    const fs::path path = folder / entry.path;
    const bool is_file = fs::symlink_status(path, ignored).type() == fs::file_type::regular;
    if (is_file && path.extension() == ".md") files.push_back(path);
  }
  std::ranges::sort(files);
  return files;
}

// Counts one recipe and adds its faults.
using CheckText =
    std::function<void(const std::string& file, std::string_view text, report::Report* report)>;

// Reads all recipes below the folder.
Result<report::Report> checked(const fs::path& folder, const CheckText& check) {
  TRY(const std::vector<fs::path> files, markdown_files(folder));
  report::Report report{.counted = "recipes"};
  for (const fs::path& file : files) {
    const auto text = read_recipe_file(file);
    const bool is_recipe = file.string().ends_with(".recipe.md");
    if (!is_recipe && !(text && recipe::is_named_recipe(*text))) continue;
    if (report.count == kMaxRecipes) {
      return fail(errc::recipe_limit_exceeded, folder.string() + " has more than " +
                                                   std::to_string(kMaxRecipes) +
                                                   " recipes: check a part of it");
    }
    if (text) {
      check(file.string(), *text, &report);
    } else {
      ++report.count;
      const Error& error = text.error();
      add_fault(file.string(), {error.code(), {}, error.message()}, &report);
    }
  }
  return report;
}

CheckText lint(const privacy::Terms* terms) {
  return [terms](const std::string& file, std::string_view text, report::Report* report) {
    privacy::scan_text(file, text, terms, report, privacy::Binary::scanned);
  };
}

// Adds the faults of one recipe; `ids` are those that were read before, with their files.
void check_text(const std::string& file, std::string_view text,
                std::map<std::string, std::string>* ids, report::Report* report) {
  auto [recipe, faults] = recipe::read_recipe(text);
  ++report->count;
  const std::string* id =
      recipe.frontmatter.json ? recipe::part_of(recipe.frontmatter).text("recipe_id") : nullptr;
  if (id != nullptr) {
    const auto [first, is_new] = ids->emplace(*id, file);
    if (!is_new) {
      faults.push_back({errc::recipe_name_repeated,
                        recipe::part_of(recipe.frontmatter).member("recipe_id")->place(),
                        first->second + " has the same recipe_id, " + in_quotes(*id)});
    }
  }
  add_faults(file, std::move(faults), report);
}

}  // namespace

Result<std::string> read_recipe_file(const fs::path& file) {
  if (!is_plain_file(file)) {
    return fail(errc::file_unreadable, file.string() + " is no file: name a recipe");
  }
  auto text = read_file(file, recipe::kMaxRecipe);
  if (text) return text;
  const bool is_long = text.error().code() == errc::limit;
  return with_code(is_long ? errc::recipe_limit_exceeded : errc::file_unreadable, std::move(text));
}

Result<report::Report> check_recipe(const fs::path& file) {
  TRY(const std::string text, read_recipe_file(file));
  report::Report report{.counted = "recipes"};
  std::map<std::string, std::string> ids;
  check_text(file.string(), text, &ids, &report);
  return report;
}

Result<report::Report> check_recipes(const fs::path& folder) {
  std::map<std::string, std::string> ids;
  return checked(folder, [&ids](const std::string& file, std::string_view text,
                                report::Report* report) { check_text(file, text, &ids, report); });
}

Result<report::Report> lint_recipe(const fs::path& file, const privacy::Terms* terms) {
  TRY(const std::string text, read_recipe_file(file));
  report::Report report{.counted = "recipes"};
  lint(terms)(file.string(), text, &report);
  return report;
}

Result<report::Report> lint_recipes(const fs::path& folder, const privacy::Terms* terms) {
  return checked(folder, lint(terms));
}

}  // namespace clawperator::phone_skills
