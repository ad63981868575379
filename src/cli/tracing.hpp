#pragma once
// The trace of this process, where --trace asks for one.

#include <memory>

#include "base/error.hpp"
#include "cli/grammar/command.hpp"
#include "runtime/trace/trace.hpp"
#include "runtime/trace/trace_file.hpp"

namespace clawperator::cli {

class Tracing {
 public:
  // nullptr: nothing is traced. Fails with usage, or file_write_failed: then nothing was begun.
  static Result<std::unique_ptr<Tracing>> start(const Invocation& invocation);

  explicit Tracing(std::unique_ptr<TraceFile> file, std::string name);
  Tracing(const Tracing&) = delete;
  Tracing& operator=(const Tracing&) = delete;
  // Writes what is left; a trace that is not whole is a warning.
  ~Tracing();

 private:
  std::unique_ptr<TraceFile> file_;
  Trace trace_;
};

}  // namespace clawperator::cli
