#include "base/async/memory_budget.hpp"

#include <asio/query.hpp>

namespace base {

MemoryBudget& MemoryBudget::of(const asio::any_io_executor& executor) {
  return asio::use_service<MemoryBudget>(asio::query(executor, asio::execution::context));
}

Result<void> MemoryBudget::check() const {
  if (held_ < limit_) return ok();
  return fail(errc::limit,
              "this process holds " + std::to_string(held_ >> 20U) +
                  " MiB of pictures, trees and answers already; try again when they are read");
}

MemoryShare::MemoryShare(MemoryShare&& other) noexcept
    : budget_(std::exchange(other.budget_, nullptr)), held_(std::exchange(other.held_, 0)) {}

MemoryShare& MemoryShare::operator=(MemoryShare&& other) noexcept {
  std::swap(budget_, other.budget_);
  std::swap(held_, other.held_);
  return *this;
}

Result<void> MemoryShare::take(std::size_t bytes) {
  if (budget_ && bytes > held_) {
    TRY_VOID(budget_->check());
    if (bytes - held_ > budget_->limit_ - budget_->held_) {
      return fail(errc::limit, "this process may not hold another " +
                                   std::to_string((bytes - held_) >> 20U) + " MiB now");
    }
  }
  count(bytes);
  return ok();
}

void MemoryShare::count(std::size_t bytes) {
  if (!budget_) return;
  budget_->held_ += bytes;
  budget_->held_ -= std::exchange(held_, bytes);
}

void MemoryShare::give_back() { count(0); }

}  // namespace base
