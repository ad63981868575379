#include "skills/agent/prompt.hpp"

#include <algorithm>
#include <vector>

#include "base/utf8.hpp"
#include "runtime/contract/js_string.hpp"
#include "runtime/contract/json_text.hpp"

namespace clawperator::agent_skills {
namespace {

constexpr std::string_view kPreamble =
    "\n\nThe following skills provide specialized instructions for specific tasks.\n"
    "Use the read tool to load a skill's file when the task matches its description.\n"
    "\n"
    "<available_skills>";
constexpr std::string_view kEnd = "\n</available_skills>";

std::string_view entity_of(char c) {
  switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&apos;";
    default: return {};
  }
}

void append_escaped(std::string_view text, std::string* out) {
  std::size_t told = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] > '>') continue;  // letters: all that are escaped stand before them
    const std::string_view entity = entity_of(text[at]);
    if (entity.empty()) continue;
    out->append(text.substr(told, at - told)).append(entity);
    told = at + 1;
  }
  out->append(text.substr(told));
}

void append_element(const Skill& skill, std::string* out) {
  out->append("\n  <skill>\n    <name>");
  append_escaped(skill.name, out);
  out->append("</name>\n    <description>");
  append_escaped(skill.description, out);
  out->append("</description>\n    <location>");
  append_escaped(skill.file_path, out);
  out->append("</location>\n  </skill>");
}

}  // namespace

Prompt format_prompt(std::span<const Entry* const> eligible, const PromptLimits& limits,
                     std::string_view note) {
  Prompt prompt;
  std::string elements;
  std::size_t chars = kPreamble.size() + kEnd.size();
  bool is_full = false;
  for (const Entry* entry : eligible) {
    if (entry->invocation.hidden_from_model) continue;
    const std::size_t before = elements.size();
    append_element(entry->skill, &elements);
    if (limits.chars) chars += utf16_length(std::string_view(elements).substr(before));
    is_full = is_full || (limits.skills && prompt.shown >= *limits.skills) ||
              (limits.chars && chars > *limits.chars);
    if (is_full) {
      ++prompt.left_out;
      elements.resize(before);
      continue;
    }
    ++prompt.shown;
  }
  prompt.text = trim_js(note);
  if (prompt.shown == 0) return prompt;
  if (!prompt.text.empty()) prompt.text += '\n';
  prompt.text.append(kPreamble).append(elements).append(kEnd);
  return prompt;
}

std::string system_section(std::string_view prompt, std::string_view read_tool) {
  const std::string_view trimmed_prompt = trim_js(prompt);
  if (trimmed_prompt.empty()) return {};
  std::string section =
      "## Skills (mandatory)\n"
      "Before you reply, scan the <description> of each of <available_skills>.\n"
      "- If exactly one skill clearly applies: read its SKILL.md at <location> with `";
  section += read_tool;
  section +=
      "`, then follow it.\n"
      "- If several could apply: choose the most specific one, then read and follow it.\n"
      "- If none clearly applies: read no SKILL.md.\n"
      "Never read more than one skill up front; read only after you have chosen.\n";
  section += trimmed_prompt;
  return section + "\n";
}

std::string source_label(std::string_view label, Source source) {
  constexpr std::string_view kNames[] = {"extra", "bundled", "managed", "workspace"};
  return std::string(label) + "-" + std::string(kNames[static_cast<std::size_t>(source)]);
}

std::string snapshot_json(std::span<const Entry* const> eligible, const Prompt& prompt,
                          std::string_view label, std::uint64_t version) {
  std::string skills;
  std::string resolved;
  std::size_t seen = 0;
  for (const Entry* entry : eligible) {
    const Skill& skill = entry->skill;
    JsonObject brief;
    brief.text("name", skill.name);
    if (!entry->metadata.primary_env.empty()) brief.text("primaryEnv", entry->metadata.primary_env);
    skills += (skills.empty() ? "" : ",") + brief.str();
    if (entry->invocation.hidden_from_model || seen++ >= prompt.shown) continue;
    JsonObject whole;
    whole.text("name", skill.name).text("description", skill.description);
    whole.text("filePath", skill.file_path).text("baseDir", skill.base_dir);
    whole.text("source", source_label(label, skill.source));
    resolved += (resolved.empty() ? "" : ",") + whole.str();
  }
  JsonObject snapshot;
  snapshot.text("prompt", prompt.text).json("skills", "[" + skills + "]");
  snapshot.json("resolvedSkills", "[" + resolved + "]");
  return snapshot.number("version", static_cast<std::int64_t>(version)).str();
}

std::uint64_t next_version(std::uint64_t current, std::chrono::system_clock::time_point now) {
  using std::chrono::milliseconds;
  const auto ms = std::chrono::duration_cast<milliseconds>(now.time_since_epoch()).count();
  return std::max(static_cast<std::uint64_t>(std::max<std::int64_t>(0, ms)), current + 1);
}

}  // namespace clawperator::agent_skills
