#pragma once
// The key files that this host shares with adb.
//
//   <home>/.android/adbkey        the user's key, 0600; made when absent, with adbkey.pub beside it
//   ADB_VENDOR_KEYS               files, or folders of which every *.adb_key counts; ':' between
//
// The first key is the user's: the one whose public half is offered to a device that accepts none.

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

// Called when a device requires a key, so that nothing is read or made before.
using LoadKeys = std::function<Result<KeyRing>()>;

// HOME and ADB_VENDOR_KEYS; as on Linux with adb, neither ANDROID_SDK_HOME nor ANDROID_USER_HOME.
// Unreadable vendor keys are skipped; a user key that exists but cannot be read, or cannot be made
// where there is no other, is adb_keys_unusable; none is replaced. Two processes that make the
// first key at once end up with the same one.
Result<KeyRing> load_keys(const GetEnvironment& environment);

// The user's key as it is; nothing is made.
struct UserKeyState {
  std::string path{};
  bool is_there = false;
  std::string fingerprint{};       // of a key that can be used
  std::optional<Error> problem{};  // why it cannot be used or, absent, not be made
};
UserKeyState read_user_key_state(const GetEnvironment& environment);

// `keygen FILE`: a new key in FILE (0600) and FILE.pub; an existing FILE is refused.
Result<void> write_new_key(const std::string& path, const std::string& comment);
// The comment of a new key, as adb writes it: user@host.
std::string key_comment(const GetEnvironment& environment);

}  // namespace adbproto
