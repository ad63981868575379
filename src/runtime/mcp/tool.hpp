#pragma once
// One tool: its entry in the list of tools, and the function that carries a call out.

#include "runtime/contract/secrets.hpp"
#include "runtime/mcp/arguments.hpp"
#include "runtime/mcp/defaults.hpp"

namespace clawperator::mcp {

// The answer of a call. `text`: the verdict, one line of JSON; below it the screen, where one is
// shown.
struct ToolAnswer {
  std::string text;
  std::string picture{};  // JSON of its block; empty: none
  // Which acted, where `text` leaves it to the server to name it; empty: `text` names it, or none.
  std::string device{};
  bool is_error = false;
};

inline ToolAnswer text_answer(std::string text) { return {.text = std::move(text)}; }
// An error that a model can fix.
ToolAnswer error_answer(const Error& error);

class Jobs;  // runtime/mcp/jobs.hpp

// One call and its context.
struct Call {
  const Defaults* defaults;
  Jobs* jobs;
  Arguments arguments;
  std::function<void(const Stage&)> on_stage{};  // of what the device reports while it works
  adbproto::Clock::time_point end{};             // of its time
  std::optional<std::string> last_device{};      // the device of the call's later steps, too
  std::shared_ptr<Secrets> secrets{};            // of a plan: what its earlier steps have typed

  [[nodiscard]] std::chrono::milliseconds time_left() const;
};

// Clients give up after 60 s by default.
inline constexpr std::chrono::milliseconds kLongestAnswer{50000};
// The limit of a plan whose result the client requests again by its handle.
inline constexpr std::chrono::milliseconds kLongestPlan{180000};

// An Error becomes an error_answer.
using ToolFunction = Task<ToolAnswer> (*)(Call call);

enum class Nature { reads, acts, destroys };

struct ToolRow {
  std::string_view name;
  std::string_view description;
  std::span<const Property> properties;
  Nature nature;
  ToolFunction run;
  bool is_step = false;  // whether a plan of `execute` may contain it
};

std::span<const ToolRow> tool_table();

// The list of tools: the text of an array.
std::string tools_json(std::span<const ToolRow> tools);

// The functions of the tools.
Task<ToolAnswer> call_devices(Call call);
Task<ToolAnswer> call_doctor(Call call);
Task<ToolAnswer> call_snapshot(Call call);
Task<ToolAnswer> call_screenshot(Call call);
Task<ToolAnswer> call_tap(Call call);
Task<ToolAnswer> call_long_press(Call call);
Task<ToolAnswer> call_swipe(Call call);
Task<ToolAnswer> call_type_text(Call call);
Task<ToolAnswer> call_press_key(Call call);
Task<ToolAnswer> call_open_app(Call call);
Task<ToolAnswer> call_open_url(Call call);
Task<ToolAnswer> call_close_app(Call call);
Task<ToolAnswer> call_wait_for(Call call);
Task<ToolAnswer> call_execute(Call call);

}  // namespace clawperator::mcp
