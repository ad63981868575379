#include "cli/output.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>

#include "base/bytes.hpp"
#include "base/error_members.hpp"
#include "base/json_document.hpp"
#include "cli/pretty/pretty_printer.hpp"
#include "cli/run_task.hpp"

namespace clawperator::cli {
namespace {

void wait_writable(int fd) {
  pollfd waiting{fd, POLLOUT, 0};
  poll(&waiting, 1, -1);
}

bool is_terminal(Stream stream) { return ::isatty(static_cast<int>(stream)) == 1; }

// A closed pipe is the reader's choice and needs no message; other failures get one.
int write_failed() {
  const int reason = errno;
  if (reason != EPIPE) {
    print_warning(std::string("cannot write to stdout: ") + std::strerror(reason));
  }
  return 1;
}

}  // namespace

bool write_all(Stream stream, std::string_view bytes) {
  const int fd = static_cast<int>(stream);
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      wait_writable(fd);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

bool write_patiently(Stream stream, std::string_view bytes, std::chrono::milliseconds patience) {
  constexpr std::size_t kNeverBlocks = PIPE_BUF;  // poll reports room for this many bytes
  while (!bytes.empty()) {
    pollfd waiting{static_cast<int>(stream), POLLOUT, 0};
    if (::poll(&waiting, 1, static_cast<int>(patience.count())) <= 0) return false;
    const std::string_view part = bytes.substr(0, kNeverBlocks);
    if (!write_all(stream, part)) return false;
    bytes.remove_prefix(part.size());
  }
  return true;
}

std::string line_for(Stream stream, std::string line) {
  return is_terminal(stream) ? printable_name(std::move(line)) : line;
}

std::string text_for(Stream stream, std::string_view text) {
  if (!is_terminal(stream)) return std::string(text);
  std::string shown;
  while (!text.empty()) {  // an emulator's console ends its lines like this
    const std::size_t end = std::min(text.find("\r\n"), text.size());
    shown += printable(text.substr(0, end));
    if (end < text.size()) shown += "\r\n";
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  return shown;
}

void print_warning(std::string_view text) {
  write_all(Stream::err, printable(text) + (text.ends_with('\n') ? "" : "\n"));
}

int print_answer(Answer answer, OutputMode mode) {
  if (answer.json.empty() && answer.text.empty())
    return answer.exit_code;  // the command has already printed everything
  std::string text = std::move(answer.text);
  if (mode != OutputMode::pretty && !answer.json.empty()) text = std::move(answer.json);
  if (text.empty()) text = indent_json(answer.json);
  if (mode == OutputMode::pretty) text = printable(text);
  if (!text.ends_with('\n')) text += '\n';
  if (!write_all(Stream::out, as_text(answer.picture))) return write_failed();
  const Stream stream = answer.document_to_stderr ? Stream::err : Stream::out;
  if (!write_all(stream, text) && stream == Stream::out) return write_failed();
  return answer.exit_code;
}

int print_error(const Error& error, OutputMode mode, Stream stream) {
  std::string text =
      mode == OutputMode::pretty ? printable(error_for_people(error)) : to_json(error);
  if (!text.ends_with('\n')) text += '\n';
  const int code = error.code()->exit_code;
  // After a signal the process must end, even if the reader takes nothing.
  constexpr std::chrono::milliseconds kAfterSignal{1000};
  if (caught_signal() != 0) return write_patiently(stream, text, kAfterSignal) ? code : 1;
  if (!write_all(stream, text) && stream == Stream::out) return write_failed();
  return code;
}

}  // namespace clawperator::cli
