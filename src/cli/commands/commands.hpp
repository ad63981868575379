#pragma once
// A line for each command file. A new command needs its constant, its name here and in
// command_table.cpp.

#include "cli/grammar/command.hpp"

namespace clawperator::cli {

extern const Command kDevices, kConnect, kDisconnect;
extern const Command kPair;
extern const Command kKnown;
extern const Command kSnapshot, kScreenshot;
extern const Command kRecordVideo;
extern const Command kClick, kType;
extern const Command kRead, kReadValue;
extern const Command kWait, kWaitForNav, kSleep, kAssert;
extern const Command kPress, kBack;
extern const Command kInput, kSwipe, kKey, kDoubleTap, kDrag, kHideKeyboard;
extern const Command kOpen, kClose;
extern const Command kScroll, kScrollUntil, kScrollAndClick;
extern const Command kExec;
extern const Command kDoctor;
extern const Command kOperator, kSetup, kInstall;
extern const Command kOperatorDownload;
inline constexpr Option kAcceptNewSigner{
    "--accept-new-signer", "", Arity::none, "",
    "the package has another signer than before: from now on it is the one"};
extern const Command kGrantDevicePermissions;
extern const Command kRotate;
extern const Command kBattery;
extern const Command kNet;
extern const Command kNotifications;
extern const Command kApps;
extern const Command kPackages;
extern const Command kEmulator, kProvision;
extern const Command kRecording;
extern const Command kSkills;
extern const Command kHub;
extern const Command kAgentSkills;
extern const Command kLogs;
extern const Command kCrash;
extern const Command kLog;
extern const Command kCrashLog;
extern const Command kMan, kHelp, kVersion, kCompletion;
extern const Command kAdb, kSim;
extern const Command kServe;
extern const Command kMcp, kGuide;
extern const Command kDaemon;

// The subcommands of `skills`, `agent-skills` and `hub`, which stand in a file for each concern.
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
extern const Command kHubList;
extern const Command kHubPublish;
extern const Command kHubDelete;
extern const Command kHubUndelete;
extern const Command kHubLogin;
extern const Command kHubLogout;
extern const Command kHubWhoami;

}  // namespace clawperator::cli
