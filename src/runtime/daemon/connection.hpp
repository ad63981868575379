#pragma once
// One connection of the daemon server, while its execution runs.

#include <deque>
#include <filesystem>

#include "base/async/byte_stream.hpp"
#include "base/async/memory_budget.hpp"
#include "base/async/signal.hpp"
#include "runtime/daemon/frame.hpp"

namespace clawperator::daemon {

// The next frame; errc::closed at the end of the stream.
Task<Frame> read_frame(ByteStream* stream, FrameReader* frames);

class Connection {
 public:
  Connection(const asio::any_io_executor& executor, ByteStream* stream, FrameReader* frames)
      : stream_(stream), frames_(frames), memory_(executor), changed_(executor) {}

  // Queues a frame; frames are sent in order. A peer that reads too slowly for 64 MiB is
  // disconnected.
  void send(FrameKind kind, std::string_view payload);
  // Waits until every queued frame is sent.
  Task<void> flush();
  // Whether `begun` was queued: from then on the device may have changed.
  [[nodiscard]] bool has_begun() const { return begun_; }
  // Sends a file to the command, and waits until it has written the file.
  Task<void> save(std::filesystem::path path, std::string_view bytes);

  // Sends queued frames until finish() is called or the connection fails.
  asio::awaitable<void> write();
  void finish();
  // Reads until the command cancels or disconnects.
  asio::awaitable<void> read_until_cancel();

 private:
  // A command that does not read must not fill memory; the outcome itself is exempt.
  static constexpr std::size_t kMaxUnsent = std::size_t{64} << 20;

  void give_up();

  ByteStream* stream_;
  FrameReader* frames_;
  std::deque<std::string> unsent_;
  std::size_t unsent_bytes_ = 0;
  adbproto::MemoryShare memory_;
  bool finishing_ = false;
  bool broken_ = false;
  bool begun_ = false;
  std::optional<std::string> saved_;  // the command's reply about a file
  adbproto::Signal changed_;
};

}  // namespace clawperator::daemon
