#include "adbproto/client/key_store.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <ranges>
#include <set>

#include "adbproto/wire/adb_public_key.hpp"
#include "adbproto/wire/errc.hpp"
#include "base/file_handle.hpp"
#include "base/files.hpp"
#include "base/system/environment.hpp"

namespace adbproto {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxKeyFile = 64 * 1024;  // a key of 2048 bits has less than 2 KiB as PEM
constexpr std::size_t kMaxKeys = 256;  // adbd waits 1 s for each signature after 256 refused ones

std::string value_of(const GetEnvironment& environment, const char* name) {
  return environment(name).value_or("");
}

std::unexpected<Error> cannot(const char* verb, const std::string& path, Errc code) {
  return fail(code, std::string("cannot ") + verb + " " + path + ": " + std::strerror(errno));
}

// nullopt when there is no such file. A pipe in its place is an error; opening it does not block.
Result<std::optional<std::string>> read_if_there(const std::string& path) {
  const FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.is_open() && (errno == ENOENT || errno == ENOTDIR)) return std::nullopt;
  struct stat found{};
  if (!file.is_open() || ::fstat(file.get(), &found) != 0) {
    return cannot("read", path, errc::file_unreadable);
  }
  if (!S_ISREG(found.st_mode)) return fail(errc::file_unreadable, path + " is not a regular file");
  std::string text(kMaxKeyFile + 1, '\0');
  const ssize_t size = ::read(file.get(), text.data(), text.size());
  if (size < 0) return cannot("read", path, errc::file_unreadable);
  text.resize(static_cast<std::size_t>(size));
  return text;
}

Result<RsaKey> parse_key(const std::string& path, const std::string& text) {
  auto key = RsaKey::from_pem(text);
  if (!key && key.error().code() != errc::unsupported) {
    return fail(errc::file_unreadable, path + ": " + key.error().message());
  }
  return key;
}

enum class Written { new_file, was_there };

bool fill(int file, std::string_view text, mode_t mode) {
  return ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
         ::fchmod(file, mode) == 0 && ::fsync(file) == 0;
}

void remove_keeping_errno(const std::string& path) {
  const int why = errno;
  ::unlink(path.c_str());
  errno = why;
}

bool create(const std::string& path, std::string_view text, mode_t mode) {
  const FileHandle file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file.is_open()) return false;
  const bool filled = fill(file.get(), text, mode);
  if (!filled) remove_keeping_errno(path);
  return filled;
}

// Some file systems lack hard links, and renames that keep an existing file.
bool give_name(const std::string& draft, const std::string& path) {
  if (::link(draft.c_str(), path.c_str()) == 0) return true;
  if (errno == EEXIST) return false;
  return ::renameat2(AT_FDCWD, draft.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) == 0;
}

// The file appears under its name complete or not at all; an existing one stays. On file systems
// that cannot do that, it appears empty first.
Result<Written> write_if_absent(const std::string& path, std::string_view text, mode_t mode) {
  const fs::path parent = fs::path(path).has_parent_path() ? fs::path(path).parent_path() : ".";
  const FileHandle folder(::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.is_open()) return cannot("write", path, errc::file_write_failed);
  std::string name;
  const FileHandle file = create_draft(folder.get(), 0600, &name);
  if (!file.is_open()) return cannot("write", path, errc::file_write_failed);
  const std::string draft = (parent / name).string();
  const bool filled = fill(file.get(), text, mode);
  bool named = filled && give_name(draft, path);
  remove_keeping_errno(draft);
  if (filled && !named && errno != EEXIST) named = create(path, text, mode);
  if (filled && !named && errno == EEXIST) return Written::was_there;
  if (!named || !is_on_disk(folder.get())) return cannot("write", path, errc::file_write_failed);
  return Written::new_file;
}

Result<void> write_public_half(const std::string& path, const RsaKey& key,
                               const std::string& comment) {
  TRY_VOID(write_if_absent(path + ".pub", key.public_text(comment), 0644));
  return ok();
}

Result<Written> make_key(const std::string& path, const std::string& comment) {
  TRY(const RsaKey key, RsaKey::generate());
  TRY(const Written written, write_if_absent(path, key.to_pem(), 0600));
  if (written == Written::new_file) {
    ::unlink((path + ".pub").c_str());  // of a removed key
    TRY_VOID(write_public_half(path, key, comment));
  }
  return written;
}

Result<std::string> home_folder(const GetEnvironment& environment) {
  std::string home = value_of(environment, "HOME");
  if (home.empty()) home = base::home_folder().string();
  if (home.empty()) return fail(errc::file_unreadable, "no home folder: set HOME");
  return home;
}

Result<std::string> android_folder(const GetEnvironment& environment) {
  TRY(const std::string home, home_folder(environment));
  std::string folder = home + "/.android";
  ::mkdir(folder.c_str(), 0750);
  return folder;
}

Result<RsaKey> user_key(const std::string& path, const std::string& comment) {
  TRY(auto text, read_if_there(path));
  if (!text) {
    TRY_VOID(make_key(path, comment));
    TRY(text, read_if_there(path));  // our new file, or that of a faster process
  }
  if (!text) return fail(errc::file_unreadable, path + " is a link to a missing file");
  return parse_key(path, *text);
}

// The public file may contain a comment that its owner chose.
std::string comment_beside(const std::string& path, const RsaKey& key,
                           const std::string& otherwise) {
  const auto text = read_if_there(path + ".pub");
  if (text && !*text) {
    [[maybe_unused]] const auto written = write_public_half(path, key, otherwise);  // for others
  }
  const auto line = text && *text ? parse_adb_public_key_line(**text) : Result<AdbPublicKeyLine>();
  const bool ours = line && key.public_text(line->comment) == encode_adb_public_key_line(*line);
  return ours && !line->comment.empty() ? line->comment : otherwise;
}

std::vector<std::string> key_files_of(const std::string& path) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return {path};
  std::vector<std::string> files;
  for (fs::directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
    if (at->path().extension() == ".adb_key") files.push_back(at->path().string());
  }
  std::ranges::sort(files);
  return files;
}

std::vector<std::string> vendor_key_files(const GetEnvironment& environment) {
  const std::string list = value_of(environment, "ADB_VENDOR_KEYS");
  std::vector<std::string> files;
  for (const auto part : list | std::views::split(':')) {
    const std::string path(part.begin(), part.end());
    if (!path.empty()) std::ranges::move(key_files_of(path), std::back_inserter(files));
  }
  return files;
}

void add_vendor_keys(KeyRing& ring, const GetEnvironment& environment) {
  std::set<std::string> known;
  for (const RsaKey& key : ring.keys) known.insert(key.fingerprint());
  for (const std::string& path : vendor_key_files(environment)) {
    if (ring.keys.size() >= kMaxKeys) return;
    const auto text = read_if_there(path);
    if (!text || !*text) continue;
    auto key = parse_key(path, **text);
    if (!key || !known.insert(key->fingerprint()).second) continue;
    ring.keys.push_back(*std::move(key));
    ring.files.push_back(path);
  }
}

std::unexpected<Error> unusable(const Error& why) {
  return fail(errc::adb_keys_unusable, why.message());
}

}  // namespace

std::string key_comment(const GetEnvironment& environment) {
  std::string user = value_of(environment, "LOGNAME");
  if (user.empty()) user = value_of(environment, "USER");
  std::string host = value_of(environment, "HOSTNAME");
  char name[256] = {};
  if (host.empty() && ::gethostname(name, sizeof name - 1) == 0) host = name;
  return (user.empty() ? "unknown" : user) + "@" + (host.empty() ? "unknown" : host);
}

Result<KeyRing> load_keys(const GetEnvironment& environment) {
  KeyRing ring;
  ring.comment = key_comment(environment);
  const auto folder = android_folder(environment);
  if (!folder) return unusable(folder.error());
  const std::string path = *folder + "/adbkey";
  auto key = user_key(path, ring.comment);
  if (key) {
    ring.comment = comment_beside(path, *key, ring.comment);
    ring.keys.push_back(*key);
    ring.files.push_back(path);
  }
  // A user key that cannot be created is no error if there are other keys.
  if (!key && key.error().code() != errc::file_write_failed) return unusable(key.error());
  add_vendor_keys(ring, environment);
  if (ring.keys.empty()) return unusable(key.error());
  return ring;
}

UserKeyState read_user_key_state(const GetEnvironment& environment) {
  UserKeyState state;
  const auto home = home_folder(environment);
  if (!home) {
    state.problem = home.error();
    return state;
  }
  const std::string folder = *home + "/.android";
  state.path = folder + "/adbkey";
  const auto text = read_if_there(state.path);
  state.is_there = !text || *text;
  if (!text) {
    state.problem = text.error();
  } else if (*text) {
    const auto key = parse_key(state.path, **text);
    if (key) state.fingerprint = key->fingerprint();
    if (!key) state.problem = key.error();
  } else {
    const bool has_folder = ::access(folder.c_str(), F_OK) == 0;
    const std::string& parent = has_folder ? folder : *home;
    if (::access(parent.c_str(), W_OK) != 0) {
      state.problem = cannot("write", parent, errc::file_write_failed).error();
    }
  }
  return state;
}

Result<void> write_new_key(const std::string& path, const std::string& comment) {
  TRY(const Written written, make_key(path, comment));
  if (written == Written::was_there) return fail(errc::file_write_failed, path + " exists already");
  return ok();
}

}  // namespace adbproto
