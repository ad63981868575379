#include "adbproto/link/parallel.hpp"

#include <asio/experimental/awaitable_operators.hpp>

namespace adbproto::parallel {

namespace operators = asio::experimental::awaitable_operators;

asio::awaitable<void> detail::wait_for_both(asio::awaitable<void> left,
                                            asio::awaitable<void> right) {
  co_await operators::operator&&(std::move(left), std::move(right));
}

asio::awaitable<std::size_t> wait_for_first(asio::awaitable<void> left,
                                            asio::awaitable<void> right) {
  const auto winner = co_await operators::operator||(std::move(left), std::move(right));
  co_return winner.index();
}

}  // namespace adbproto::parallel
