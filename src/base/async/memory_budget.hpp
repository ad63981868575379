#pragma once
// The memory that peers make one process hold: pictures, trees, answers that are read slowly. One
// budget for everything on one event loop, without a limit until one is set.
//
//   MemoryShare share(executor);
//   CO_TRY_VOID(share.take(size));   // before it is allocated, where "no" is an answer
//   share.count(text.size());        // of what is there already

#include <asio/any_io_executor.hpp>
#include <asio/execution_context.hpp>
#include <limits>

#include "base/error.hpp"

namespace base {

class MemoryBudget final : public asio::execution_context::service {
 public:
  static inline asio::execution_context::id id;

  explicit MemoryBudget(asio::execution_context& owner) : service(owner) {}
  static MemoryBudget& of(const asio::any_io_executor& executor);

  // For a long-lived process that serves others.
  static constexpr std::size_t kServerLimit = std::size_t{512} << 20;
  void set_limit(std::size_t bytes) { limit_ = bytes; }
  [[nodiscard]] std::size_t held() const { return held_; }
  // errc::limit once the limit is reached: no new work should begin.
  [[nodiscard]] Result<void> check() const;

 private:
  friend class MemoryShare;

  void shutdown() override {}

  std::size_t limit_ = std::numeric_limits<std::size_t>::max();
  std::size_t held_ = 0;
};

// The memory of one owner; it is freed when this object is destroyed. Use it on the loop's thread,
// and no longer than the loop.
class MemoryShare {
 public:
  MemoryShare() = default;  // of nothing
  explicit MemoryShare(const asio::any_io_executor& executor)
      : budget_(&MemoryBudget::of(executor)) {}
  MemoryShare(MemoryShare&& other) noexcept;
  MemoryShare& operator=(MemoryShare&& other) noexcept;
  MemoryShare(const MemoryShare&) = delete;
  MemoryShare& operator=(const MemoryShare&) = delete;
  ~MemoryShare() { give_back(); }

  // Sets the held memory to `bytes`. errc::limit, and no change, if more is not available.
  Result<void> take(std::size_t bytes);
  // The same, but it never fails.
  void count(std::size_t bytes);

 private:
  void give_back();

  MemoryBudget* budget_ = nullptr;
  std::size_t held_ = 0;
};

}  // namespace base
