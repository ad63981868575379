// Changes the configuration of one skill in the user's file.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/js_string.hpp"
#include "base/json_text.hpp"
#include "base/system/file_lock.hpp"
#include "base/text.hpp"
#include "skills/agent/rules/json5.hpp"
#include "skills/agent/workspace.hpp"

namespace clawperator::agent_skills {

namespace fs = std::filesystem;

namespace {

constexpr const char* kHidden = "***";

// The raw text of the document; all changes are in one entry.
class Edit {
 public:
  Edit(std::string text, std::string key) : text_(std::move(text)), key_(std::move(key)) {}

  Result<void> set(const std::vector<std::string>& names, const std::string& json) {
    TRY(text_, with_member(text_, path_of(names), json));
    return ok();
  }

  Result<void> remove(const std::vector<std::string>& names) {
    TRY(text_, without_member(text_, path_of(names)));
    return ok();
  }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  [[nodiscard]] std::vector<std::string> path_of(const std::vector<std::string>& names) const {
    std::vector<std::string> path{"skills", "entries", key_};
    path.insert(path.end(), names.begin(), names.end());
    return path;
  }

  std::string text_;
  std::string key_;
};

Result<void> set_or_remove(Edit* edit, const std::vector<std::string>& names,
                           std::string_view value) {
  const std::string_view meant = trim_js(value);
  return meant.empty() ? edit->remove(names) : edit->set(names, quote_json(meant));
}

Result<std::string> edited(std::string text, const SkillChange& change) {
  Edit edit(std::move(text), change.key);
  if (change.enabled) TRY_VOID(edit.set({"enabled"}, *change.enabled ? "true" : "false"));
  if (change.api_key) TRY_VOID(set_or_remove(&edit, {"apiKey"}, *change.api_key));
  for (const auto& [name, value] : change.env) {
    const std::string_view meant = trim_js(name);
    if (!meant.empty()) TRY_VOID(set_or_remove(&edit, {"env", std::string(meant)}, value));
  }
  return edit.text();
}

std::string answer_of(const Config& config, const std::string& key) {
  JsonObject shown;
  if (const SkillConfig* entry = config.entry(key)) {
    if (entry->enabled) shown.boolean("enabled", *entry->enabled);
    if (!entry->api_key.empty()) shown.text("apiKey", kHidden);
    JsonObject env;
    for (const auto& [name, value] : entry->env) env.text(name, kHidden);
    if (!entry->env.empty()) shown.object("env", env);
  }
  return JsonObject().boolean("ok", true).text("skillKey", key).object("config", shown).str();
}

Result<void> check_change(const SkillChange& change) {
  if (is_blank(change.key)) return fail(errc::usage, "a skill's key must not be blank");
  if (change.env.size() > kMostVariables) {
    return fail(errc::usage, "more than 64 variables at once");
  }
  for (const auto& [name, value] : change.env) {
    const std::string text = name + value;
    if (name.contains('=') || text.contains('\0')) {
      return fail(errc::usage, in_quotes(name) + " is no name of a variable");
    }
  }
  return ok();
}

// A value to remove may stand in an included file as well.
Result<void> check_done(const Config& config, const SkillChange& change) {
  const SkillConfig* entry = config.entry(change.key);
  if (entry == nullptr) return ok();
  const auto refuse = [](const std::string& what) {
    return fail(errc::usage, what + " stands in an included file, which is not changed");
  };
  if (change.enabled && entry->enabled != change.enabled) return refuse("enabled");
  if (change.api_key && is_blank(*change.api_key) && !entry->api_key.empty()) {
    return refuse("apiKey");
  }
  for (const auto& [name, value] : change.env) {
    const std::string_view meant = trim_js(name);
    const bool is_there =
        std::ranges::any_of(entry->env, [&](const auto& each) { return each.first == meant; });
    if (is_blank(value) && is_there) return refuse(std::string(meant));
  }
  return ok();
}

}  // namespace

Result<std::string> change_skill(const SkillFolders& folders, const SkillChange& change) {
  TRY_VOID(check_change(change));
  TRY(const fs::path file, file_behind(folders.config));
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error) return cannot("create", file.parent_path(), errc::file_write_failed, error.value());
  TRY(const FileHandle lock, lock_folder_blocking(file.parent_path()));
  TRY(const std::optional<std::string> text, read_config_file(folders.config));
  // An invalid file is not changed.
  if (text) TRY_VOID(read_config_text(*text, folders.config));
  auto changed = edited(text.value_or(""), change);
  if (!text && changed && changed->empty()) return answer_of(Config(), change.key);
  if (!changed) return fail(errc::usage, file.string() + ": " + changed.error().message());
  // A value with an unset variable, for example, would make the whole file unusable.
  const auto config = read_config_text(*changed, folders.config);
  if (!config) return fail(errc::usage, "the change is refused: " + config.error().message());
  TRY_VOID(check_done(*config, change));
  if (*changed == text) return answer_of(*config, change.key);
  // The file may contain secrets from now on.
  TRY_VOID(with_code(
      errc::file_write_failed,
      write_file_atomically(file, *changed, ParentFolder::required, Durable::yes, Kept::nothing)));
  return answer_of(*config, change.key);
}

}  // namespace clawperator::agent_skills
