#pragma once
// The key files that this host shares with adb.
//
//   <home>/.android/adbkey        the user's key, 0600; created when absent, with adbkey.pub
//   ADB_VENDOR_KEYS               files, or folders with *.adb_key files, separated by ':'
//
// The first key is the user's: its public half is offered to a device that accepts no key.

#include "adbproto/client/server_address.hpp"
#include "adbproto/crypto/rsa_key.hpp"
#include "base/error.hpp"

namespace adbproto {

struct KeyRing {
  std::vector<RsaKey> keys{};  // tried in this order, the user's first; never empty when loaded
  std::string comment{};       // user@host, of the user's public key text
  std::vector<std::string> files{};  // where they were found, for messages

  [[nodiscard]] std::string public_text() const { return keys.front().public_text(comment); }
};

// Called when a device requires a key, so that no key is read or created earlier.
using LoadKeys = std::function<Result<KeyRing>()>;

// Reads HOME and ADB_VENDOR_KEYS; like adb on Linux, neither ANDROID_SDK_HOME nor
// ANDROID_USER_HOME. Unreadable vendor keys are skipped. adb_keys_unusable if the user's key exists
// but cannot be read, or if it cannot be created and there is no other key; no key is replaced. Two
// processes that create the first key at the same time get the same one.
Result<KeyRing> load_keys(const GetEnvironment& environment);

// The state of the user's key; no key is created.
struct UserKeyState {
  std::string path{};
  bool is_there = false;
  std::string fingerprint{};       // of a usable key
  std::optional<Error> problem{};  // why it is unusable or, if absent, cannot be created
};
UserKeyState read_user_key_state(const GetEnvironment& environment);

// `keygen FILE`: a new key in FILE (0600) and FILE.pub; an existing FILE is refused.
Result<void> write_new_key(const std::string& path, const std::string& comment);
// The comment of a new key in adb's form: user@host.
std::string key_comment(const GetEnvironment& environment);

}  // namespace adbproto
