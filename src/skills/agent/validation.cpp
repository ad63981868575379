// What the AgentSkills specification asks of a SKILL.md.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "runtime/contract/js_string.hpp"
#include "skills/agent/frontmatter.hpp"
#include "skills/agent/json5.hpp"

namespace clawperator::agent_skills {
namespace {

constexpr std::size_t kLongestName = 64;
constexpr std::size_t kLongestDescription = 1024;
constexpr std::size_t kLongestCompatibility = 500;
constexpr std::ptrdiff_t kManyLines = 500;

std::string counted(std::string_view what, std::size_t most, std::size_t is) {
  return std::string(what) + " is over " + std::to_string(most) + " characters long (" +
         std::to_string(is) + ")";
}

void check_fields(const Json& yaml, std::vector<std::string>* broken) {
  // Those of the specification, and those that the hosts of this family know.
  constexpr std::string_view kKnown =
      "name description license compatibility metadata allowed-tools homepage website url emoji "
      "user-invocable disable-model-invocation command-dispatch command_dispatch command-tool "
      "command_tool command-arg-mode command_arg_mode";
  std::string unknown;
  for (const auto& [name, value] : yaml.get_ref<const Json::object_t&>()) {
    if (is_one_of(name, kKnown)) continue;
    unknown += (unknown.empty() ? "" : ", ") + name;
  }
  if (!unknown.empty()) broken->push_back("unknown fields in the frontmatter: " + unknown);
}

bool is_name_char(char c) { return (c >= 'a' && c <= 'z') || is_digit(c) || c == '-'; }

void check_name(const Json* value, std::string_view folder, std::vector<std::string>* broken) {
  if (value == nullptr) return broken->push_back("name is missing");
  const std::string* name = string_value(value);
  if (name == nullptr || is_blank(*name)) return broken->push_back("name must be a text");
  const std::size_t length = character_count(*name);
  if (length > kLongestName) broken->push_back(counted("name", kLongestName, length));
  if (ascii_lower(*name) != *name) broken->push_back("name must be in lower case");
  if (name->starts_with('-') || name->ends_with('-')) {
    broken->push_back("name must not begin or end with a hyphen");
  }
  if (name->contains("--")) broken->push_back("name must not have two hyphens in a row");
  if (!std::ranges::all_of(ascii_lower(*name), is_name_char)) {
    broken->push_back("name may have lower case letters, digits and hyphens only");
  }
  if (*name != folder) {
    broken->push_back("name " + in_quotes(*name) + " is not the folder's, " + in_quotes(folder));
  }
}

void check_text(const Json& yaml, const char* field, std::size_t most, bool is_required,
                std::vector<std::string>* broken) {
  const Json* value = find_member(yaml, field);
  if (value == nullptr) {
    if (is_required) broken->push_back(std::string(field) + " is missing");
    return;
  }
  const std::string* text = string_value(value);
  if (text == nullptr || is_blank(*text)) {
    return broken->push_back(std::string(field) + " must be a text that is not blank");
  }
  const std::size_t length = character_count(*text);
  if (length > most) broken->push_back(counted(field, most, length));
}

void check_metadata(const Frontmatter& frontmatter, std::vector<std::string>* broken) {
  const std::string* text = frontmatter.text("metadata");
  if (text == nullptr) return;
  const auto json = read_json5(*text);
  if (!json) return broken->push_back("metadata is no JSON: " + json.error().message());
  if (!json->is_object()) broken->push_back("metadata must be an object");
}

}  // namespace

std::vector<std::string> broken_rules(std::string_view file, std::string_view folder_name) {
  if (!file.starts_with("---")) return {"the file must begin with a line of three hyphens (---)"};
  if (end_of_frontmatter(file) == file.npos) return {"the frontmatter has no end (---)"};
  if (valid_utf8(file) != file) return {"the file is no valid UTF-8"};
  const auto frontmatter = read_frontmatter(file);
  if (!frontmatter) return {"the frontmatter is no YAML: " + frontmatter.error().message()};
  if (frontmatter->yaml == nullptr) return {"the frontmatter must be a YAML mapping"};
  std::vector<std::string> broken;
  const Json& yaml = *frontmatter->yaml;
  check_fields(yaml, &broken);
  check_name(find_member(yaml, "name"), folder_name, &broken);
  check_text(yaml, "description", kLongestDescription, true, &broken);
  check_text(yaml, "compatibility", kLongestCompatibility, false, &broken);
  check_metadata(*frontmatter, &broken);
  return broken;
}

std::vector<std::string> advice_of(std::string_view file) {
  if (std::ranges::count(file, '\n') <= kManyLines) return {};
  return {"over 500 lines: what is not always wanted is better kept in references/"};
}

}  // namespace clawperator::agent_skills
