#pragma once
// Blocking work that can be stopped (a download), beside the event loop:
//
//   CO_TRY(auto report, co_await run_stoppable([=](std::stop_token stop) { return fetch(stop); }));
//
// When its caller is cancelled a stop is requested; the work must check the token, and its end is
// awaited. So it may use what its caller owns.

#include <stop_token>
#include <type_traits>

#include "base/async/blocking.hpp"
#include "base/async/signal.hpp"
#include "base/at_exit.hpp"

namespace base {

inline asio::awaitable<void> stop_when_cancelled(std::stop_source source) {
  const AtExit stop([source]() mutable { source.request_stop(); });
  co_await until_cancelled();
}

template <class Work>
auto run_stoppable(Work work) -> asio::awaitable<std::invoke_result_t<Work, std::stop_token>> {
  using namespace base::parallel;
  std::stop_source source;
  const AtExit stop([&] { source.request_stop(); });
  auto call = [work = std::move(work), token = source.get_token()]() mutable {
    return work(std::move(token));
  };
  auto winner = co_await (run_blocking(std::move(call)) || stop_when_cancelled(source));
  if (winner.index() == 1) co_return fail(errc::cancelled, "cancelled");
  co_return std::get<0>(std::move(winner));
}

}  // namespace base
