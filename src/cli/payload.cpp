#include "cli/payload.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/file_handle.hpp"
#include "base/text.hpp"
#include "cli/grammar/suggest.hpp"
#include "cli/json_probe.hpp"
#include "cli/target_argument.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/js_string.hpp"

namespace clawperator::cli {
namespace {

// Far above the 64000 bytes an execution may have, for white space and spelled-out escapes.
constexpr std::size_t kMaxPayloadText = std::size_t{4} << 20;

// As the reference words it: ENOENT: no such file or directory, open 'plan.json'
std::unexpected<Error> unreadable(int reason, std::string_view call) {
  std::string text = std::strerror(reason);
  if (!text.empty()) text[0] = lower_char(text[0]);
  const char* name = strerrorname_np(reason);
  return validation_error(
      "Failed to read execution file: " + std::string(name ? name : "EUNKNOWN") + ": " + text +
      ", " + std::string(call));
}

Result<std::string> read_to_end(int fd) {
  std::string text;
  std::array<char, 16384> piece;
  for (;;) {
    const ssize_t got = ::read(fd, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return unreadable(errno, "read");
    if (got == 0) return text;
    text.append(piece.data(), static_cast<std::size_t>(got));
    if (text.size() > kMaxPayloadText) {
      return fail(errc::payload_too_large, "Payload exceeds 64000 bytes (got more than " +
                                               std::to_string(kMaxPayloadText) + ")");
    }
  }
}

Result<std::string> checked_file(std::string text) {
  if (const std::string fault = json_fault(text); !fault.empty()) {
    return validation_error("Invalid JSON content in execution file: " + fault);
  }
  return text;
}

}  // namespace

Result<std::string> read_payload(std::string_view source) {
  const std::string_view trimmed = trim_js(source);
  if (trimmed == "-") {
    return read_to_end(STDIN_FILENO);
  }
  if (trimmed.starts_with('{')) return std::string(trimmed);
  const std::string path(trimmed);
  const FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0 && errno == ENOENT && trimmed.starts_with('[')) return std::string(trimmed);
  if (file.get() < 0) return unreadable(errno, "open '" + clipped(path) + "'");
  TRY(std::string text, read_to_end(file.get()));
  return checked_file(std::move(text));
}

}  // namespace clawperator::cli
