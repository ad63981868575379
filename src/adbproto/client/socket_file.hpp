#pragma once
// A listening socket in the file system. The file of a listener that is gone is replaced; anything
// else in the way stays, and so does what stands under the name when we leave.

#include <sys/stat.h>

#include <string>

#include "adbproto/link/socket_stream.hpp"

namespace adbproto {

// Listens as listen_unix does; io "Address already in use" where somebody answers.
Result<ListenerPtr> listen_on_file(const asio::any_io_executor& executor, const std::string& path);

// Takes the file away at its end if it still is the one that was there at the beginning. To be
// destroyed before the listener: until that is closed, no other file can have this inode.
class SocketFile {
 public:
  explicit SocketFile(std::string path);
  ~SocketFile();
  SocketFile(const SocketFile&) = delete;
  SocketFile& operator=(const SocketFile&) = delete;

 private:
  std::string path_;
  struct stat ours_{};
};

}  // namespace adbproto
