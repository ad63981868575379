#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "cli/adb/adb_command.hpp"
#include "cli/output.hpp"

namespace clawperator::cli {
namespace {

// The shell's idea of a process that wrote to a pipe nobody reads.
[[noreturn]] void die_of_closed_pipe() {
  std::signal(SIGPIPE, SIG_DFL);
  std::raise(SIGPIPE);
  std::_Exit(128 + SIGPIPE);
}

}  // namespace

void print_out(std::string_view text) {
  if (!write_all(Stream::out, text)) {
    if (errno == EPIPE) die_of_closed_pipe();
    print_err("adb: cannot write to stdout\n");
    std::_Exit(1);
  }
}

void print_err(std::string_view text) { write_all(Stream::err, text); }

}  // namespace clawperator::cli
