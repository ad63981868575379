#pragma once
// A host with an empty home, without an adb and without anything that points at a server or device.

#include "support/temp_folder.hpp"

namespace adbproto::testing {

struct BareHost {
  TempFolder home;
  Variable variables[7] = {{"HOME", home.path().string()},
                           {"ANDROID_SERIAL", std::nullopt},
                           {"ADB_SERVER_SOCKET", std::nullopt},
                           {"ANDROID_ADB_SERVER_ADDRESS", std::nullopt},
                           {"ANDROID_ADB_SERVER_PORT", std::nullopt},
                           {"ADB_PATH", std::nullopt},
                           {"PATH", "/nowhere"}};
};

}  // namespace adbproto::testing
