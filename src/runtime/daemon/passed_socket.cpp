#include "runtime/daemon/passed_socket.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "base/number.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/device/environment.hpp"

namespace clawperator::daemon {
namespace {

constexpr int kFirst = 3;  // SD_LISTEN_FDS_START

// -1 where it is no socket.
int option_of(int socket, int option) {
  int value = -1;
  socklen_t size = sizeof value;
  return ::getsockopt(socket, SOL_SOCKET, option, &value, &size) == 0 ? value : -1;
}

bool listens_as_unix_stream(int socket) {
  return option_of(socket, SO_DOMAIN) == AF_UNIX && option_of(socket, SO_TYPE) == SOCK_STREAM &&
         option_of(socket, SO_ACCEPTCONN) == 1;
}

}  // namespace

Result<std::optional<base::FileHandle>> take_passed_socket() {
  const auto pid = environment_variable("LISTEN_PID");
  const auto count = environment_variable("LISTEN_FDS");
  for (const char* name : {"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"}) ::unsetenv(name);
  const bool ours = pid && base::whole_number<pid_t>(*pid) == ::getpid();
  if (!ours || !count || *count == "0") return std::nullopt;
  if (*count != "1") {
    return fail(errc::serve_failed, "LISTEN_FDS is " + *count + ": the daemon takes one socket");
  }
  if (!listens_as_unix_stream(kFirst)) {
    return fail(errc::serve_failed,
                "LISTEN_FDS: descriptor 3 is no unix stream socket that listens");
  }
  ::fcntl(kFirst, F_SETFD, FD_CLOEXEC);
  return base::FileHandle(kFirst);
}

std::string socket_name(const base::FileHandle& socket) {
  sockaddr_un address{};
  socklen_t size = sizeof address;
  if (::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0) return "";
  return {address.sun_path, ::strnlen(address.sun_path, sizeof address.sun_path)};
}

}  // namespace clawperator::daemon
