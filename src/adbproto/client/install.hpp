#pragma once
// Packages onto a device: streamed to its package service, no temporary file, split APKs in one
// session; pushed to /data/local/tmp first where a device cannot take a stream.

#include "adbproto/client/device.hpp"
#include "adbproto/client/sync_client.hpp"

namespace adbproto {

// `automatic`: streamed where the device can. `session`: as split APKs go, also when it is one.
enum class InstallWay { automatic, streamed, pushed, session };
InstallWay choose_install_way(InstallWay wanted, const FeatureSet& features);

struct InstallOptions {
  std::vector<std::string> flags{};  // -r -t -g -d --abi X ..., flags of the package service
  std::chrono::milliseconds stall_limit{30000};
  std::chrono::milliseconds verdict_limit{300000};  // after the last byte: dexopt takes its time
  InstallWay way = InstallWay::automatic;
  std::function<void(const TransferResult&)> on_pushed{};  // before the device installs
};

struct InstallProgress {
  std::uint64_t done = 0;
  std::uint64_t total = 0;
};

// `apks`: one, or several for one package (a session, abandoned when anything fails). Returns the
// device's verdict ("Success"). Fails with refused, the message being adb's with the device's
// words in it ("failed to install a.apk: Failure [INSTALL_FAILED_...]"; of a pushed one the words
// alone), and file_unreadable before anything was sent.
Task<std::string> install(Device* device, std::vector<std::string> apks, InstallOptions options,
                          std::function<void(const InstallProgress&)> progress);

}  // namespace adbproto
