#include "runtime/host/emulator/avd.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "support/temp_folder.hpp"

using namespace clawperator;
using namespace adbproto::testing;

namespace {

constexpr auto kArch = HostArch::x86_64;

std::vector<std::string> names(const std::vector<Avd>& avds) {
  std::vector<std::string> all;
  for (const Avd& avd : avds) all.push_back(avd.name);
  return all;
}

}  // namespace

TEST_CASE("avd folder: the variables are read in the documented order", "[host]") {
  const Variable home("HOME", "/home/me");
  const Variable sdk_home("ANDROID_SDK_HOME", std::nullopt);
  const Variable user_home("ANDROID_USER_HOME", std::nullopt);
  const Variable avd_home("ANDROID_AVD_HOME", std::nullopt);
  CHECK(avd_folder() == "/home/me/.android/avd");
  const Variable sdk("ANDROID_SDK_HOME", "/sdk-home");
  CHECK(avd_folder() == "/sdk-home/.android/avd");
  const Variable user("ANDROID_USER_HOME", "/user-home");
  CHECK(avd_folder() == "/user-home/avd");
  const Variable avd("ANDROID_AVD_HOME", "/avds");
  CHECK(avd_folder() == "/avds");
}

TEST_CASE("avd folder: what has a NAME.ini is listed by name, nothing else", "[host]") {
  const TempFolder folder;
  write_text(folder.path() / "b.ini", "");
  write_text(folder.path() / "a.ini", "");
  write_text(folder.path() / "bad name.ini", "");
  write_text(folder.path() / "-x.ini", "");
  write_text(folder.path() / ".ini", "");
  write_text(folder.path() / "c.avd/config.ini", "abi.type=x86_64\n");
  std::filesystem::create_directory(folder.path() / "d.ini");
  CHECK(names(list_avds(folder.path(), kArch)) == std::vector<std::string>{"a", "b"});
  CHECK(list_avds(folder.path() / "absent", kArch).empty());
  CHECK(list_avds({}, kArch).empty());
}

TEST_CASE("avd folder: the device's own files are where its ini says", "[host]") {
  const TempFolder folder;
  const auto avds = folder.path() / "avd";
  write_text(folder.path() / "elsewhere/config.ini", "abi.type=moved\n");
  write_text(avds / "x.avd/config.ini", "abi.type=beside\n");
  const auto abi_with = [&](const std::string& ini) {
    write_text(avds / "x.ini", ini);
    return read_avd(avds, "x", kArch).abi;
  };
  CHECK(abi_with("path=" + folder.file("elsewhere") + "\n") == "moved");
  CHECK(abi_with("path=/nowhere\npath.rel=elsewhere\n") == "moved");
  CHECK(abi_with("path=/nowhere\npath.rel=nowhere\n") == "beside");
  CHECK(abi_with("") == "beside");
}

TEST_CASE("avd folder: an unknown name does not exist; a broken device does", "[host]") {
  const TempFolder folder;
  CHECK_FALSE(read_avd(folder.path(), "x", kArch).exists);
  write_text(folder.path() / "x.ini", "path=/nowhere\n");
  const Avd broken = read_avd(folder.path(), "x", kArch);
  CHECK(broken.exists);
  CHECK_FALSE(broken.supported);
}

TEST_CASE("avd folder: pipes and huge files are not read", "[host]") {
  const TempFolder folder;
  std::filesystem::create_directory(folder.path() / "x.avd");
  REQUIRE(::mkfifo(folder.file("x.avd/config.ini").c_str(), 0600) == 0);
  REQUIRE(::mkfifo(folder.file("y.ini").c_str(), 0600) == 0);
  write_text(folder.path() / "x.ini", "target=android-35\n");
  write_text(folder.path() / "z.ini", "target=android-35\n" + std::string(kMaxAvdFile, '#'));
  const auto avds = list_avds(folder.path(), kArch);
  REQUIRE(names(avds) == std::vector<std::string>{"x", "z"});
  CHECK(avds[0].api_level == 35);
  CHECK(avds[1].api_level == std::nullopt);
}

TEST_CASE("avd folder: a lock counts while its process lives", "[host]") {
  const TempFolder folder;
  const std::string ours = std::to_string(::getpid());
  write_text(folder.path() / "a.ini", "");
  CHECK_FALSE(held_lock(folder.path(), "a"));
  const auto lock = folder.path() / "a.avd/hardware-qemu.ini.lock";
  const auto* const no_process =
      GENERATE("", "\n", "x", "-1", "0", "99999999999999999999", "2147483647\n");
  write_text(lock, no_process);
  CHECK_FALSE(held_lock(folder.path(), "a"));
  write_text(lock, ours + "\n");
  const auto held = held_lock(folder.path(), "a");
  REQUIRE(held);
  CHECK(held->holder == ::getpid());
  CHECK(held->file == lock);
  CHECK_FALSE(held_lock(folder.path(), "b"));
}

TEST_CASE("avd folder: a lock may be a folder, and of several instances", "[host]") {
  const TempFolder folder;
  const std::string ours = std::to_string(::getpid());
  write_text(folder.path() / "moved/multiinstance.lock", "  " + ours);
  write_text(folder.path() / "a.ini", "path=" + folder.file("moved") + "\n");
  CHECK(held_lock(folder.path(), "a"));
  write_text(folder.path() / "b.avd/hardware-qemu.ini.lock/pid", ours);
  CHECK(held_lock(folder.path(), "b"));
}
