#pragma once
// A link in memory whose bytes are changed on the way, and which the fuzz target can cut.

#include <algorithm>
#include <asio/co_spawn.hpp>
#include <asio/io_context.hpp>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <utility>

#include "base/async/task.hpp"
#include "base/clock.hpp"
#include "simdroid/memory_stream.hpp"

namespace adbproto::fuzz {

// One end. Two bytes of the script say how many read bytes to leave alone, one what to flip in the
// next; no read gives more than `piece` bytes.
class TamperedEnd final : public ByteStream {
 public:
  TamperedEnd(std::shared_ptr<ByteStream> inner, ByteView script, std::size_t piece)
      : inner_(std::move(inner)), script_(script), piece_(piece) {}
  TamperedEnd(const TamperedEnd&) = delete;
  TamperedEnd& operator=(const TamperedEnd&) = delete;
  ~TamperedEnd() override { inner_->close(); }

  Task<std::size_t> read_some(std::span<std::byte> into) override {
    CO_TRY(const std::size_t size,
           co_await inner_->read_some(into.first(std::min(into.size(), piece_))));
    for (std::size_t i = 0; i < size; ++i) {
      if (left_ > 0) {
        --left_;
      } else if (script_.size() >= 3) {
        into[i] ^= script_[2];
        left_ = load_le<std::uint16_t>(script_.data()) % 2048u;
        script_ = script_.subspan(3);
      }
    }
    co_return size;
  }
  Task<void> write_all(ByteView bytes) override { return inner_->write_all(bytes); }
  void close() override { inner_->close(); }

 private:
  std::shared_ptr<ByteStream> inner_;
  ByteView script_;
  std::size_t piece_;
  std::size_t left_ = 0;
};

inline constexpr std::size_t kAnyPiece = 1 << 20;

// Two sides at work on one link, in time that is moved by hand.
class Conversation {
 public:
  Conversation() {
    Clock::manual_now = std::chrono::nanoseconds(std::chrono::hours(1)).count();
    auto ends = make_memory_pair(context_.get_executor(), 1 << 20);
    ours_ = std::move(ends.first);
    theirs_ = std::move(ends.second);
  }
  ~Conversation() { Clock::manual_now = -1; }
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;

  ByteStreamPtr ours(ByteView script = {}, std::size_t piece = kAnyPiece) {
    return std::make_unique<TamperedEnd>(ours_, script, piece);
  }
  ByteStreamPtr theirs(ByteView script = {}, std::size_t piece = kAnyPiece) {
    return std::make_unique<TamperedEnd>(theirs_, script, piece);
  }
  void start(asio::awaitable<void> side) {
    asio::co_spawn(context_, std::move(side), [](const std::exception_ptr& thrown) {
      if (thrown) std::abort();
    });
  }
  // As far as they come; both sides must end soon after the link does: a host may wait a little for
  // its farewell to be out.
  void run() {
    settle();
    ours_->close();
    theirs_->close();
    bool over = settle();
    for (auto moved = kStep; moved <= kSoon && !over; moved += kStep) {
      Clock::manual_now += Clock::duration(kStep).count();
      over = settle();
    }
    if (!over) std::abort();
  }

 private:
  static constexpr std::chrono::milliseconds kSoon{1000};
  static constexpr std::chrono::milliseconds kStep{100};

  // Runs what is ready; true when nothing is left to wait for.
  bool settle() {
    do {
      // One timer that has expired makes the loop look at all of them.
      Timer look(context_, Clock::time_point::min());
      look.async_wait([](const asio::error_code&) {});
      if (context_.stopped()) context_.restart();
    } while (context_.poll() > 1);
    return context_.stopped();
  }

  asio::io_context context_{1};
  std::shared_ptr<ByteStream> ours_;
  std::shared_ptr<ByteStream> theirs_;
};

inline asio::awaitable<void> say(ByteStreamPtr link, ByteView bytes) {
  (void)co_await link->write_all(bytes);
}

}  // namespace adbproto::fuzz
