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

// What the stages of one execution have; each goes before what it works with.
struct Stages {
  Stages(ExecuteRequest request, EventLog* log, Trace* trace)
      : job(std::move(request)),
        observer(&job, log, trace),
        turn(&job, &observer),
        phone(&job, &observer),
        pictures(&job, &observer, &phone) {}
  Stages(const Stages&) = delete;
  Stages& operator=(const Stages&) = delete;
  // Whoever comes next must not run into a command that may still be going on. What only looks does
  // no harm there, and who has given it up frees the phone.
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

Task<void> admit(Stages* at) {
  TargetOptions& target = at->job.request.target;
  target.early = early_log(at->job.request);
  target.meets_later = at->job.request.sessions ? nullptr : std::make_shared<DialNote>();
  co_return co_await at->turn.arrive();
}

Task<void> resolve_phone(Stages* at, ResolveDevice resolve) {
  auto device = co_await resolve(at->job.request.target);
  if (!device) {
    at->observer.trace().phase("resolve", at->job.start);
    co_return std::unexpected(std::move(device).error());
  }
  if (const auto& on_device = at->job.request.on_device) on_device((*device)->serial());
  CO_TRY_VOID(co_await at->phone.take(*std::move(device)));
  at->job.result.timings.resolve = at->observer.trace().phase("resolve", at->job.start);
  const bool by_shell = at->job.is_by_shell();
  const auto make = by_shell ? make_shell_backend : make_operator_backend;
  at->backend = make({&at->job, &at->observer, &at->phone, co_await asio::this_coro::executor});
  co_return ok();
}

Task<void> take_turn(Stages* at, DeviceFacts facts) {
  CO_TRY_VOID(co_await at->turn.take(&at->phone, std::move(facts), at->backend->log()));
  if (const auto& announce = at->job.request.before_effects) CO_TRY_VOID(co_await announce());
  co_await at->pictures.look_before();
  co_return ok();
}

void finish(Stages* at) {
  ExecutionJob& job = at->job;
  reconcile(job.result.envelope, {job.result.device_id, at->phone.package_name(), job.service});
  at->observer.finished();
}

Task<void> run_backend(Stages* at) {
  CO_TRY(auto facts, co_await at->backend->prepare());
  if (facts) CO_TRY_VOID(co_await take_turn(at, *std::move(facts)));
  CO_TRY_VOID(co_await at->backend->act());
  CO_TRY_VOID(co_await at->pictures.add());
  finish(at);
  co_return ok();
}

// What is asked beside the stages is given up when they are done. Where all is cancelled the stages
// still tell what they know, whichever side ends first, and however they are unwound.
Task<void> run_stages(Stages* at) {
  using namespace base::parallel;
  std::optional<Result<void>> result;
  auto stages = keep(run_backend(at), &result);
  try {
    if (at->backend->asks_beside()) {
      co_await (std::move(stages) || at->backend->ask_beside());
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
  Stages at(std::move(request), log, Trace::of(co_await asio::this_coro::executor));
  auto done = co_await admit(&at);
  if (done) done = co_await resolve_phone(&at, std::move(resolve));
  if (done) done = co_await run_stages(&at);
  if (!done) co_return std::unexpected(at.observer.failed(done.error()));
  co_return std::move(at.job.result);
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
