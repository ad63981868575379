#pragma once
// The text about skills for a model, and the skills that are commands of a chat. Pure.

#include "skills/agent/rules/config.hpp"
#include "skills/agent/rules/skill.hpp"

namespace clawperator::agent_skills {

struct Prompt {
  std::string text{};     // empty: there is no skill to show
  std::size_t shown = 0;  // of the skills that a model may see
  std::size_t left_out = 0;
};

// The skills that a model may see as <available_skills>, byte for byte as the host of January 2026
// writes them; `note` comes first. Only the first ones, within the limits.
Prompt format_prompt(std::span<const Entry* const> eligible, const PromptLimits& limits,
                     std::string_view note);

// The section of a system prompt with that text and its instructions; `read_tool`: the tool that
// reads a file. Empty for an empty prompt.
std::string system_section(std::string_view prompt, std::string_view read_tool);

// {"prompt","skills":[{"name","primaryEnv"?}],"resolvedSkills":[...],"version"}: what a session
// stores.
std::string snapshot_json(std::span<const Entry* const> eligible, const Prompt& prompt,
                          std::string_view label, std::uint64_t version);

// The version after `current`: the time, or `current` plus one where the clock has not advanced.
std::uint64_t next_version(std::uint64_t current, std::chrono::system_clock::time_point now);

// "openclaw-bundled"
std::string source_label(std::string_view label, Source source);

// Skills as commands of a chat: `/weather Berlin`.
struct SlashCommand {
  std::string name{};  // without the slash: [a-z0-9_], at most 32
  std::string skill_name{};
  std::string description{};
  std::string tool{};  // the tool that it calls in place of a model; empty: none
};

// One command for each skill that a user may call, in their order; no name twice, none of
// `reserved`.
std::vector<SlashCommand> slash_commands(std::span<const Entry* const> eligible,
                                         std::span<const std::string> reserved);
std::string commands_json(std::span<const SlashCommand> commands);

struct ResolvedCommand {
  const SlashCommand* command = nullptr;
  std::string args{};  // trimmed; empty: none
};

// The command in a message: "/name args" or "/skill name args"; absent: it is an ordinary message.
std::optional<ResolvedCommand> resolve_command(std::string_view message,
                                               std::span<const SlashCommand> commands);

// {"matched","commandName","skillName","args"?, "dispatch" or "message"}: either the tool that is
// called with {"command","commandName","skillName"}, or the text for the model in place of the
// message.
std::string resolution_json(const std::optional<ResolvedCommand>& resolved);

}  // namespace clawperator::agent_skills
