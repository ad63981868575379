#include "base/system/output_file.hpp"

#include <fcntl.h>

#include <cerrno>
#include <cstring>

#include "base/async/blocking.hpp"
#include "base/async/output_descriptor.hpp"
#include "base/file_handle.hpp"
#include "base/files.hpp"

namespace base {

namespace fs = std::filesystem;

namespace {

// A pipe with a slow reader must not block the program or another task of its loop.
Task<void> write_to_device(fs::path path, ByteView bytes) {
  // The stall limit of a push; a pipe that is not read must not block the device's turn.
  constexpr auto kReaderLimit = std::chrono::seconds(30);
  const auto failure = [&](const std::string& why) {
    return fail(errc::io, "cannot write " + path.string() + ": " + why);
  };
  const FileHandle file(::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
  if (!file.is_open()) co_return failure(std::string(std::strerror(errno)));
  const auto wait = [](int descriptor) -> Task<void> {
    co_await await_writable(descriptor);
    co_return ok();
  };
  while (!bytes.empty()) {
    const auto written = write_now(file.get(), bytes);
    if (!written) co_return failure(written.error().message());
    bytes = bytes.subspan(*written);
    if (*written != 0) continue;
    const auto waited = co_await with_deadline(wait(file.get()), kReaderLimit, "");
    if (waited) continue;
    if (waited.error().code() != errc::deadline_exceeded) co_return waited;
    co_return fail(errc::io, path.string() + " has no reader");
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
  co_return co_await run_blocking([&] {
    return write_file_atomically(error && fs::exists(status) ? path : target, bytes,
                                 ParentFolder::required);
  });
}

}  // namespace base
