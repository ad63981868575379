#include "simdroid/device/file_system.hpp"

#include <catch2/catch.hpp>

#include "unit/simdroid/userland_support.hpp"

using namespace simdroid;
using simdroid::testing::TestPhone;

TEST_CASE("userland files: paths are made absolute and clean") {
  const auto [directory, path, absolute] = GENERATE(table<std::string, std::string, std::string>({
      {"/", "a", "/a"},
      {"/x/y", "a/./b//../c", "/x/y/a/c"},
      {"/x", "/etc/hosts", "/etc/hosts"},
      {"/", "../../..", "/"},
      {"/x", ".", "/x"},
  }));
  CHECK(absolute_path(directory, path) == absolute);
}

TEST_CASE("userland files: /sdcard leads to the shared storage, also in the middle of a path") {
  TestPhone phone;
  CHECK(phone.run("echo x > /sdcard/Download/f").status == 0);
  CHECK(phone.out("cat /storage/emulated/0/Download/f") == "x\n");
  CHECK(phone.out("ls -d /sdcard") == "/sdcard\n");
  CHECK(phone.out("readlink /sdcard") == "/storage/self/primary\n");
}

TEST_CASE("userland files: the shell may not write where a phone's shell may not") {
  const std::string path = GENERATE("/x", "/system/x", "/etc/hosts", "/data/data/x", "/data/x");
  TestPhone phone;
  INFO(path);
  CHECK(phone.run("echo x > " + path).err ==
        "/system/bin/sh: can't create " + path + ": Permission denied\n");
  CHECK(phone.run("rm -rf " + path).status == (path == "/etc/hosts" ? 1 : 0));
}

TEST_CASE("userland files: errors have Linux's numbers") {
  PhoneClock clock(simdroid::testing::sample_time());
  FileSystem files(&clock);
  files.install_directory("/data/local/tmp", kShellUid, 0771);
  CHECK(files.stat("/no", FollowLinks::yes).error() == std::errc::no_such_file_or_directory);
  CHECK(files.read("/data").error() == std::errc::is_a_directory);
  REQUIRE(files.create("/data/local/tmp/f", 0600));
  CHECK(files.stat("/data/local/tmp/f/deeper", FollowLinks::yes).error() ==
        std::errc::not_a_directory);
  CHECK(files.make_directory("/data/local/tmp/f", MakeParents::no).error() ==
        std::errc::file_exists);
  CHECK(files.create("/data/local/tmp/" + std::string(300, 'n'), 0600).error() ==
        std::errc::filename_too_long);
  CHECK(files.stat("/" + std::string(2000, 'p'), FollowLinks::yes).error() ==
        std::errc::filename_too_long);
  REQUIRE(files.make_link("/data/local/tmp/loop", "/data/local/tmp/loop"));
  CHECK(files.read("/data/local/tmp/loop").error() == std::errc::too_many_symbolic_link_levels);
  CHECK(files.rename("/data/local/tmp", "/data/local/tmp/x/y").has_value() == false);
}

TEST_CASE("userland files: space is given back") {
  PhoneClock clock(simdroid::testing::sample_time());
  FileSystem files(&clock);
  files.install_directory("/tmp", kShellUid, 0771);
  const auto before = files.bytes();
  REQUIRE(files.make_directory("/tmp/a/b", MakeParents::yes));
  REQUIRE(files.create("/tmp/a/b/f", 0600));
  REQUIRE(files.append("/tmp/a/b/f", std::string(10'000, 'x')));
  REQUIRE(files.create("/tmp/a/b/f", 0600));
  REQUIRE(files.append("/tmp/a/b/f", "short"));
  CHECK(files.remove("/tmp/a", RemoveTree::no).error() == std::errc::is_a_directory);
  REQUIRE(files.remove("/tmp/a", RemoveTree::yes));
  CHECK(files.bytes() == before);
}

TEST_CASE("userland files: a full phone says so") {
  PhoneClock clock(simdroid::testing::sample_time());
  constexpr std::uint64_t kSmall = 100'000;
  FileSystem files(&clock, kSmall);
  files.install_directory("/tmp", kShellUid, 0771);
  REQUIRE(files.create("/tmp/f", 0600));
  CHECK(files.append("/tmp/f", std::string(kSmall, 'x')).error() == std::errc::no_space_on_device);
  CHECK(files.append("/tmp/f", std::string(kSmall / 2, 'x')).has_value());
  while (files.bytes() + 4096 <= kSmall) {
    REQUIRE(files.create("/tmp/" + std::to_string(files.bytes()), 0600));
  }
  CHECK(files.create("/tmp/one more", 0600).error() == std::errc::no_space_on_device);
  CHECK(files.make_directory("/tmp/d", MakeParents::no).error() == std::errc::no_space_on_device);
}

TEST_CASE("userland files: the usual tools work on them") {
  TestPhone phone;
  CHECK(phone.out("cd /data/local/tmp; mkdir -p a/b; echo 1 > a/f; cp a/f a/g; mv a/g a/b/h; ls a; "
                  "ls a/b") == "b\nf\nh\n");
  CHECK(phone.out("stat -c '%s %a %F' /etc/hosts") == "56 644 regular file\n");
  CHECK(phone.out("ls -l /etc/hosts").starts_with("-rw-r--r-- 1 root  root        56 "));
  CHECK(phone.run("cat /none").err == "cat: /none: No such file or directory\n");
  CHECK(phone.run("rmdir /sdcard/Android").err == "rmdir: /sdcard/Android: Directory not empty\n");
}

TEST_CASE("userland files: a boot has its id, a recording is there to be pulled") {
  TestPhone phone;
  CHECK(phone.out("cat /proc/sys/kernel/random/boot_id").size() == 37);
  const std::string folder = "/sdcard/Android/data/com.clawperator.operator/files/recordings/";
  CHECK(phone.out("cat " + folder + "latest") == "demo-session");
  CHECK(phone.out("head -n 1 " + folder + "demo-session.ndjson").contains("\"recording_header\""));
}
