#include "runtime/device/environment.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <functional>

#include "adbproto/client/file_handle.hpp"

namespace clawperator {

using adbproto::Errc;
using adbproto::fail;
using adbproto::FileHandle;
using adbproto::Result;
namespace fs = std::filesystem;

namespace {

std::string system_text() { return std::strerror(errno); }

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

std::optional<std::string> environment_variable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return std::string(value);
}

fs::path state_folder() {
  const auto home = environment_variable("HOME");
  return home ? fs::path(*home) / ".clawperator" : fs::path();
}

fs::path cache_folder() {
  if (const auto cache = environment_variable("XDG_CACHE_HOME"))
    return fs::path(*cache) / "clawperator";
  const auto home = environment_variable("HOME");
  return home ? fs::path(*home) / ".cache" / "clawperator" : fs::path();
}

Result<fs::path> runtime_folder() {
  if (const auto runtime = environment_variable("XDG_RUNTIME_DIR")) {
    if (::access(runtime->c_str(), W_OK) == 0) return fs::path(*runtime);
  }
  std::error_code absent;
  fs::path folder = fs::temp_directory_path(absent);
  if (absent) folder = "/tmp";
  folder /= "clawperator-" + std::to_string(::getuid());
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    return fail(Errc::io, "cannot create " + folder.string() + ": " + system_text());
  }
  struct stat found{};
  const bool ours = ::lstat(folder.c_str(), &found) == 0 && S_ISDIR(found.st_mode) &&
                    found.st_uid == ::getuid() && (found.st_mode & 077) == 0;
  if (!ours) return fail(Errc::io, folder.string() + " is not a private folder of this user");
  return folder;
}

Result<std::string> read_file(const fs::path& path, std::size_t limit) {
  const FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return fail(Errc::io, "cannot read " + path.string() + ": " + system_text());
  std::string text;
  char chunk[16384];
  for (;;) {
    const ssize_t size = ::read(file.get(), chunk, sizeof chunk);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return fail(Errc::io, "cannot read " + path.string() + ": " + system_text());
    if (size == 0) return text;
    text.append(chunk, static_cast<std::size_t>(size));
    if (text.size() > limit) {
      return fail(Errc::limit,
                  path.string() + " is longer than " + std::to_string(limit) + " bytes");
    }
  }
}

Result<void> write_file_atomically(const fs::path& path, std::string_view text,
                                   ParentFolder parent) {
  std::error_code ignored;
  if (parent == ParentFolder::created) fs::create_directories(path.parent_path(), ignored);
  const std::string draft = path.string() + "." + std::to_string(::getpid()) + ".part";
  const auto give_up = [&](const char* verb) {
    const std::string why = system_text();
    ::unlink(draft.c_str());
    return fail(Errc::io, std::string("cannot ") + verb + " " + path.string() + ": " + why);
  };
  const FileHandle file(::open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!file.is_open()) return give_up("create");
  if (!write_all(file.get(), text)) return give_up("write");
  if (::rename(draft.c_str(), path.c_str()) != 0) return give_up("replace");
  return adbproto::ok();
}

namespace {

// A pipe whose reader stalls must not hang us.
Result<void> write_to_device(const fs::path& path, std::string_view bytes) {
  constexpr int kPatienceMs = 30'000;
  const auto give_up = [&] {
    return fail(Errc::io, "cannot write " + path.string() + ": " + system_text());
  };
  const FileHandle file(::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
  if (!file.is_open()) return give_up();
  while (!bytes.empty()) {
    const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
    if (written >= 0 || errno == EINTR) continue;
    if (errno != EAGAIN) return give_up();
    pollfd ready{file.get(), POLLOUT, 0};
    if (::poll(&ready, 1, kPatienceMs) == 0) {
      return fail(Errc::io, "nobody reads " + path.string());
    }
  }
  return adbproto::ok();
}

}  // namespace

Result<void> write_output(const fs::path& path, std::string_view bytes) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) return write_to_device(path, bytes);
  const fs::path target = fs::exists(status) ? fs::canonical(path, error) : path;
  return write_file_atomically(error && fs::exists(status) ? path : target, bytes,
                               ParentFolder::required);
}

std::string file_name_of(std::string_view text) {
  constexpr std::size_t kLongest = 100;
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
  std::string name(text.substr(0, kLongest));
  bool changed = name.size() != text.size() || name.empty() || name.front() == '.';
  for (char& c : name) {
    if (kPlain.find(c) != std::string_view::npos) continue;
    c = '_';
    changed = true;
  }
  if (!changed) return name;
  // Two texts must not share a name.
  return "_" + name + "-" + std::to_string(std::hash<std::string_view>{}(text));
}

}  // namespace clawperator
