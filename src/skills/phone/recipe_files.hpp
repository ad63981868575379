#pragma once
// Recipes on disk. In a folder a recipe is a file *.recipe.md, and any other *.md whose frontmatter
// has `recipe_id`. Links in it are not followed.

#include <filesystem>

#include "skills/privacy/terms.hpp"
#include "skills/report/report.hpp"

namespace clawperator::phone_skills {

inline constexpr std::size_t kMaxRecipes = 10'000;  // of a folder

// file_unreadable: no plain file, or it cannot be read; recipe_limit_exceeded.
Result<std::string> read_recipe_file(const std::filesystem::path& file);

Result<report::Report> check_recipe(const std::filesystem::path& file);

// All below the folder, by their paths, with `recipe_id` unique among them. A file that cannot be
// read is a fault of the report. file_unreadable: the folder cannot be read; recipe_limit_exceeded.
Result<report::Report> check_recipes(const std::filesystem::path& folder);

// The personal texts of a recipe, or of all below the folder. `terms` may be null. Errors as above.
Result<report::Report> lint_recipe(const std::filesystem::path& file, const privacy::Terms* terms);
Result<report::Report> lint_recipes(const std::filesystem::path& folder,
                                    const privacy::Terms* terms);

}  // namespace clawperator::phone_skills
