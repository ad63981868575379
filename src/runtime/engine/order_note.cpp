#include "runtime/engine/order_note.hpp"

#include <asio/execution_context.hpp>

namespace clawperator {
namespace {

class OrderNote final : public asio::execution_context::service {
 public:
  static inline asio::execution_context::id id;

  explicit OrderNote(asio::execution_context& owner) : service(owner) {}
  bool has_left = false;

 private:
  void shutdown() override {}
};

}  // namespace

void note_order(const asio::any_io_executor& executor) {
  asio::use_service<OrderNote>(asio::query(executor, asio::execution::context)).has_left = true;
}

bool order_has_left(const asio::any_io_executor& executor) {
  auto& loop = asio::query(executor, asio::execution::context);
  return asio::has_service<OrderNote>(loop) && asio::use_service<OrderNote>(loop).has_left;
}

}  // namespace clawperator
