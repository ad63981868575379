#pragma once
// The programs that routes start.

#include "base/async/parallel.hpp"
#include "base/async/signal.hpp"
#include "base/at_exit.hpp"
#include "runtime/serve/errc.hpp"
#include "runtime/serve/service.hpp"

namespace clawperator::serve {

// Each is a process tree with its buffers; clients must not fill the computer.
inline constexpr std::size_t kMostPrograms = 16;

// too_many_requests while kMostPrograms run, of some `kind`. A server that stops does not wait for
// a program, which gets SIGTERM: cancelled, with how far it may have come.
template <class T>
Task<T> run_program(Service* service, Task<T> program, std::string kind, std::string how_far) {
  using namespace base::parallel;
  if (service->programs >= kMostPrograms) {
    co_return fail(errc::too_many_requests,
                   std::to_string(kMostPrograms) + " " + kind + " run already");
  }
  ++service->programs;
  const AtExit ended([service] { --service->programs; });
  auto first =
      co_await (std::move(program) || adbproto::wait_until(service->stop_requested, [service] {
                  return service->is_stopping;
                }));
  if (first.index() == 0) co_return std::get<0>(std::move(first));
  co_return fail(errc::cancelled, "the server was stopped; " + how_far);
}

}  // namespace clawperator::serve
