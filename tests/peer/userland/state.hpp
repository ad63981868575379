#pragma once
// The stub phone's state: files in the folder PHONE_STATE.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Arguments = std::vector<std::string>;

std::string state_path(const std::string& name) {
  const char* state = std::getenv("PHONE_STATE");
  return std::string(state != nullptr ? state : "/tmp") + "/" + name;
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

off_t size_of(int fd) {
  struct stat status{};
  return ::fstat(fd, &status) == 0 ? status.st_size : 0;
}

std::string read_state(const std::string& name) {
  std::string text;
  const int fd = ::open(state_path(name).c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return text;
  text.resize(static_cast<std::size_t>(size_of(fd)));
  std::size_t filled = 0;
  while (filled < text.size()) {
    const ssize_t got = ::read(fd, text.data() + filled, text.size() - filled);
    if (got <= 0) break;
    filled += static_cast<std::size_t>(got);
  }
  ::close(fd);
  text.resize(filled);
  return text;
}

int print(std::string_view text) { return write_all(STDOUT_FILENO, text) ? 0 : 1; }

// A line at the end of a file; O_APPEND keeps lines of several processes whole.
void append_state(const std::string& name, const std::string& line) {
  const int fd = ::open(state_path(name).c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  write_all(fd, line + "\n");
  ::close(fd);
}

}  // namespace
