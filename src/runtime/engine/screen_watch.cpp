#include "runtime/engine/screen_watch.hpp"

#include "base/async/signal.hpp"
#include "base/async/task.hpp"
#include "runtime/engine/screenshot.hpp"

namespace clawperator {
namespace {

// A capture takes the phone's processor; between two captures its apps draw.
constexpr std::chrono::milliseconds kPauseBetween{50};

}  // namespace

asio::awaitable<std::optional<FrameTiles>> ScreenWatch::look() {
  auto tiles = co_await capture_tiles(device_, &several_displays_);
  if (!tiles) co_return std::nullopt;
  co_return *std::move(tiles);
}

asio::awaitable<void> ScreenWatch::look_before() { before_ = co_await look(); }

// A stretch is measured between the beginnings of its captures, so that it is never reported longer
// than it was.
asio::awaitable<std::optional<FrameTiles>> ScreenWatch::look_until_still(PictureProof* proof) {
  const auto end = adbproto::Clock::now() + wanted_.limit();
  auto since = adbproto::Clock::now();
  auto last = co_await look();
  while (last && !last->black) {
    if (adbproto::Clock::now() >= end) break;
    co_await adbproto::sleep_for(kPauseBetween);
    const auto start = adbproto::Clock::now();
    auto now = co_await look();
    const bool same = now == last;
    last = std::move(now);
    if (!same) since = start;
    if (same && start - since >= wanted_.still) {
      proof->settled = true;
      co_return last;
    }
  }
  if (last && !last->black) proof->settled = false;
  co_return last;
}

// The action stays done: a cancellation here returns what is known, without proof.
asio::awaitable<PictureProof> ScreenWatch::look_after() {
  PictureProof proof;
  try {
    proof = co_await prove();
  } catch (const std::exception&) {  // a cancellation arrives as one, and so does a missing picture
    proof = {};
  }
  if (adbproto::is_cancelled(co_await asio::this_coro::cancellation_state)) {
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  }
  co_return proof;
}

asio::awaitable<PictureProof> ScreenWatch::prove() {
  PictureProof proof;
  std::optional<FrameTiles> after;
  if (wanted_.settles()) {
    after = co_await look_until_still(&proof);
  } else if (before_) {
    co_await adbproto::sleep_for(wanted_.still);
    after = co_await look();
  }
  const bool shows_nothing = before_ && after && before_->black && after->black;
  if (before_ && after && !shows_nothing) proof.changed = before_ != after;
  co_return proof;
}

}  // namespace clawperator
