#pragma once
// Skills as commands of a chat: `/weather Berlin`. Pure.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "skills/agent/skill.hpp"

namespace clawperator::agent_skills {

struct SlashCommand {
  std::string name{};  // without the slash: [a-z0-9_], at most 32
  std::string skill_name{};
  std::string description{};
  std::optional<ToolDispatch> dispatch{};
};

// One for each that a user may call, in their order; no name twice, none of `reserved`.
std::vector<SlashCommand> slash_commands(std::span<const Entry* const> eligible,
                                         std::span<const std::string> reserved);
std::string commands_json(std::span<const SlashCommand> commands);

struct ResolvedCommand {
  const SlashCommand* command = nullptr;
  std::string args{};  // trimmed; empty: none
};

// What a message calls: "/name args" or "/skill name args"; absent: it is an ordinary message.
std::optional<ResolvedCommand> resolve_command(std::string_view message,
                                               std::span<const SlashCommand> commands);

// {"matched","commandName","skillName","args"?, "dispatch" or "message"}: either the tool that is
// called with {"command","commandName","skillName"}, or what the model is told instead of the
// message.
std::string resolution_json(const std::optional<ResolvedCommand>& resolved);

}  // namespace clawperator::agent_skills
