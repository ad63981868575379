#pragma once
// From an action to what a model is told: the execution, the screen afterwards, or why not.

#include "base/json_text.hpp"
#include "runtime/act/action.hpp"
#include "runtime/act/aim.hpp"
#include "runtime/act/execution.hpp"
#include "runtime/act/snapshot_store.hpp"
#include "runtime/engine/engine.hpp"
#include "runtime/mcp/tool.hpp"

namespace clawperator::mcp {

// Whom a call is for.
TargetOptions target_of(const Call& call);

// Everything but the execution comes from the call. It waits in line for a busy device.
ExecuteRequest request_of(const Call& call, Execution execution);

// The node of the call's ref or selector (the nth that this fits), or its point; nullopt where it
// names none. Matches are told with nth alone.
Task<std::optional<act::NthPlace>> find_place(Call* call);
// The same, for what knows no points.
struct FoundNode {
  act::Selector node;
  Matches matches{};
  bool is_password = false;
  act::Shown shown{};
};
Task<std::optional<FoundNode>> find_node(Call* call, RefUse use);

// What is typed into a field that the client has seen to be one for passwords is secret.
asio::awaitable<void> mark_seen_passwords(Call* call, Execution* execution);

// The action, then the screen as `observe` wants it, in one execution. `settle`: what is waited in
// between unless the call says otherwise.
inline constexpr std::chrono::milliseconds kSettle = act::ThenLook{}.settle;
inline constexpr std::chrono::milliseconds kSettleOfApps{1000};
Task<ToolAnswer> act_and_observe(Call call, act::Action action,
                                 std::chrono::milliseconds settle = kSettle, Matches matches = {});

// The same, once that is there which is waited for.
Task<ToolAnswer> wait_and_observe(Call call, act::Action wait, std::chrono::milliseconds limit);

// What the call wants to be told of the screen; nullopt: nothing beside the verdict. `settle` as
// above.
std::optional<Verify> verify_of(const Call& call, std::chrono::milliseconds settle = kSettle);

// The execution, for as long as the call may take; beyond that it is cancelled, and may have been
// done. However it ends, the call can be cancelled afterwards as before.
Task<ExecuteResult> carry_out(Call call, ExecuteRequest request);

// The tree of the screen as it is now, kept but not shown. The call is for that device from now on.
Task<UiTree> look(Call* call);

// The screen of an execution as a model reads it, which is kept: its refs can be used, and diffs
// can begin there.
enum class Showing { compact, full, diff };

struct ShowRequest {
  Showing showing = Showing::compact;
  std::optional<std::string> since{};  // the hash where a diff begins; absent: there is none
};

struct ShownTree {
  std::string text;
  std::string hash;
  bool is_since_held = false;  // the screen where a diff was to begin
};

// A diff that says no less than the whole tree is the whole tree, and so is one from a screen that
// is no longer held. Computes for long where the tree is large.
Result<ShownTree> show_tree(const act::SnapshotStore& store, const Envelope& envelope,
                            const ShowRequest& wanted);

// At most so many bytes, ending with a whole line and with what was left out.
std::string cut_lines(std::string text, std::size_t most);

// The execution's screen as its client reads it: a diff begins at what that has seen last of the
// device, unless it says otherwise.
Task<ShownTree> show(Call call, const ExecuteResult* result, ShowRequest wanted);

// The client has seen the screen of that hash.
Task<void> note_shown(Call call, const ExecuteResult* result, std::string hash);

// The screen alone, if it is wanted, after what was done without an execution; `more` are members
// of the verdict.
Task<ToolAnswer> observe_after(Call call, std::chrono::milliseconds settle, JsonObject more);

// The names of the device that is meant, as far as they are known: a phone can be there by several
// ways. None where it may be any of several.
Task<std::vector<std::string>> devices_of(Call call);

std::string failure_code(const Envelope& envelope);

// Of an execution that was refused because several nodes fit: which, as they are on the screen now.
Task<JsonObject> tell_several(Call call, const ExecuteResult* result, NodeMatcher wanted);

// What is told of an execution that failed: ok, code, message, device. `why` instead of the
// device's own words.
JsonObject failure_verdict(const ExecuteResult& result,
                           const std::optional<std::string>& why = std::nullopt);

// What became of an execution where it was not success: its code, its step, what is near the node
// that was looked for, or which nodes it might be.
Task<ToolAnswer> tell_failure(Call call, ExecuteResult result, NodeMatcher wanted = {},
                              std::optional<std::string> why = std::nullopt);

}  // namespace clawperator::mcp
