#include "cli/tracing.hpp"

#include <unistd.h>

#include <chrono>

#include "cli/output.hpp"
#include "cli/run_task.hpp"
#include "cli/settings.hpp"
#include "cli/version.hpp"
#include "runtime/contract/errc.hpp"

namespace clawperator::cli {
namespace {

TraceOrigin origin_of(std::string name) {
  using namespace std::chrono;
  const auto now = system_clock::now().time_since_epoch();
  return {std::move(name), ::getpid(), duration_cast<microseconds>(now)};
}

// They hand it on to the process that they start.
bool is_for_another(std::string_view command) {
  return command == "daemon start" || command == "daemon restart";
}

}  // namespace

Result<std::unique_ptr<Tracing>> Tracing::start(const Invocation& invocation) {
  if (!invocation.globals.trace || is_for_another(invocation.command->name)) return nullptr;
  const std::string path = expand_home(*invocation.globals.trace);
  if (path == "-") return fail(errc::usage, "--trace writes to a file; stdout is for the answer");
  TRY_VOID(check_path_length("--trace", path));
  TRY(auto file, TraceFile::open(path));
  std::string name = "clawperator " + std::string(kVersionText);
  name.append(" ").append(invocation.command->name);
  return std::make_unique<Tracing>(std::move(file), std::move(name));
}

Tracing::Tracing(std::unique_ptr<TraceFile> file, std::string name)
    : file_(std::move(file)), trace_(file_.get(), origin_of(std::move(name))) {
  trace_tasks(&trace_);
}

Tracing::~Tracing() {
  trace_tasks(nullptr);
  if (const auto whole = file_->finish(); !whole) {
    print_warning("[clawperator] WARN: " + whole.error().message());
  }
}

}  // namespace clawperator::cli
