#pragma once
// Posts from other threads to an event loop that may end before them.

#include <asio/any_io_executor.hpp>
#include <asio/execution_context.hpp>
#include <asio/post.hpp>
#include <mutex>

#include "base/prelude.hpp"

namespace base {

// An event loop for threads that may outlive it: they post to it through a LoopPoster, which the
// loop closes at its end.
class LoopPoster {
 public:
  explicit LoopPoster(asio::any_io_executor executor) : executor_(std::move(executor)) {}
  // Drops the function once the loop has ended.
  template <class Function>
  void post(Function function) {
    const std::lock_guard lock(mutex_);
    if (is_open_) asio::post(executor_, std::move(function));
  }
  void close() {
    const std::lock_guard lock(mutex_);
    is_open_ = false;
  }

 private:
  std::mutex mutex_;
  bool is_open_ = true;
  asio::any_io_executor executor_;
};

// Holds the loop's one LoopPoster: Asio notifies a service when its loop ends.
class LoopPosterService final : public asio::execution_context::service {
 public:
  static inline asio::execution_context::id id;

  explicit LoopPosterService(asio::execution_context& owner) : service(owner) {}

  static std::shared_ptr<LoopPoster> of(const asio::any_io_executor& executor) {
    auto& own =
        asio::use_service<LoopPosterService>(asio::query(executor, asio::execution::context));
    if (!own.poster_) own.poster_ = std::make_shared<LoopPoster>(executor);
    return own.poster_;
  }

 private:
  void shutdown() override {
    if (poster_) poster_->close();
  }
  std::shared_ptr<LoopPoster> poster_;
};

}  // namespace base
