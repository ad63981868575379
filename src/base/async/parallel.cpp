#include "base/async/parallel.hpp"

#include <asio/co_spawn.hpp>
#include <asio/experimental/awaitable_operators.hpp>

namespace base::parallel {

namespace operators = asio::experimental::awaitable_operators;

asio::awaitable<void> detail::wait_for_both(asio::awaitable<void> left,
                                            asio::awaitable<void> right) {
  co_await operators::operator&&(std::move(left), std::move(right));
}

asio::awaitable<void> apart(asio::awaitable<void> task) {
  const auto executor = co_await asio::this_coro::executor;
  co_await asio::co_spawn(executor, std::move(task), asio::use_awaitable);
}

asio::awaitable<std::size_t> wait_for_first(asio::awaitable<void> left,
                                            asio::awaitable<void> right) {
  const auto winner = co_await operators::operator||(std::move(left), std::move(right));
  co_return winner.index();
}

}  // namespace base::parallel
