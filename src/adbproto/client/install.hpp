#pragma once
// Installs packages: streamed to the device's package service without a temporary file, split APKs
// in one session; a device that cannot take a stream gets the file in /data/local/tmp first.

#include "adbproto/client/device.hpp"
#include "adbproto/client/sync_client.hpp"

namespace adbproto {

// `automatic`: streamed if the device supports it. `session`: a session, even for a single APK.
enum class InstallWay { automatic, streamed, pushed, session };
InstallWay choose_install_way(InstallWay wanted, const FeatureSet& features);

struct InstallOptions {
  std::vector<std::string> flags{};  // -r -t -g -d --abi X ..., flags of the package service
  std::chrono::milliseconds stall_limit{30000};
  std::chrono::milliseconds verdict_limit{300000};  // after the last byte: dexopt takes minutes
  InstallWay way = InstallWay::automatic;
  std::function<void(const TransferResult&)> on_pushed{};  // called before the device installs
};

struct InstallProgress {
  std::uint64_t done = 0;
  std::uint64_t total = 0;
};

// `apks`: one package, or the split APKs of one package (a session, abandoned when anything fails).
// Returns the device's verdict ("Success"). Fails with refused and adb's message with the device's
// text in it ("failed to install a.apk: Failure [INSTALL_FAILED_...]"; for a pushed file only the
// device's text), and with file_unreadable before anything is sent.
Task<std::string> install(Device* device, std::vector<std::string> apks, InstallOptions options,
                          std::function<void(const InstallProgress&)> progress);

}  // namespace adbproto
