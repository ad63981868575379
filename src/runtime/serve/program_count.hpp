#pragma once
// The programs that routes have started and that run: so many at once and no more.

#include "base/async/parallel.hpp"
#include "base/async/signal.hpp"
#include "runtime/serve/service.hpp"

namespace clawperator::serve {

// Each is a process tree with its buffers; clients must not fill the computer.
inline constexpr std::size_t kMostPrograms = 16;

struct CountedProgram {
  explicit CountedProgram(Service* of) : service(of) { ++service->programs; }
  ~CountedProgram() { --service->programs; }
  CountedProgram(const CountedProgram&) = delete;
  CountedProgram& operator=(const CountedProgram&) = delete;
  Service* service;
};

// A server that is to end does not wait for a program: it gets SIGTERM. `what` says then how far it
// may have come.
template <class T>
Task<T> run_until_stopped(Service* service, Task<T> program, std::string what) {
  using namespace base::parallel;
  auto first = co_await (std::move(program) || adbproto::wait_until(service->stop_asked, [service] {
                           return service->is_stopping;
                         }));
  if (first.index() == 0) co_return std::get<0>(std::move(first));
  co_return fail(errc::cancelled, "the server was stopped; " + what);
}

}  // namespace clawperator::serve
