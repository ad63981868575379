#pragma once
// The programs of the Android SDK that nothing of ours replaces: making and deleting virtual
// devices, installing system images, and the emulator itself.
//
// Found by EMULATOR_PATH, SDKMANAGER_PATH, AVDMANAGER_PATH; else below ANDROID_HOME or
// ANDROID_SDK_ROOT, if the file is there; else in PATH.

#include <filesystem>

#include "base/async/task.hpp"
#include "runtime/host/emulator/avd.hpp"

namespace clawperator {

enum class SdkTool { emulator, sdkmanager, avdmanager };

// The variables that the SDK's programs, Java and Gradle read.
inline constexpr std::string_view kSdkVariables =
    "ADB_* ANDROID_* EMULATOR_* JAVA_* _JAVA_OPTIONS JDK_* GRADLE_* ORG_GRADLE_PROJECT_* "
    "SDKMANAGER_OPTS AVDMANAGER_OPTS DISPLAY WAYLAND_DISPLAY XAUTHORITY DBUS_SESSION_BUS_ADDRESS "
    "QT_* QTWEBENGINE_* PULSE_* VK_* LIBGL_* MESA_*";

std::string_view name_of(SdkTool tool);
// nullopt: not there, or not executable.
std::optional<std::filesystem::path> find_sdk_tool(SdkTool tool);
// android_sdk_tool_missing, which names all that are.
Result<void> require_sdk_tools(const std::vector<SdkTool>& tools);

// Accepts the licences and installs, unless it is installed: android_system_image_install_failed.
Task<void> install_system_image(std::string image);
// android_avd_create_failed, also of one that is there and is kept.
enum class Existing { kept, replaced };
Task<void> create_avd(AvdProfile profile, Existing existing);
// emulator_delete_failed.
Task<void> delete_avd(std::string name);

}  // namespace clawperator
