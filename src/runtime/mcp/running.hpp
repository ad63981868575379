#pragma once
// From a tool's action to its executions: one, two with a look in between, or the parts of a wait.

#include "runtime/act/execution.hpp"
#include "runtime/mcp/tool.hpp"

namespace clawperator::mcp {

// What a call wants beside the action.
struct Wanted {
  std::optional<act::ThenLook> then{};
  std::optional<Verify> verify{};
};

Task<ExecuteResult> run_action(Call call, act::Action action, Wanted wanted = {});

// The same. An app before 0.10 would ignore that an action is strict: then one look decides whether
// one node alone fits. node_ambiguous.
Task<ExecuteResult> run_alone(Call* call, act::Action action, Wanted wanted);

// An action on what a selector names, without nth, is done only where one node alone fits.
bool is_for_one_alone(const Call& call);
// The app of the device that is meant cannot be strict, as it is remembered.
asio::awaitable<bool> is_known_as_too_old(Call call);
// By one look. node_ambiguous.
Task<void> check_alone(Call* call, NodeMatcher wanted);

// The app does nothing else while it waits, whoever has given up meanwhile: so it waits for no
// longer than this at once. By the phone's shell it is this process that waits.
inline constexpr std::chrono::milliseconds kPartOfWait{1000};
Task<ExecuteResult> wait_in_parts(Call call, act::Action wait, std::chrono::milliseconds limit,
                                  Wanted wanted);
// What was waited for is not there.
bool is_in_vain(const Envelope& envelope);

}  // namespace clawperator::mcp
