#pragma once
// One constant per command file. A new command needs its file, a line here and a line in
// command_table.cpp.

#include "cli/grammar/command.hpp"

namespace clawperator::cli {

extern const Command kDevices;
extern const Command kConnect;
extern const Command kDisconnect;
extern const Command kPair;
extern const Command kSnapshot;
extern const Command kScreenshot;
extern const Command kRecordVideo;
extern const Command kClick;
extern const Command kType;
extern const Command kRead;
extern const Command kReadValue;
extern const Command kWait;
extern const Command kWaitForNav;
extern const Command kAssert;
extern const Command kPress;
extern const Command kInput;
extern const Command kSwipe;
extern const Command kKey;
extern const Command kDoubleTap;
extern const Command kDrag;
extern const Command kPinch;
extern const Command kHideKeyboard;
extern const Command kBack;
extern const Command kOpen;
extern const Command kClose;
extern const Command kSleep;
extern const Command kScroll;
extern const Command kScrollUntil;
extern const Command kScrollAndClick;
extern const Command kExec;
extern const Command kDoctor;
extern const Command kOperator;
extern const Command kOperatorDownload;
extern const Command kSetup;
extern const Command kInstall;
extern const Command kGrantDevicePermissions;
extern const Command kRotate;
extern const Command kBattery;
extern const Command kClipboard;
extern const Command kNet;
extern const Command kNotifications;
extern const Command kApps;
extern const Command kPackages;
extern const Command kEmulator;
extern const Command kProvision;
extern const Command kRecording;
extern const Command kSkills;
extern const Command kHub;
extern const Command kAgentSkills;
extern const Command kLogs;
extern const Command kCrash;
extern const Command kLog;
extern const Command kCrashLog;
extern const Command kMan;
extern const Command kAdb;
extern const Command kServe;
extern const Command kMcp;
extern const Command kGuide;
extern const Command kDaemon;
extern const Command kSim;
extern const Command kVersion;
extern const Command kCompletion;
extern const Command kHelp;

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
