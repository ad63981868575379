#pragma once
// What the commands of agent skills share: the options that say which skills are meant, and those
// skills.

#include "cli/grammar/command.hpp"
#include "skills/agent/rules/status.hpp"
#include "skills/agent/workspace.hpp"

namespace clawperator::cli {

inline constexpr std::array kPlaceOptions{
    Option{"--workspace", "", Arity::one, "<folder>", "whose skills/ count most"},
    Option{"--contained", "", Arity::none, "", "leave out what a link leads out of its folder"},
};
inline constexpr std::array kRemoteOptions{
    Option{"--remote", "", Arity::one, "<file>",
           "what a further computer has: {\"platforms\",\"bins\",\"note\"}"},
};
inline constexpr std::array kFilterOptions{
    Option{"--filter", "", Arity::any, "<names>", "only these skills, with commas; '': none"},
};

inline constexpr std::array kEligibleOption{
    Option{"--eligible", "", Arity::none, "", "only those that may be used"},
};
// Of those commands of `skills` that are about agent skills, too.
inline constexpr std::array kAgentOption{
    Option{"--agent", "", Arity::none, "", "agent skills, as `agent-skills` has them"},
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

// What the command's options name; errors of load_workspace, USAGE.
Result<AgentWorkspace> open_agent_workspace(const Invocation& invocation);

// "a, b": trimmed, without what is blank.
std::vector<std::string> names_of_list(std::string_view list);

// Why files are no skills, on stderr.
void print_warnings(const agent_skills::Workspace& workspace);

// The answers of `agent-skills list`, `info` and `check`, which `skills ... --agent` gives, too.
Result<Answer> answer_agent_list(const Invocation& invocation);
Result<Answer> answer_agent_info(const Invocation& invocation);
Result<Answer> answer_agent_check(const Invocation& invocation);

}  // namespace clawperator::cli
