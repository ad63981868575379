#pragma once
// Connects a service's stream with the standard streams of its process.
//
//   stream --[shell v2 frames]--[terminal: echo, CR->LF, ^C ^D]--> pipe --> stdin
//   stream <--[shell v2 frames]--[terminal: LF->CRLF]------------- stdout, stderr

#include <memory>

#include "base/async/signal.hpp"
#include "simdroid/userland/io.hpp"

namespace simdroid {

struct ShellMode {
  bool framed = false;    // shell protocol v2
  bool terminal = false;  // a cooked terminal
};

class ShellStreams {
 public:
  ShellStreams(asio::any_io_executor executor, std::shared_ptr<ByteStream> stream, ShellMode mode);

  [[nodiscard]] const Io& io() const { return io_; }
  // Raised by ^C on a terminal.
  Signal& interrupted() { return interrupted_; }

  // Moves the host's input into stdin; returns when the host closes the stream.
  asio::awaitable<void> feed();
  // Sends the exit packet, if the protocol has one.
  asio::awaitable<void> finish(int status);

 private:
  Task<void> take(ByteView bytes);
  Task<void> type(ByteView bytes);

  asio::any_io_executor executor_;
  std::shared_ptr<ByteStream> stream_;
  ShellMode mode_;
  StreamPtr stdin_;  // the writing end of the pipe whose reading end is io_.in
  Io io_;
  Signal interrupted_;
  std::string line_;  // typed, not yet entered
};

}  // namespace simdroid
