#pragma once
// Every command, in the order of the help. A new command is its file in commands/ and a row here; a
// subcommand is a row in its group's table.

namespace clawperator::cli {

struct Command;

#define CLAWPERATOR_COMMANDS(ROW) \
  ROW(kDevices)                   \
  ROW(kConnect)                   \
  ROW(kDisconnect)                \
  ROW(kPair)                      \
  ROW(kKnown)                     \
  ROW(kSnapshot)                  \
  ROW(kScreenshot)                \
  ROW(kRecordVideo)               \
  ROW(kClick)                     \
  ROW(kType)                      \
  ROW(kRead)                      \
  ROW(kReadValue)                 \
  ROW(kWait)                      \
  ROW(kWaitForNav)                \
  ROW(kAssert)                    \
  ROW(kPress)                     \
  ROW(kInput)                     \
  ROW(kSwipe)                     \
  ROW(kKey)                       \
  ROW(kDoubleTap)                 \
  ROW(kDrag)                      \
  ROW(kHideKeyboard)              \
  ROW(kBack)                      \
  ROW(kOpen)                      \
  ROW(kClose)                     \
  ROW(kSleep)                     \
  ROW(kScroll)                    \
  ROW(kScrollUntil)               \
  ROW(kScrollAndClick)            \
  ROW(kExec)                      \
  ROW(kRecording)                 \
  ROW(kSkills)                    \
  ROW(kRecipe)                    \
  ROW(kAgentSkills)               \
  ROW(kHub)                       \
  ROW(kDoctor)                    \
  ROW(kMigrate)                   \
  ROW(kOperator)                  \
  ROW(kSetup)                     \
  ROW(kInstall)                   \
  ROW(kGrantDevicePermissions)    \
  ROW(kRotate)                    \
  ROW(kBattery)                   \
  ROW(kNet)                       \
  ROW(kNotifications)             \
  ROW(kApps)                      \
  ROW(kPackages)                  \
  ROW(kCrash)                     \
  ROW(kLog)                       \
  ROW(kCrashLog)                  \
  ROW(kEmulator)                  \
  ROW(kProvision)                 \
  ROW(kLogs)                      \
  ROW(kAdb)                       \
  ROW(kServe)                     \
  ROW(kMcp)                       \
  ROW(kDaemon)                    \
  ROW(kSim)                       \
  ROW(kGuide)                     \
  ROW(kVersion)                   \
  ROW(kCompletion)                \
  ROW(kMan)                       \
  ROW(kHelp)

#define CLAWPERATOR_DECLARE(NAME) extern const Command NAME;
CLAWPERATOR_COMMANDS(CLAWPERATOR_DECLARE)
#undef CLAWPERATOR_DECLARE

}  // namespace clawperator::cli
