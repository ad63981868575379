#include "skills/workspace/config_edit.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/text.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/js_string.hpp"
#include "runtime/contract/json_text.hpp"
#include "runtime/device/blocking_lock.hpp"
#include "skills/agent/json5.hpp"

namespace clawperator::agent_skills {

namespace fs = std::filesystem;

namespace {

constexpr const char* kHidden = "***";

// The raw document, and what its user reads of it as JSON: both change alike, or the edit is wrong.
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
  // An entry that is not there yet is made, whatever becomes of its members.
  TRY(const Json before, read_json5(is_blank(edit.text()) ? "{}" : edit.text()));
  const Json* skills = find_member(before, "skills");
  const Json* entries = skills == nullptr ? nullptr : find_member(*skills, "entries");
  if (entries == nullptr || find_member(*entries, change.key) == nullptr) {
    TRY_VOID(edit.set({}, "{}"));
  }
  if (change.enabled) TRY_VOID(edit.set({"enabled"}, *change.enabled ? "true" : "false"));
  if (change.api_key) TRY_VOID(set_or_remove(&edit, {"apiKey"}, *change.api_key));
  for (const auto& [name, value] : change.env) {
    const std::string_view meant = trim_js(name);
    if (!meant.empty()) TRY_VOID(set_or_remove(&edit, {"env", std::string(meant)}, value));
  }
  TRY([[maybe_unused]] const Json after, read_json5(edit.text()));
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

}  // namespace

Result<std::string> change_skill(const Places& places, const SkillChange& change) {
  if (is_blank(change.key)) return fail(errc::invalid_argument, "a skill's key must not be blank");
  std::error_code error;
  const fs::path file = fs::weakly_canonical(places.config, error);  // a link stays one
  fs::create_directories(file.parent_path(), error);
  if (error) {
    return fail(errc::file_write_failed,
                "cannot create " + file.parent_path().string() + ": " + error.message());
  }
  TRY(const FileHandle lock, lock_folder_blocking(file.parent_path()));
  TRY_VOID(load_config(file));  // nothing is built on what is wrong already
  std::string text;
  if (fs::exists(file, error)) {
    TRY(text, read_file(file, kMaxConfigBytes));
  }
  auto changed = edited(text, change);
  if (!changed) {
    return fail(errc::agent_config_invalid, file.string() + ": " + changed.error().message());
  }
  // A text with a variable that is not set, say, would make the whole file unusable.
  TRY(const Config config, read_config_text(*changed, file));
  // It may hold secrets from now on; nobody is to read them in between.
  if (fs::exists(file, error)) ::chmod(file.c_str(), S_IRUSR | S_IWUSR);
  const auto written = write_file_atomically(file, *changed, ParentFolder::required, Durable::yes);
  if (!written) return fail(errc::file_write_failed, written.error().message());
  return answer_of(config, change.key);
}

}  // namespace clawperator::agent_skills
