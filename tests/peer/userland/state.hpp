#pragma once
// The stub phone's state: files in the folder PHONE_STATE.
//
//   sdk           the API level, 34 without it; decides what the programs know, as on Android
//   users         a line "NUMBER" or "NUMBER forbidden" (shell may not touch it) a user; without it
//   only 0 current_user  the user in front, 0 without it

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>
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

bool has_state(const std::string& name) { return ::access(state_path(name).c_str(), F_OK) == 0; }

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

// On stderr; the status that the program ends with.
int complain(std::string_view text, int status) {
  write_all(STDERR_FILENO, text);
  return status;
}

// What a system service throws reaches the shell as this text and status 255.
int throw_to_shell(const std::string& verb, const std::string& exception) {
  return complain("\nException occurred while executing '" + verb + "':\n" + exception +
                      "\n\tat android.os.Parcel.createExceptionOrNull(Parcel.java:3057)\n",
                  255);
}

// A line at the end of a file; O_APPEND keeps lines of several processes whole.
void append_state(const std::string& name, const std::string& line) {
  const int fd = ::open(state_path(name).c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  write_all(fd, line + "\n");
  ::close(fd);
}

// No reader ever sees half of it.
bool replace_state(const std::string& name, std::string_view text) {
  const std::string beside = state_path(name + "." + std::to_string(::getpid()));
  const int fd = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  const bool done = write_all(fd, text);
  ::close(fd);
  return done && ::rename(beside.c_str(), state_path(name).c_str()) == 0;
}

std::string joined(const Arguments& arguments) {
  std::string line;
  for (const std::string& argument : arguments) line += argument + " ";
  return line;
}

int sdk() {
  const std::string text = read_state("sdk");
  return text.empty() ? 34 : std::atoi(text.c_str());
}

struct User {
  int number = 0;
  bool forbidden = false;
};

std::vector<User> users() {
  std::vector<User> found;
  std::istringstream lines(read_state("users"));
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) found.push_back({std::atoi(line.c_str()), line.ends_with(" forbidden")});
  }
  return found.empty() ? std::vector<User>{{}} : found;
}

int current_user() { return std::atoi(read_state("current_user").c_str()); }

bool is_forbidden(int user) {
  for (const User& each : users()) {
    if (each.number == user) return each.forbidden;
  }
  return false;
}

// Takes `--user N` out, wherever it is; without it, or with `current`, the user in front.
int take_user(Arguments& arguments) {
  for (std::size_t i = 0; i + 1 < arguments.size(); ++i) {
    if (arguments[i] != "--user") continue;
    const std::string named = arguments[i + 1];
    const auto at = arguments.begin() + static_cast<std::ptrdiff_t>(i);
    arguments.erase(at, at + 2);
    return named == "current" || named == "cur" ? current_user() : std::atoi(named.c_str());
  }
  return current_user();
}

int forbid(const std::string& verb, int user) {
  return throw_to_shell(
      verb, "java.lang.SecurityException: Shell does not have permission to access user " +
                std::to_string(user));
}

}  // namespace
