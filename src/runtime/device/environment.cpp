#include "runtime/device/environment.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "adbproto/client/local_files.hpp"
#include "adbproto/link/blocking.hpp"
#include "adbproto/link/output_descriptor.hpp"
#include "base/file_handle.hpp"
#include "base/files.hpp"

namespace clawperator {

namespace fs = std::filesystem;

namespace {

std::string system_text() { return std::strerror(errno); }

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

fs::path temp_folder() {
  std::error_code absent;
  const fs::path folder = fs::temp_directory_path(absent);
  return absent ? fs::path("/tmp") : folder;
}

namespace {

// A pipe whose reader stalls must not hang us, nor whoever else is on the loop.
Task<void> write_to_device(fs::path path, ByteView bytes) {
  constexpr auto kPatience = std::chrono::seconds(30);
  const auto failure = [&](const std::string& why) {
    return fail(errc::io, "cannot write " + path.string() + ": " + why);
  };
  const FileHandle file(::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
  if (!file.is_open()) co_return failure(system_text());
  const auto wait = [](int descriptor) -> Task<void> {
    co_await adbproto::await_writable(descriptor);
    co_return ok();
  };
  while (!bytes.empty()) {
    const auto written = adbproto::write_now(file.get(), bytes);
    if (!written) co_return failure(written.error().message());
    bytes = bytes.subspan(*written);
    if (*written != 0) continue;
    const auto waited = co_await with_deadline(wait(file.get()), kPatience, "");
    if (waited) continue;
    if (waited.error().code() != errc::deadline_exceeded) co_return waited;
    co_return fail(errc::io, "nobody reads " + path.string());
  }
  co_return ok();
}

}  // namespace

Task<void> write_output(fs::path path, std::string_view bytes) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    co_return co_await write_to_device(path, as_bytes(bytes));
  }
  const fs::path target = fs::exists(status) ? fs::canonical(path, error) : path;
  co_return co_await adbproto::run_blocking([&] {
    return write_file_atomically(error && fs::exists(status) ? path : target, bytes,
                                 ParentFolder::required);
  });
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
