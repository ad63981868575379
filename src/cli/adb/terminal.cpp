#include "cli/adb/terminal.hpp"

#include <sys/ioctl.h>
#include <termios.h>

#include <array>
#include <atomic>
#include <csignal>

namespace clawperator::cli {
namespace {

// Signals that nobody else handles and that would leave the terminal raw.
constexpr std::array kEndings = {SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE};

// Written by the one RawTerminal before and after its signals are handled; read by the handler.
std::atomic<int> raw_fd = -1;
termios cooked;
std::array<struct sigaction, kEndings.size()> earlier;

void restore() {
  const int fd = raw_fd.exchange(-1);
  if (fd >= 0) ::tcsetattr(fd, TCSAFLUSH, &cooked);
}

// The signal does its work once the handler has returned.
void on_ending(int signal) {
  restore();
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

termios raw_of(termios mode) {
  ::cfmakeraw(&mode);
  mode.c_cc[VMIN] = 1;
  mode.c_cc[VTIME] = 0;
  return mode;
}

}  // namespace

std::optional<adbproto::WindowSize> window_size(int fd) {
  winsize size{};
  if (::ioctl(fd, TIOCGWINSZ, &size) != 0) return std::nullopt;
  return adbproto::WindowSize{size.ws_row, size.ws_col, size.ws_xpixel, size.ws_ypixel};
}

RawTerminal::RawTerminal(int fd) {
  if (::tcgetattr(fd, &cooked) != 0) return;
  struct sigaction action{};
  action.sa_handler = on_ending;
  raw_fd = fd;
  for (std::size_t i = 0; i < kEndings.size(); ++i) ::sigaction(kEndings[i], &action, &earlier[i]);
  const termios raw = raw_of(cooked);
  if (::tcsetattr(fd, TCSAFLUSH, &raw) != 0) restore();
}

RawTerminal::~RawTerminal() {
  if (raw_fd < 0) return;
  restore();
  for (std::size_t i = 0; i < kEndings.size(); ++i) ::sigaction(kEndings[i], &earlier[i], nullptr);
}

}  // namespace clawperator::cli
