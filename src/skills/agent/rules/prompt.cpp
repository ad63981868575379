#include "skills/agent/rules/prompt.hpp"

#include <algorithm>
#include <ranges>
#include <unordered_map>
#include <unordered_set>

#include "base/js_string.hpp"
#include "base/json_text.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"

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
  std::size_t copied = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] > '>') continue;  // letters: every escaped character is below them
    const std::string_view entity = entity_of(text[at]);
    if (entity.empty()) continue;
    out->append(text.substr(copied, at - copied)).append(entity);
    copied = at + 1;
  }
  out->append(text.substr(copied));
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

constexpr std::size_t kLongestCommand = 32;
constexpr std::size_t kMaxDescription = 100;  // UTF-16 units

std::string sanitized(std::string_view text) {
  std::string name = with_gaps(ascii_lower(text), '_', is_letter_or_digit);
  name.resize(std::min(name.size(), kLongestCommand));
  return name.empty() ? "skill" : name;
}

// The names in use, and for each base the number that was tried last.
class Names {
 public:
  void take(const std::string& name) { taken_.insert(name); }

  std::string unique(const std::string& base) {
    constexpr int kLast = 999;
    if (taken_.insert(base).second) return base;
    for (int& number = last_.try_emplace(base, 1).first->second; ++number <= kLast;) {
      const std::string suffix = "_" + std::to_string(number);
      std::string name = base.substr(0, kLongestCommand - suffix.size()) + suffix;
      if (taken_.insert(name).second) return name;
    }
    return base.substr(0, kLongestCommand - 2) + "_x";
  }

 private:
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, int> last_;
};

// At most 100 UTF-16 units, cut between characters.
std::string shortened(std::string_view text) {
  if (utf16_length(text) <= kMaxDescription) return std::string(text);
  return std::string(utf16_prefix(text, kMaxDescription - 1)) + "…";
}

// Blanks and underscores as one hyphen, small letters.
std::string hyphenated(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool is_gap = c == '_' || kBlanks.contains(c);
    if (!is_gap) {
      out += lower_char(c);
    } else if (!out.ends_with('-')) {
      out += '-';
    }
  }
  return out;
}

std::string_view take_word(std::string_view* rest) {
  std::size_t end = 0;
  while (end < rest->size() && !is_blank(rest->substr(end, sequence_length(rest->substr(end))))) {
    end += std::max<std::size_t>(1, sequence_length(rest->substr(end)));
  }
  const std::string_view word = rest->substr(0, end);
  *rest = trim_js(rest->substr(end));
  return word;
}

const SlashCommand* command_named(std::string_view word, std::span<const SlashCommand> commands) {
  const std::string lower = ascii_lower(word);
  const auto found = std::ranges::find(commands, lower, &SlashCommand::name);
  return found == commands.end() ? nullptr : &*found;
}

const SlashCommand* skill_named(std::string_view word, std::span<const SlashCommand> commands) {
  const std::string lower = ascii_lower(word);
  const std::string wanted = hyphenated(word);
  const auto is_meant = [&](const SlashCommand& each) {
    return each.name == lower || ascii_lower(each.skill_name) == lower ||
           hyphenated(each.name) == wanted || hyphenated(each.skill_name) == wanted;
  };
  const auto found = std::ranges::find_if(commands, is_meant);
  return found == commands.end() ? nullptr : &*found;
}

JsonObject dispatch_json(const std::string& tool) {
  return JsonObject().text("kind", "tool").text("toolName", tool).text("argMode", "raw");
}

}  // namespace

Prompt format_prompt(std::span<const Entry* const> eligible, const PromptLimits& limits,
                     std::string_view note) {
  Prompt prompt;
  std::string elements;
  std::size_t chars = kPreamble.size() + kEnd.size();
  bool is_full = false;
  for (const Entry* entry : eligible) {
    if (entry->hidden_from_model) continue;
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
  const auto brief_json = [](const Entry* entry) {
    JsonObject brief;
    brief.text("name", entry->skill.name);
    if (!entry->metadata.primary_env.empty()) brief.text("primaryEnv", entry->metadata.primary_env);
    return brief;
  };
  const auto whole_json = [label](const Entry* entry) {
    const Skill& skill = entry->skill;
    JsonObject whole;
    whole.text("name", skill.name).text("description", skill.description);
    whole.text("filePath", skill.file_path).text("baseDir", skill.base_dir);
    return whole.text("source", source_label(label, skill.source));
  };
  const auto is_shown = [](const Entry* entry) { return !entry->hidden_from_model; };
  auto shown = eligible | std::views::filter(is_shown) |
               std::views::take(static_cast<std::ptrdiff_t>(prompt.shown));
  JsonObject snapshot;
  snapshot.text("prompt", prompt.text).json("skills", list_json(eligible, brief_json));
  snapshot.json("resolvedSkills", list_json(shown, whole_json));
  return snapshot.number("version", static_cast<std::int64_t>(version)).str();
}

std::uint64_t next_version(std::uint64_t current, std::chrono::system_clock::time_point now) {
  using std::chrono::milliseconds;
  const auto ms = std::chrono::duration_cast<milliseconds>(now.time_since_epoch()).count();
  return std::max(static_cast<std::uint64_t>(std::max<std::int64_t>(0, ms)), current + 1);
}

std::vector<SlashCommand> slash_commands(std::span<const Entry* const> eligible,
                                         std::span<const std::string> reserved) {
  Names names;
  for (const std::string& each : reserved) names.take(ascii_lower(each));
  std::vector<SlashCommand> commands;
  for (const Entry* entry : eligible) {
    if (!entry->user_invocable) continue;
    const std::string_view described = trim_js(entry->skill.description);
    commands.push_back({.name = names.unique(sanitized(entry->skill.name)),
                        .skill_name = entry->skill.name,
                        .description = shortened(described.empty() ? entry->skill.name : described),
                        .tool = entry->tool});
  }
  return commands;
}

std::string commands_json(std::span<const SlashCommand> commands) {
  const auto row_json = [](const SlashCommand& command) {
    JsonObject row;
    row.text("name", command.name).text("skillName", command.skill_name);
    row.text("description", command.description);
    if (!command.tool.empty()) row.object("dispatch", dispatch_json(command.tool));
    return row;
  };
  return JsonObject().json("commands", list_json(commands, row_json)).str();
}

std::optional<ResolvedCommand> resolve_command(std::string_view message,
                                               std::span<const SlashCommand> commands) {
  std::string_view rest = trim_js(message);
  if (!rest.starts_with('/')) return std::nullopt;
  rest.remove_prefix(1);
  if (rest.empty() || is_blank(rest.substr(0, std::max<std::size_t>(1, sequence_length(rest))))) {
    return std::nullopt;
  }
  const std::string_view word = take_word(&rest);
  const SlashCommand* command = nullptr;
  if (ascii_lower(word) == "skill") {
    command = rest.empty() ? nullptr : skill_named(take_word(&rest), commands);
  } else {
    command = command_named(word, commands);
  }
  if (command == nullptr) return std::nullopt;
  return ResolvedCommand{.command = command, .args = std::string(rest)};
}

std::string resolution_json(const std::optional<ResolvedCommand>& resolved) {
  JsonObject json;
  json.boolean("matched", resolved.has_value());
  if (!resolved) return json.str();
  const SlashCommand& command = *resolved->command;
  json.text("commandName", command.name).text("skillName", command.skill_name);
  if (!resolved->args.empty()) json.text("args", resolved->args);
  if (!command.tool.empty()) {
    JsonObject call;
    call.text("command", resolved->args).text("commandName", command.name);
    call.text("skillName", command.skill_name);
    json.object("dispatch", dispatch_json(command.tool)).object("toolArguments", call);
    return json.str();
  }
  std::string message = "Use the \"" + command.skill_name + "\" skill for this request.";
  if (!resolved->args.empty()) message += "\n\nUser input:\n" + resolved->args;
  return json.text("message", message).str();
}

}  // namespace clawperator::agent_skills
