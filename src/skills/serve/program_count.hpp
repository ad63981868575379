#pragma once
// The programs that routes have started and that run: so many at once and no more.

#include <cstddef>

#include "runtime/serve/service.hpp"

namespace clawperator::skills {

inline constexpr std::size_t kMostPrograms = 16;

struct CountedProgram {
  explicit CountedProgram(serve::Service* of) : service(of) { ++service->programs; }
  ~CountedProgram() { --service->programs; }
  CountedProgram(const CountedProgram&) = delete;
  CountedProgram& operator=(const CountedProgram&) = delete;
  serve::Service* service;
};

}  // namespace clawperator::skills
