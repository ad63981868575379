#include "skills/agent/slash_commands.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "runtime/contract/js_string.hpp"
#include "runtime/contract/json_text.hpp"

namespace clawperator::agent_skills {
namespace {

constexpr std::size_t kLongestCommand = 32;
constexpr std::size_t kMaxDescription = 100;  // UTF-16 units

std::string sanitized(std::string_view text) {
  std::string name;
  for (const char c : text) {
    const char lower = lower_char(c);
    const bool is_kept = (lower >= 'a' && lower <= 'z') || is_digit(c);
    if (is_kept) {
      name += lower;
    } else if (!name.ends_with('_')) {
      name += '_';
    }
  }
  const auto first = std::min(name.find_first_not_of('_'), name.size());
  name.erase(0, first);
  while (name.ends_with('_')) name.pop_back();
  name.resize(std::min(name.size(), kLongestCommand));
  return name.empty() ? "skill" : name;
}

// Which names are taken; of each base the number that was tried last.
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
  std::size_t units = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t length = std::max<std::size_t>(1, sequence_length(text.substr(at)));
    units += length == 4 ? 2 : 1;
    if (units > kMaxDescription - 1) break;
    at += length;
  }
  return std::string(text.substr(0, at)) + "…";
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

JsonObject dispatch_json(const ToolDispatch& dispatch) {
  JsonObject json;
  json.text("kind", "tool").text("toolName", dispatch.tool_name).text("argMode", "raw");
  return json;
}

}  // namespace

std::vector<SlashCommand> slash_commands(std::span<const Entry* const> eligible,
                                         std::span<const std::string> reserved) {
  Names names;
  for (const std::string& each : reserved) names.take(ascii_lower(each));
  std::vector<SlashCommand> commands;
  for (const Entry* entry : eligible) {
    if (!entry->invocation.user_invocable) continue;
    const std::string_view described = trim_js(entry->skill.description);
    commands.push_back({.name = names.unique(sanitized(entry->skill.name)),
                        .skill_name = entry->skill.name,
                        .description = shortened(described.empty() ? entry->skill.name : described),
                        .dispatch = entry->dispatch});
  }
  return commands;
}

std::string commands_json(std::span<const SlashCommand> commands) {
  std::string rows;
  for (const SlashCommand& command : commands) {
    JsonObject row;
    row.text("name", command.name).text("skillName", command.skill_name);
    row.text("description", command.description);
    if (command.dispatch) row.object("dispatch", dispatch_json(*command.dispatch));
    rows += (rows.empty() ? "" : ",") + row.str();
  }
  return JsonObject().json("commands", "[" + rows + "]").str();
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
  if (command.dispatch) {
    JsonObject call;
    call.text("command", resolved->args).text("commandName", command.name);
    call.text("skillName", command.skill_name);
    json.object("dispatch", dispatch_json(*command.dispatch)).object("toolArguments", call);
    return json.str();
  }
  std::string message = "Use the \"" + command.skill_name + "\" skill for this request.";
  if (!resolved->args.empty()) message += "\n\nUser input:\n" + resolved->args;
  return json.text("message", message).str();
}

}  // namespace clawperator::agent_skills
