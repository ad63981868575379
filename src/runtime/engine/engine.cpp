#include "runtime/engine/engine.hpp"

#include <exception>

#include "runtime/device/known_phones.hpp"
#include "runtime/engine/backend.hpp"
#include "runtime/engine/pictures.hpp"
#include "runtime/engine/post_process.hpp"
#include "runtime/engine/timing_phases.hpp"
#include "runtime/engine/turn.hpp"

namespace clawperator {

namespace {

// What the stages of one execution share. Each member is declared before those that use it.
struct Stages {
  Stages(ExecuteRequest request, EventLog* log, Trace* trace)
      : job(std::move(request)),
        observer(&job, log, trace),
        turn(&job, &observer),
        phone(&job, &observer),
        pictures(&job, &observer, &phone) {}
  Stages(const Stages&) = delete;
  Stages& operator=(const Stages&) = delete;
  // Keeps the next execution away from a command that may still be running. A plan that changes
  // nothing does no harm there, and one that was given up frees the phone.
  ~Stages() {
    const bool is_harmless = observer.is_given_up() && job.only_looks();
    if (backend && backend->may_be_running() && !is_harmless) turn.settle();
  }

  ExecutionJob job;
  ExecutionObserver observer;
  Turn turn;
  Phone phone;
  Pictures pictures;
  std::unique_ptr<ExecutionBackend> backend;
};

Task<void> admit(Stages* stages) {
  TargetOptions& target = stages->job.request.target;
  target.early = early_log(stages->job.request);
  target.meets_later = stages->job.request.sessions ? nullptr : std::make_shared<DialNote>();
  co_return co_await stages->turn.arrive();
}

Task<void> resolve_phone(Stages* stages, ResolveDevice resolve) {
  auto device = co_await resolve(stages->job.request.target);
  if (!device) {
    stages->observer.trace().phase("resolve", stages->job.start);
    co_return std::unexpected(std::move(device).error());
  }
  if (const auto& on_device = stages->job.request.on_device) on_device((*device)->serial());
  CO_TRY_VOID(co_await stages->phone.take(*std::move(device)));
  stages->job.result.timings.resolve = stages->observer.trace().phase("resolve", stages->job.start);
  const bool by_shell = stages->job.is_by_shell();
  const auto make = by_shell ? make_shell_backend : make_operator_backend;
  stages->backend =
      make({&stages->job, &stages->observer, &stages->phone, co_await asio::this_coro::executor});
  co_return ok();
}

Task<void> take_turn(Stages* stages, DeviceFacts facts) {
  CO_TRY_VOID(co_await stages->turn.take(&stages->phone, std::move(facts), stages->backend->log()));
  if (const auto& announce = stages->job.request.before_effects) CO_TRY_VOID(co_await announce());
  co_await stages->pictures.look_before();
  co_return ok();
}

void finish(Stages* stages) {
  ExecutionJob& job = stages->job;
  reconcile(job.result.envelope, {job.result.device_id, stages->phone.package_name(), job.service});
  stages->observer.finished();
}

Task<void> run_backend(Stages* stages) {
  CO_TRY(auto facts, co_await stages->backend->prepare());
  if (facts) CO_TRY_VOID(co_await take_turn(stages, *std::move(facts)));
  CO_TRY_VOID(co_await stages->backend->act());
  CO_TRY_VOID(co_await stages->pictures.add());
  finish(stages);
  co_return ok();
}

// The queries beside the stages are given up when the stages end. After a cancellation the stages
// still report what they know, whichever side ends first.
Task<void> run_stages(Stages* stages) {
  using namespace base::parallel;
  std::optional<Result<void>> result;
  auto work = keep(run_backend(stages), &result);
  try {
    if (stages->backend->asks_beside()) {
      co_await (std::move(work) || stages->backend->ask_beside());
    } else {
      co_await apart(std::move(work));
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
  Stages stages(std::move(request), log, Trace::of(co_await asio::this_coro::executor));
  auto done = co_await admit(&stages);
  if (done) done = co_await resolve_phone(&stages, std::move(resolve));
  if (done) done = co_await run_stages(&stages);
  if (!done) co_return std::unexpected(stages.observer.failed(done.error()));
  co_return std::move(stages.job.result);
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
