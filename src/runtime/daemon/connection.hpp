#pragma once
// One connection of the daemon server, while its execution runs: what the command hears and says
// meanwhile.

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

  // Sends it when those before are sent. Whoever reads too slowly for 64 MiB is given up.
  void send(FrameKind kind, std::string_view payload);
  // Until everything that was said is sent.
  Task<void> flush();
  // Whether `begun` was said: something may have changed on the device.
  [[nodiscard]] bool has_begun() const { return begun_; }
  // Has the command write a file.
  Task<void> save(std::filesystem::path path, std::string_view bytes);

  // Sends until it is told to finish, or cannot.
  asio::awaitable<void> write();
  void finish();
  // Hears until the command cancels, or is gone.
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
  std::optional<std::string> saved_;  // the command's word for a file
  adbproto::Signal changed_;
};

}  // namespace clawperator::daemon
