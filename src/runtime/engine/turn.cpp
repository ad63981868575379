#include "runtime/engine/turn.hpp"

#include <algorithm>

#include "base/async/memory_budget.hpp"
#include "base/error_members.hpp"
#include "base/system/errc.hpp"

namespace clawperator {
namespace {

// The log is read meanwhile: if it ends, nothing will be dispatched.
Task<LockLines::Turn> wait_with_log(CommandLog* log, Task<LockLines::Turn> turn) {
  using namespace base::parallel;
  auto first = co_await (std::move(turn) || log->follow());
  if (first.index() == 1) co_return std::unexpected(std::get<1>(std::move(first)).error());
  co_return std::get<0>(std::move(first));
}

}  // namespace

Task<void> Turn::arrive() {
  DeviceSessions* sessions = job_->request.sessions;
  if (!sessions) co_return ok();
  CO_TRY_VOID(adbproto::MemoryBudget::of(co_await asio::this_coro::executor).check());
  in_flight_.emplace(sessions->in_flight_count());
  arrival_ = sessions->lines().arrive();
  co_return ok();
}

Task<void> Turn::take(Phone* phone, DeviceFacts facts, CommandLog* log) {
  const auto start = Clock::now();
  const ExecuteRequest& request = job_->request;
  const std::string& serial = phone->device()->serial();
  if (!request.sessions) own_lines_.emplace(co_await asio::this_coro::executor);
  LockLines* lines = own_lines_ ? &*own_lines_ : &request.sessions->lines();
  auto turn = lines->wait_for({lock_identity(facts.serialno, facts.boot_id, serial), serial,
                               request.execution.command_id, request.lock_patience, arrival_,
                               request.gives_way});
  if (log && request.lock_patience != std::chrono::milliseconds::zero()) {
    turn = wait_with_log(log, std::move(turn));
  }
  auto taken = co_await std::move(turn);
  job_->result.timings.queue = observer_->trace().phase("queue", start);
  if (!taken) {
    co_return std::unexpected(co_await add_last_tree(std::move(taken).error(), phone->session()));
  }
  turn_ = *std::move(taken);
  co_return ok();
}

// A plan that only takes snapshots gets the last seen tree with the error, as it did not get its
// turn.
asio::awaitable<Error> Turn::add_last_tree(Error error, DeviceSession* session) const {
  const bool looks = std::ranges::all_of(job_->request.execution.actions, [](const Action& action) {
    return action.type() == ActionType::snapshot_ui;
  });
  const bool busy = error.code() == errc::execution_conflict_in_flight;
  std::optional<SeenTree> tree;
  if (session && looks && busy) tree = co_await session->last_tree();
  if (!tree) co_return error;
  const auto age = std::chrono::floor<std::chrono::milliseconds>(Clock::now() - tree->at);
  co_return with_details(
      error, ErrorMembers().object(
                 "lastTree", ErrorMembers().text("hash", tree->hash).number("ageMs", age.count())));
}

void Turn::settle() {
  if (turn_) turn_->settle();
}

}  // namespace clawperator
