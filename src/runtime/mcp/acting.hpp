#pragma once
// From the arguments of a call to a Request, and from its Outcome to the text that a model reads.

#include "base/json_text.hpp"
#include "runtime/act/perform.hpp"
#include "runtime/mcp/tool.hpp"

namespace clawperator::mcp {

// The device of a call.
TargetOptions target_of(const Call& call);

// How long a screen may change before it is read, unless the call has its own time. A new app draws
// its first screen later than an app answers a tap.
inline constexpr std::chrono::milliseconds kSettle{300};
inline constexpr std::chrono::milliseconds kSettleOfApps{1000};  // see above: its first screen

// A request with the call's device, node (`ref`, `nth`) and `verify`.
act::Request request_of(const Call& call, std::variant<Action, act::Payload> what,
                        std::chrono::milliseconds settle = kSettle);

// The node of the call's selector or its point. Empty where a ref names it; nullopt where nothing
// does. usage.
Result<std::optional<act::Place>> read_place(const Arguments& arguments);
// The same for an action without points.
Result<std::optional<Selector>> read_node(const Arguments& arguments);
// An action on what a selector names, without nth, is done only where one node alone fits.
bool is_for_one_alone(const Call& call);

// Performs the action, reads the screen by the call's `observe`, and writes the result.
Task<ToolAnswer> perform_and_answer(Call call, Action action,
                                    std::chrono::milliseconds settle = kSettle);
// The same of a wait for a node or an app, in parts that a cancellation can come between.
Task<ToolAnswer> wait_and_answer(Call call, Action wait, std::chrono::milliseconds limit);

// After an order without an execution: reads the screen alone, if the call observes; `more` are
// members of the verdict.
Task<ToolAnswer> observe_after(Call call, std::chrono::milliseconds settle, JsonObject more);

// {"ok":false,"code","message","device","hint"?} of an execution that failed. `why` instead of the
// device's own words.
JsonObject failure_verdict(const ExecuteResult& result,
                           const std::optional<std::string>& why = std::nullopt);
// The same, with the nodes that nearly match, or with the several that match.
ToolAnswer failure_answer(const act::Outcome& outcome,
                          const std::optional<std::string>& why = std::nullopt);

// The steps of a plan: [{"id","ok":false?,"code"?,"message"?,"ms"?,"data"? or "tree"?}]; `data`
// without what the plan itself contains and without details of the dispatch.
std::string steps_json(const Envelope& envelope);

// At most so many bytes, ending with a whole line and the size of the rest.
std::string cut_lines(std::string text, std::size_t most);

}  // namespace clawperator::mcp
