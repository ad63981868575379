#pragma once
// From an action to what a model is told: the execution, the screen afterwards, or why not.

#include <optional>
#include <string>

#include "runtime/act/action.hpp"
#include "runtime/act/aim.hpp"
#include "runtime/act/execution.hpp"
#include "runtime/contract/json_text.hpp"
#include "runtime/mcp/shown_tree.hpp"
#include "runtime/mcp/tool.hpp"

namespace clawperator::mcp {

// Whom a call is for.
TargetOptions target_of(const Call& call);

// Everything but the execution comes from the call. It waits in line for a busy device.
ExecuteRequest request_of(const Call& call, Execution execution);

// The node of the call's ref or selector (the nth that this fits), or its point; nullopt where it
// names none. Matches are told with nth alone.
Task<std::optional<act::NthPlace>> find_place(Call call);
// The same, for what knows no points.
struct FoundNode {
  act::Selector node;
  Matches matches{};
};
Task<std::optional<FoundNode>> find_node(Call call);

// The action, then the screen as `observe` wants it, in one execution. `settle`: what is waited in
// between unless the call says otherwise.
inline constexpr std::chrono::milliseconds kSettle = act::ThenLook{}.settle;
inline constexpr std::chrono::milliseconds kSettleOfApps{1000};
Task<ToolAnswer> act_and_observe(Call call, act::Action action,
                                 std::chrono::milliseconds settle = kSettle, Matches matches = {});

// What the call wants to be told of the screen; nullopt: nothing beside the verdict. `settle` as
// above.
Result<std::optional<Verify>> verify_of(const Call& call,
                                        std::chrono::milliseconds settle = kSettle);

// The execution, for as long as the call may take; beyond that it is cancelled, and may have been
// done. However it ends, the call can be cancelled afterwards as before.
Task<ExecuteResult> carry_out(Call call, ExecuteRequest request);

// The tree of the screen as it is now, kept but not shown.
Task<UiTree> look(Call call);

// The execution's screen as its client reads it: a diff begins at what that has seen last of the
// device, unless it says otherwise.
Task<ShownTree> show(Call call, const ExecuteResult* result, ShowRequest wanted);

// The screen alone, if it is wanted, after what was done without an execution; `more` are members
// of the verdict.
Task<ToolAnswer> observe_after(Call call, std::chrono::milliseconds settle, JsonObject more);

// What is told of an execution that failed: ok, code, message, device.
JsonObject failure_verdict(const ExecuteResult& result);

// What became of an execution where it was not success: its code, its step, what is near the node
// that was looked for.
Task<ToolAnswer> tell_failure(Call call, ExecuteResult result, NodeMatcher wanted = {});

}  // namespace clawperator::mcp
