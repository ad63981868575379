#pragma once
// The commands, and the subcommands and options that are defined in several files.

#include "cli/grammar/command.hpp"
#include "cli/grammar/command_list.hpp"

namespace clawperator::cli {

extern const Command kOperatorDownload;
inline constexpr Option kAcceptNewSigner{
    "--accept-new-signer", "", Arity::none, "",
    "accept another signer of the package than before, and remember it"};

// Options of `mcp`: our entry in a client's settings, instead of serving.
inline constexpr std::array kMcpClientOptions{
    Option{"--print-config", "", Arity::one, "<client>",
           "print this server's entry for a client's settings",
           "claude-code claude-desktop codex cursor vscode gemini openclaw"},
    Option{"--write", "", Arity::none, "", "write the entry into the client's own file"},
};
bool has_client_options(const Arguments& arguments);
Result<Answer> answer_mcp_client(const Invocation& invocation);

// The subcommands of `skills`, `agent-skills` and `hub`, grouped in files by subject.
extern const Command kSkillsList;
extern const Command kSkillsGet;
extern const Command kSkillsInfo;
extern const Command kSkillsCheck;
extern const Command kSkillsForApp;
extern const Command kSkillsSearch;
extern const Command kSkillsValidate;
extern const Command kSkillsCompileArtifact;
extern const Command kSkillsNew;
extern const Command kSkillsIndex;
extern const Command kSkillsRun;
extern const Command kSkillsInstall;
extern const Command kSkillsUpdate;
extern const Command kSkillsSync;
extern const Command kSkillsScan;

extern const Command kRecipeCompile;
extern const Command kRecipeRun;
extern const Command kRecipeValidate;
extern const Command kRecipeLint;

extern const Command kAgentSkillsList;
extern const Command kAgentSkillsInfo;
extern const Command kAgentSkillsCheck;
extern const Command kAgentSkillsValidate;
extern const Command kAgentSkillsPrompt;
extern const Command kAgentSkillsSnapshot;
extern const Command kAgentSkillsCommands;
extern const Command kAgentSkillsResolve;
extern const Command kAgentSkillsEnv;
extern const Command kAgentSkillsEnable;
extern const Command kAgentSkillsDisable;
extern const Command kAgentSkillsSet;
extern const Command kAgentSkillsInstall;
extern const Command kAgentSkillsWatch;

extern const Command kHubSearch;
extern const Command kHubExplore;
extern const Command kHubInstall;
extern const Command kHubUpdate;
extern const Command kHubVerify;
extern const Command kHubList;
extern const Command kHubPublish;
extern const Command kHubDelete;
extern const Command kHubUndelete;
extern const Command kHubLogin;
extern const Command kHubLogout;
extern const Command kHubWhoami;

}  // namespace clawperator::cli
