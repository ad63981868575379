#pragma once
// What the commands of agent skills share: the options that select skills, and the workspace with
// these skills.

#include "cli/grammar/command.hpp"
#include "skills/agent/rules/status.hpp"
#include "skills/agent/workspace.hpp"

namespace clawperator::cli {

inline constexpr std::array kPlaceOptions{
    Option{"--workspace", "", Arity::one, "<folder>",
           "the workspace; its skills/ has the highest priority"},
    Option{"--agent-id", "", Arity::one, "<id>",
           "the agent of the configuration (agents.list) whose workspace and skills\n"
           "count; default: its default agent"},
    Option{"--contained", "", Arity::none, "",
           "leave out skills that a link places outside their folder"},
};
inline constexpr std::array kRemoteOptions{
    Option{"--remote", "", Arity::one, "<file>",
           "the programs of a remote host: {\"platforms\",\"bins\",\"note\"}"},
};
inline constexpr std::array kFilterOptions{
    Option{"--filter", "", Arity::any, "<names>",
           "only these skills, separated by commas; '': none"},
};

inline constexpr std::array kEligibleOption{
    Option{"--eligible", "", Arity::none, "", "only skills that may be used"},
};
// For the `skills` commands that also handle agent skills.
inline constexpr std::array kAgentOption{
    Option{"--agent", "", Arity::none, "", "agent skills, like `agent-skills`"},
};

struct AgentWorkspace {
  agent_skills::Workspace workspace{};
  agent_skills::HostFacts host{};
  std::optional<agent_skills::Remote> remote{};
  agent_skills::NameFilter filter{};

  [[nodiscard]] agent_skills::Gate gate() const {
    return {.config = &workspace.config, .host = &host, .remote = remote ? &*remote : nullptr};
  }
  [[nodiscard]] std::vector<const agent_skills::Entry*> eligible() const {
    return eligible_entries(workspace.entries, gate(), filter);
  }
};

// The workspace that the command's options name; errors of load_workspace, USAGE. Prints the
// warnings of its configuration.
Result<AgentWorkspace> open_agent_workspace(const Invocation& invocation);

// Splits "a, b": trimmed, without empty names.
std::vector<std::string> names_of_list(std::string_view list);

// Prints on stderr why files are no skills, or what of the configuration has no effect.
void print_warnings(const std::vector<std::string>& warnings);

// The answers of `agent-skills list`, `info` and `check`; `skills ... --agent` gives them, too.
Result<Answer> answer_agent_list(const Invocation& invocation);
Result<Answer> answer_agent_info(const Invocation& invocation);
Result<Answer> answer_agent_check(const Invocation& invocation);

}  // namespace clawperator::cli
