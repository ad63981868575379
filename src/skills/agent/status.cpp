#include "skills/agent/status.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "runtime/contract/json_text.hpp"
#include "skills/agent/prompt.hpp"

namespace clawperator::agent_skills {
namespace {

JsonObject needs_json(const Requires& needs, const std::vector<std::string>& os) {
  JsonObject json;
  json.strings("bins", needs.bins).strings("anyBins", needs.any_bins).strings("env", needs.env);
  return json.strings("config", needs.config).strings("os", os);
}

std::string install_json(std::span<const InstallOption> options) {
  std::string rows;
  for (const InstallOption& option : options) {
    JsonObject row;
    row.text("id", option.id).text("kind", name_of(option.kind)).text("label", option.label);
    row.strings("bins", option.bins);
    rows += (rows.empty() ? "" : ",") + row.str();
  }
  return "[" + rows + "]";
}

std::string checks_json(const Entry& entry, const Config& config) {
  std::string rows;
  for (const std::string& path : entry.metadata.needs.config) {
    JsonObject row;
    row.text("path", path);
    const auto value = config_value(config, path);
    if (value && (value->is_boolean() || value->is_number())) row.json("value", write_json(*value));
    row.boolean("satisfied", is_config_true(config, path));
    rows += (rows.empty() ? "" : ",") + row.str();
  }
  return "[" + rows + "]";
}

void add_emoji(JsonObject* json, const Entry& entry) {
  if (!entry.emoji.empty()) json->text("emoji", entry.emoji);
}

JsonObject whole_json(const StatusRow& row, std::string_view label, const Config& config) {
  const Entry& entry = *row.entry;
  const Standing& standing = row.standing;
  JsonObject json;
  json.text("name", entry.skill.name).text("description", entry.skill.description);
  json.text("source", source_label(label, entry.skill.source));
  json.text("filePath", entry.skill.file_path).text("baseDir", entry.skill.base_dir);
  json.text("skillKey", entry.key());
  if (!entry.metadata.primary_env.empty()) json.text("primaryEnv", entry.metadata.primary_env);
  add_emoji(&json, entry);
  if (!entry.homepage.empty()) json.text("homepage", entry.homepage);
  json.boolean("always", entry.metadata.always).boolean("disabled", standing.disabled);
  json.boolean("blockedByAllowlist", standing.blocked).boolean("eligible", standing.eligible);
  json.object("requirements", needs_json(entry.metadata.needs, entry.metadata.os));
  json.object("missing", needs_json(standing.missing, standing.missing_os));
  json.json("configChecks", checks_json(entry, config));
  return json.json("install", install_json(row.install));
}

JsonObject list_row(const StatusRow& row, std::string_view label) {
  const Entry& entry = *row.entry;
  const Standing& standing = row.standing;
  JsonObject json;
  json.text("name", entry.skill.name).text("description", entry.skill.description);
  add_emoji(&json, entry);
  json.boolean("eligible", standing.eligible).boolean("disabled", standing.disabled);
  json.boolean("blockedByAllowlist", standing.blocked);
  json.text("source", source_label(label, entry.skill.source));
  if (!entry.metadata.primary_env.empty()) json.text("primaryEnv", entry.metadata.primary_env);
  if (!entry.homepage.empty()) json.text("homepage", entry.homepage);
  return json.object("missing", needs_json(standing.missing, standing.missing_os));
}

void add_part(std::string* text, std::string_view name, const std::vector<std::string>& parts) {
  if (parts.empty()) return;
  if (!text->empty()) *text += "; ";
  text->append(name).append(": ");
  for (std::size_t i = 0; i < parts.size(); ++i) *text += (i > 0 ? ", " : "") + parts[i];
}

bool lacks_something(const StatusRow& row) {
  return !row.standing.eligible && !row.standing.disabled && !row.standing.blocked;
}

}  // namespace

std::vector<StatusRow> status_rows(std::span<const Entry* const> entries, const Gate& gate) {
  const InstallHost host{.platform = gate.host->platform, .has_brew = gate.host->has_bin("brew")};
  std::vector<StatusRow> rows;
  rows.reserve(entries.size());
  for (const Entry* entry : entries) {
    rows.push_back({.entry = entry,
                    .standing = standing_of(*entry, gate),
                    .install = install_options(*entry, *gate.config, host)});
  }
  return rows;
}

std::string report_json(std::span<const StatusRow> rows, const StatusFrame& frame,
                        const Config& config, Detail detail) {
  std::string skills;
  for (const StatusRow& row : rows) {
    if (!skills.empty()) skills += ',';
    skills += detail == Detail::all ? whole_json(row, frame.label, config).str()
                                    : list_row(row, frame.label).str();
  }
  JsonObject json;
  json.text("workspaceDir", frame.workspace_dir).text("managedSkillsDir", frame.managed_dir);
  return json.json("skills", "[" + skills + "]").str();
}

std::string info_json(const StatusRow& row, std::string_view label, const Config& config) {
  return whole_json(row, label, config).str();
}

std::string check_json(std::span<const StatusRow> rows) {
  std::vector<std::string> eligible;
  std::vector<std::string> disabled;
  std::vector<std::string> blocked;
  std::string missing;
  std::int64_t missing_count = 0;
  for (const StatusRow& row : rows) {
    const std::string& name = row.entry->skill.name;
    if (row.standing.eligible) eligible.push_back(name);
    if (row.standing.disabled) disabled.push_back(name);
    if (row.standing.blocked && !row.standing.disabled) blocked.push_back(name);
    if (!lacks_something(row)) continue;
    JsonObject lacking;
    lacking.text("name", name);
    lacking.object("missing", needs_json(row.standing.missing, row.standing.missing_os));
    lacking.json("install", install_json(row.install));
    missing += (missing_count++ > 0 ? "," : "") + lacking.str();
  }
  const auto count = [](const auto& list) { return static_cast<std::int64_t>(list.size()); };
  JsonObject summary;
  summary.number("total", count(rows)).number("eligible", count(eligible));
  summary.number("disabled", count(disabled)).number("blocked", count(blocked));
  summary.number("missingRequirements", missing_count);
  JsonObject json;
  json.object("summary", summary).strings("eligible", eligible).strings("disabled", disabled);
  return json.strings("blocked", blocked).json("missingRequirements", "[" + missing + "]").str();
}

std::string bins_json(std::span<const Entry* const> entries) {
  std::vector<std::string_view> bins;
  const auto add = [&bins](const std::vector<std::string>& more) {
    bins.insert(bins.end(), more.begin(), more.end());
  };
  for (const Entry* entry : entries) {
    const Metadata& metadata = entry->metadata;
    add(metadata.needs.bins);
    add(metadata.needs.any_bins);
    for (const InstallSpec& spec : metadata.install) add(spec.bins);
  }
  std::ranges::sort(bins);
  const auto repeated = std::ranges::unique(bins);
  bins.erase(repeated.begin(), repeated.end());
  return JsonObject().strings("bins", std::vector<std::string>(bins.begin(), bins.end())).str();
}

std::string missing_text(const Standing& standing) {
  std::string text;
  add_part(&text, "bins", standing.missing.bins);
  add_part(&text, "anyBins", standing.missing.any_bins);
  add_part(&text, "env", standing.missing.env);
  add_part(&text, "config", standing.missing.config);
  add_part(&text, "os", standing.missing_os);
  return text;
}

}  // namespace clawperator::agent_skills
