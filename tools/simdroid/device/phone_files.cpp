#include "simdroid/device/phone_files.hpp"

#include <cstdio>

#include "simdroid/device/phone.hpp"

namespace simdroid {
namespace {

std::string boot_id(Phone* phone) {
  Jitter random(phone->options.seed ^
                static_cast<std::uint64_t>(phone->clock.now().time_since_epoch().count()));
  char text[40];
  std::snprintf(text, sizeof text, "%08x-%04x-4%03x-a%03x-%012llx",
                static_cast<unsigned>(random.next()), static_cast<unsigned>(random.next() & 0xffff),
                static_cast<unsigned>(random.next() & 0xfff),
                static_cast<unsigned>(random.next() & 0xfff),
                static_cast<unsigned long long>(random.next() & 0xffffffffffffull));
  return text;
}

std::string recording(std::string_view package) {
  return R"({"type":"recording_header","schemaVersion":1,"sessionId":"demo-session",)"
         R"("startedAt":1767225600000,"operatorPackage":")" +
         std::string(package) + R"("}
{"ts":1767225600100,"seq":0,"type":"window_change","packageName":"com.android.settings","className":"com.android.settings.Settings","title":"Settings","snapshot":null}
{"ts":1767225602300,"seq":1,"type":"press_key","key":"back","snapshot":null}
)";
}

constexpr std::string_view kCrashLog =
    R"(2026-01-01 09:00:00.000 [ERROR] [main] Uncaught exception
java.lang.IllegalStateException: the node is gone
	at clawperator.task.TaskScope.click(TaskScope.kt:112)
2026-01-01 09:05:00.000 [ERROR] [DefaultDispatcher-worker-1] Uncaught exception
java.lang.OutOfMemoryError: a hierarchy too large
)";

// An app's private folder is open to the app alone. This file system has no users, so the folder's
// name alone keeps the shell out.
void install_private_files(FileSystem& files, std::string_view variant) {
  const std::string folder = "/data/data/" + std::string(variant) + "/files";
  files.install_directory(folder, kShellUid, 0700);
  files.install(folder + "/crash-log.txt", std::string(kCrashLog), kRegular | 0666);
}

void install_operator_files(FileSystem& files, const OperatorNames& names) {
  const std::string recordings =
      "/storage/emulated/0/Android/data/" + std::string(names.package) + "/files/recordings";
  files.install_directory(recordings, kShellUid, 0770);
  files.install(recordings + "/demo-session.ndjson", recording(names.package));
  files.install(recordings + "/latest", "demo-session");
  install_private_files(files, names.variant);
}

}  // namespace

void install_boot_id(Phone* phone) {
  phone->files.install("/proc/sys/kernel/random/boot_id", boot_id(phone) + "\n", kRegular | 0444);
}

void install_phone_files(Phone* phone) {
  FileSystem& files = phone->files;
  constexpr std::uint32_t kSystem = 0;
  for (const char* path : {"/system/bin", "/system/etc", "/data/data", "/data/app", "/proc", "/sys",
                           "/vendor/bin", "/mnt", "/storage/emulated"}) {
    files.install_directory(path, kSystem, 0755);
  }
  files.install_directory("/data", 1000, 0771);
  files.install_directory("/data/data", 1000, 0771);
  files.install_directory("/data/local", kSystem, 0751);
  files.install_directory("/data/local/tmp", kShellUid, 0771);
  files.install_directory("/storage/emulated/0", kShellUid, 0770);
  for (const char* name : {"Alarms", "Android", "Android/data", "Android/media", "DCIM",
                           "Documents", "Download", "Movies", "Music", "Pictures"}) {
    files.install_directory(std::string("/storage/emulated/0/") + name, kShellUid, 0770);
  }
  files.install_directory("/storage/self", kSystem, 0755);
  files.install("/sdcard", "/storage/self/primary", kSymlink | 0777);
  files.install("/storage/self/primary", "/storage/emulated/0", kSymlink | 0777);
  files.install("/bin", "/system/bin", kSymlink | 0777);
  files.install("/etc", "/system/etc", kSymlink | 0777);
  files.install("/etc/hosts", "127.0.0.1       localhost\n::1             ip6-localhost\n");
  files.install("/dev/null", "", kCharDevice | 0666);
  install_boot_id(phone);
  files.install("/proc/version", "Linux version 5.15.0-simdroid (builder) #1 SMP PREEMPT\n",
                kRegular | 0444);
  files.install("/proc/cpuinfo",
                "processor\t: 0\nBogoMIPS\t: 38.40\nprocessor\t: 1\nBogoMIPS\t: 38.40\n",
                kRegular | 0444);
  files.install("/proc/meminfo", "MemTotal:        5878340 kB\nMemFree:         1032564 kB\n",
                kRegular | 0444);
  files.install("/system/build.prop", "ro.build.type=user\n", kRegular | 0600);

  for (const OperatorBuild& build : operator_builds(phone->options.operator_version)) {
    install_operator_files(files, *build.names);
  }
}

}  // namespace simdroid
