#include "runtime/engine/engine.hpp"

#include <exception>

#include "runtime/engine/run.hpp"
#include "runtime/engine/timing_phases.hpp"

namespace clawperator {

namespace {

Task<ExecuteResult> run_by_operator(Run* run) {
  CO_TRY_VOID(co_await run->attach_and_check());
  CO_TRY_VOID(co_await run->take_turn());
  CO_TRY_VOID(co_await run->announce_effects());
  co_await run->look_before();
  CO_TRY_VOID(co_await run->stop_apps());
  CO_TRY_VOID(co_await run->dispatch());
  CO_TRY_VOID(co_await run->explain_miss());
  co_return co_await run->post_process();
}

// What is asked beside the stages is given up when they are done. Where all is cancelled the stages
// still tell what they know, whichever side ends first, and however they are unwound.
Task<ExecuteResult> run_stages(Run* run) {
  using namespace base::parallel;
  std::optional<Result<ExecuteResult>> result;
  auto stages =
      keep(run->needs_no_operator() ? run->run_by_shell() : run_by_operator(run), &result);
  try {
    if (run->asks_beside()) {
      co_await (std::move(stages) || run->ask_beside());
    } else {
      co_await apart(std::move(stages));
    }
  } catch (const std::exception&) {
    result.reset();
  }
  if (!result) co_return fail(errc::cancelled, "cancelled");
  co_return *std::move(result);
}

}  // namespace

const std::string& own_name(const ExecuteResult& result) {
  return result.place.empty() ? result.device_id : result.place;
}

const std::string& advised_name(const ExecuteRequest& request, const ExecuteResult& result) {
  return request.target.device ? *request.target.device : result.device_id;
}

Task<ExecuteResult> execute(ExecuteRequest request, EventLog* log, ResolveDevice resolve) {
  const auto on_device = request.on_device;
  Run run(std::move(request), log, Trace::of(co_await asio::this_coro::executor));
  const auto admitted = co_await run.admit();
  if (!admitted) co_return std::unexpected(run.failed(admitted.error()));
  auto device = co_await resolve(run.target());
  if (device && on_device) on_device((*device)->serial());
  const auto taken = co_await run.take_device(std::move(device));
  if (!taken) co_return std::unexpected(run.failed(taken.error()));
  auto result = co_await run_stages(&run);
  if (!result) co_return std::unexpected(run.failed(result.error()));
  co_return result;
}

std::optional<Backend> read_backend(std::string_view word) {
  if (word == "app") return Backend::operator_app;
  return word == "shell" ? std::optional(Backend::shell) : std::nullopt;
}

bool is_large(const Envelope& envelope) {
  std::size_t size = 0;
  for (const StepResult& step : envelope.step_results) {
    for (const auto& [name, value] : step.data) size += value.size();
  }
  return size > kHoldsUpLoop;
}

bool is_large(const Result<ExecuteResult>& result) { return result && is_large(result->envelope); }

std::string to_json(const Timings& timings) {
  JsonObject json;
  for (const auto& [name, phase] : kTimingPhases) json.number(name, (timings.*phase).count());
  return json.str();
}

}  // namespace clawperator
