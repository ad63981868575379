#pragma once
// A recipe as text: Markdown with YAML frontmatter, and a fenced ```yaml block below each heading
// that begins with `## Step`. Everything else is for people.
//
//   ---
//   recipe_id: com.example.app.read-power
//   ---
//   ## Step 1: Open the devices
//   ```yaml
//   id: open_devices
//   type: click
//   selector: {text_equals: Devices}
//   ```

#include "base/json_document.hpp"
#include "skills/phone/recipe/fault.hpp"
#include "skills/yaml/yaml.hpp"

namespace clawperator::recipe {

// A hundred times a long recipe, and small enough to be read at once.
inline constexpr std::size_t kMaxRecipe = std::size_t{1} << 20;

// A YAML mapping of the file.
struct Block {
  TextPlace place{};  // of its first line
  std::string text{};
  std::shared_ptr<const Json> json{};  // an object; null: it cannot be read, which is a fault
  YamlPlaces places{};
};

struct Recipe {
  Block frontmatter{};
  std::vector<Block> steps{};
};

// A value within a block, beside its place.
struct Part {
  const Json* json = nullptr;
  const YamlPlaces* places = nullptr;

  [[nodiscard]] TextPlace place() const { return places->value; }
  [[nodiscard]] TextPlace name_place() const { return places->name; }
  [[nodiscard]] std::optional<Part> member(std::string_view name) const;
  // The text of the member; null for another type.
  [[nodiscard]] const std::string* text(std::string_view name) const;
  // The members of an object or the elements of a list; nothing of a scalar.
  void each(const std::function<void(const std::string& name, Part value)>& take) const;
};
Part part_of(const Block& block);

// The file's frontmatter and steps.
Recipe parse_recipe(std::string_view file, Faults* faults);

// True if the frontmatter has `recipe_id`, even where it is no YAML.
bool is_named_recipe(std::string_view file);

struct Reading {
  Recipe recipe{};
  std::vector<Fault> faults{};  // empty: it can be compiled
};
// Parses and checks: the fields, the steps and the rules of a recipe, all of them.
Reading read_recipe(std::string_view file);

}  // namespace clawperator::recipe
