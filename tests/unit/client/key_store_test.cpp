#include "adbproto/client/key_store.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <cstdio>
#include <map>

#include "adbproto/wire/errc.hpp"
#include "support/print_result.hpp"
#include "support/temp_folder.hpp"
#include "support/test_keys.hpp"

using namespace adbproto;
using namespace adbproto::testing;
namespace fs = std::filesystem;

namespace {

// What the file system cannot do, as EPERM and EINVAL say.
struct FileSystem {
  bool links = true;
  bool exclusive_renames = true;
};
FileSystem file_system;

struct Poorer {
  explicit Poorer(FileSystem system) { file_system = system; }
  ~Poorer() { file_system = {}; }
  Poorer(const Poorer&) = delete;
  Poorer& operator=(const Poorer&) = delete;
};

}  // namespace

// In the place of libc's.
extern "C" int link(const char* from, const char* to) noexcept {
  if (file_system.links) {
    return static_cast<int>(::syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0));
  }
  errno = EPERM;
  return -1;
}
extern "C" int renameat2(int from_folder, const char* from, int to_folder, const char* to,
                         unsigned flags) noexcept {
  if (file_system.exclusive_renames) {
    return static_cast<int>(::syscall(SYS_renameat2, from_folder, from, to_folder, to, flags));
  }
  errno = EINVAL;
  return -1;
}

namespace {

// A home folder and the variables of one user.
class User {
 public:
  User() { set("HOME", home_.path().string()).set("LOGNAME", "me").set("HOSTNAME", "here"); }
  User& set(const std::string& name, const std::string& value) {
    variables_[name] = value;
    return *this;
  }
  [[nodiscard]] GetEnvironment environment() const {
    return [this](const char* name) -> std::optional<std::string> {
      const auto at = variables_.find(name);
      return at == variables_.end() ? std::nullopt : std::optional(at->second);
    };
  }
  [[nodiscard]] Result<KeyRing> load() const { return load_keys(environment()); }
  [[nodiscard]] std::string file(const std::string& name) const { return home_.file(name); }
  [[nodiscard]] std::string key() const { return file(".android/adbkey"); }

 private:
  TempFolder home_;
  std::map<std::string, std::string> variables_;
};

mode_t mode_of(const std::string& path) {
  struct stat found{};
  REQUIRE(::stat(path.c_str(), &found) == 0);
  return found.st_mode & 07777;
}

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

std::vector<std::string> fingerprints(const KeyRing& ring) {
  std::vector<std::string> result;
  for (const RsaKey& key : ring.keys) result.push_back(key.fingerprint());
  return result;
}

std::string new_pem() { return RsaKey::generate()->to_pem(); }

std::string fingerprint_in(const std::string& pem) { return RsaKey::from_pem(pem)->fingerprint(); }

}  // namespace

TEST_CASE("key store: the first key is made as adb makes it", "[client]") {
  const User user;
  const auto ring = user.load();
  REQUIRE(ring);
  CHECK(ring->keys.size() == 1);
  CHECK(ring->comment == "me@here");
  CHECK(ring->files == std::vector{user.key()});
  CHECK(file_text(user.key()) == ring->keys[0].to_pem());
  CHECK(file_text(user.key() + ".pub") == ring->public_text());
  CHECK(mode_of(user.key()) == 0600);
  CHECK((mode_of(user.file(".android")) & 027) == 0);
  CHECK(files_in(user.file(".android")) == 2);
  const auto again = user.load();
  REQUIRE(again);
  CHECK(fingerprints(*again) == fingerprints(*ring));
}

TEST_CASE("key store: adb's key is taken as it is, of either kind", "[client]") {
  const auto pem = GENERATE(kKeyPem, kKeyPkcs1Pem);
  const User user;
  write_text(user.key(), std::string(pem));
  const auto ring = user.load();
  REQUIRE(ring);
  CHECK(fingerprints(*ring) == std::vector<std::string>{std::string(kKeyFingerprint)});
  CHECK(file_text(user.key()) == pem);
  CHECK(file_text(user.key() + ".pub") == std::string(kKeyPublicBase64) + " me@here");
}

TEST_CASE("key store: the public file's comment stays, unless it is another key's", "[client]") {
  const User user;
  write_text(user.key(), std::string(kKeyPem));
  write_text(user.key() + ".pub", std::string(kKeyPublicBase64) + " my phone box\n");
  CHECK(user.load()->comment == "my phone box");
  write_text(user.key() + ".pub", RsaKey::generate()->public_text("stranger"));
  CHECK(user.load()->comment == "me@here");
}

TEST_CASE("key store: a user key that cannot be used is an error and stays", "[client][F66]") {
  struct Case {
    const char* name;
    std::string text;
  };
  const auto row = GENERATE(values<Case>({
      {"empty", ""},
      {"text", "not a key"},
      {"cut", std::string(kKeyPem.substr(0, 900))},
      {"huge", std::string(200'000, 'A')},
  }));
  INFO(row.name);
  const User user;
  write_text(user.key(), row.text);
  const auto ring = user.load();
  REQUIRE_FALSE(ring);
  CHECK(ring.error().code() == errc::adb_keys_unusable);
  CHECK(ring.error().message().find(user.key()) != std::string::npos);
  CHECK(file_text(user.key()) == row.text);
}

TEST_CASE("key store: a folder, a pipe or a dangling link in the key's place is an error",
          "[client]") {
  const User user;
  fs::create_directories(user.file(".android"));
  SECTION("folder") { fs::create_directory(user.key()); }
  SECTION("pipe") { REQUIRE(::mkfifo(user.key().c_str(), 0600) == 0); }
  SECTION("link") { fs::create_symlink(user.file("nowhere"), user.key()); }
  const auto ring = user.load();
  REQUIRE_FALSE(ring);
  CHECK(ring.error().code() == errc::adb_keys_unusable);
}

TEST_CASE("key store: vendor keys are files and folders of *.adb_key, each key once", "[client]") {
  User user;
  write_text(user.key(), std::string(kKeyPem));
  const std::string one = new_pem();
  const std::string two = new_pem();
  const std::string three = new_pem();
  write_text(user.file("any.name"), one);
  write_text(user.file("keys/b.adb_key"), three);
  write_text(user.file("keys/a.adb_key"), two);
  write_text(user.file("keys/c.pem"), new_pem());
  write_text(user.file("keys/twice.adb_key"), one);
  write_text(user.file("keys/bad.adb_key"), "not a key");
  user.set("ADB_VENDOR_KEYS", ":" + user.file("any.name") + "::" + user.file("none") + ":" +
                                  user.file("keys") + ":" + user.key());
  const auto ring = user.load();
  REQUIRE(ring);
  CHECK(fingerprints(*ring) == std::vector{std::string(kKeyFingerprint), fingerprint_in(one),
                                           fingerprint_in(two), fingerprint_in(three)});
  CHECK(ring->files == std::vector{user.key(), user.file("any.name"), user.file("keys/a.adb_key"),
                                   user.file("keys/b.adb_key")});
}

TEST_CASE("key store: where no key can be made, a vendor key will do", "[client]") {
  User user;
  write_text(user.file("vendor"), std::string(kKeyPem));
  user.set("HOME", "/dev/null");
  REQUIRE_FALSE(user.load());
  CHECK(user.load().error().code() == errc::adb_keys_unusable);
  user.set("ADB_VENDOR_KEYS", user.file("vendor"));
  const auto ring = user.load();
  REQUIRE(ring);
  CHECK(fingerprints(*ring) == std::vector<std::string>{std::string(kKeyFingerprint)});
}

TEST_CASE("key store: processes that make the first key at once end up with one", "[client]") {
  const User user;
  constexpr int kProcesses = 6;
  std::vector<int> answers;
  for (int i = 0; i < kProcesses; ++i) {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    if (::fork() == 0) {
      const auto ring = user.load();
      const std::string text = ring ? ring->keys[0].fingerprint() : ring.error().message();
      [[maybe_unused]] const auto written = ::write(ends[1], text.data(), text.size());
      ::_exit(0);
    }
    ::close(ends[1]);
    answers.push_back(ends[0]);
  }
  const auto read_answer = [](int from) {
    char text[200];
    const ssize_t size = ::read(from, text, sizeof text);
    ::close(from);
    return std::string(text, static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  };
  std::vector<std::string> seen;
  for (const int from : answers) seen.push_back(read_answer(from));
  while (::wait(nullptr) > 0) {
  }
  const std::string kept = fingerprint_in(file_text(user.key()));
  CHECK(seen == std::vector<std::string>(kProcesses, kept));
  CHECK(file_text(user.key() + ".pub")
            .starts_with(RsaKey::from_pem(file_text(user.key()))->public_text("")));
  CHECK(files_in(user.file(".android")) == 2);
}

TEST_CASE("keygen: a new key and its public half, never over another", "[client]") {
  const User user;
  const std::string path = user.file("fresh");
  REQUIRE(write_new_key(path, "you@there"));
  const auto key = RsaKey::from_pem(file_text(path));
  REQUIRE(key);
  CHECK(mode_of(path) == 0600);
  CHECK(file_text(path + ".pub") == key->public_text("you@there"));
  const auto again = write_new_key(path, "you@there");
  REQUIRE_FALSE(again);
  CHECK(again.error().code() == errc::file_write_failed);
  CHECK(file_text(path) == key->to_pem());
  CHECK(write_new_key(user.file("no/such/folder"), "").error().code() == errc::file_write_failed);
}

TEST_CASE("key store: a key is made on file systems without hard links, too", "[client]") {
  const auto system = GENERATE(
      values<FileSystem>({{.links = false}, {.links = false, .exclusive_renames = false}}));
  CAPTURE(system.exclusive_renames);
  const Poorer poorer(system);
  const User user;
  const auto ring = user.load();
  REQUIRE(ring);
  CHECK(file_text(user.key()) == ring->keys[0].to_pem());
  CHECK(file_text(user.key() + ".pub") == ring->public_text());
  CHECK(mode_of(user.key()) == 0600);
  CHECK(files_in(user.file(".android")) == 2);
  CHECK(write_new_key(user.key(), "").error().code() == errc::file_write_failed);
  CHECK(file_text(user.key()) == ring->keys[0].to_pem());
  CHECK(files_in(user.file(".android")) == 2);
}
