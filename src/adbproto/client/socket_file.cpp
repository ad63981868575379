#include "adbproto/client/socket_file.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace adbproto {
namespace {

bool is_socket(const struct stat& file) { return S_ISSOCK(file.st_mode); }

// 0 when somebody answers, ECONNREFUSED when nobody ever will.
int knock(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return ENAMETOOLONG;
  std::ranges::copy(path, address.sun_path);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (socket < 0) return errno;
  const int connected =
      ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  const int why = connected == 0 ? 0 : errno;
  ::close(socket);
  return why;
}

}  // namespace

Result<ListenerPtr> listen_on_file(const asio::any_io_executor& executor, const std::string& path) {
  auto listener = listen_unix(executor, path);
  struct stat found{};
  if (listener || ::lstat(path.c_str(), &found) != 0 || !is_socket(found)) return listener;
  const int why = knock(path);
  const bool is_full = why == EAGAIN;  // too many others are knocking
  if (why == 0 || is_full) return fail(errc::io, std::strerror(EADDRINUSE));
  if (why != ECONNREFUSED) return listener;
  ::unlink(path.c_str());
  return listen_unix(executor, path);
}

SocketFile::SocketFile(std::string path) : path_(std::move(path)) {
  if (::lstat(path_.c_str(), &ours_) != 0) ours_ = {};
}

SocketFile::~SocketFile() {
  struct stat found{};
  if (!is_socket(ours_) || ::lstat(path_.c_str(), &found) != 0) return;
  if (found.st_dev == ours_.st_dev && found.st_ino == ours_.st_ino) ::unlink(path_.c_str());
}

}  // namespace adbproto
