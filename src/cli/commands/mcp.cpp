// Tools for agents that speak the Model Context Protocol.

#include <array>
#include <memory>

#include "cli/commands/commands.hpp"
#include "cli/daemon_surface.hpp"
#include "cli/mcp_stdio.hpp"
#include "cli/run_task.hpp"
#include "cli/settings.hpp"
#include "cli/version.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/daemon/client.hpp"
#include "runtime/engine/device_session.hpp"
#include "runtime/log/event_log.hpp"
#include "runtime/mcp/server_info.hpp"
#include "skills/serve/tables.hpp"

namespace clawperator::cli {
namespace {

// By a daemon of this user, whose devices are connected already, else here.
Task<ExecuteResult> by_daemon_or(std::function<Task<ExecuteResult>(ExecuteRequest)> here,
                                 const std::optional<daemon::Surface>* surface,
                                 ExecuteRequest request) {
  if (*surface && daemon::is_there()) {
    auto outcome = co_await daemon::execute_by_daemon(&request, &**surface);
    if (outcome) co_return *std::move(outcome);
  }
  co_return co_await here(std::move(request));
}

Task<void> serve_tools(Supervisor* devices, const Invocation* invocation, EventLog* log) {
  const Globals& globals = invocation->globals;
  const auto executor = co_await asio::this_coro::executor;
  DeviceSessions sessions(executor, supervised(devices));
  const auto surface = daemon_surface(globals);
  mcp::Hand hand = mcp::own_hand(devices, &sessions, log);
  hand.target = globals.target;
  hand.target.honour_android_serial = false;
  hand.operator_package = operator_package(globals);
  hand.broadcast_action = broadcast_action(globals);
  hand.backend = globals.backend.value_or(Backend::operator_app);
  hand.versions = {std::string(kVersionText), std::string(kApkCompatText)};
  hand.snapshots = snapshot_store();
  hand.shown = std::make_shared<PerDevice>();
  hand.execute = [here = hand.execute, &surface](ExecuteRequest request) {
    return by_daemon_or(here, &surface, std::move(request));
  };
  const auto done = co_await serve_mcp_on_stdio(&hand, skills::tools_where_skills_are());
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  co_await sessions.stop();
  co_return done;
}

Result<Answer> run_mcp(const Invocation& invocation) {
  const auto& words = invocation.arguments.positionals();
  if (!words.empty() && words.front() != "serve") {
    return fail(errc::usage, "mcp takes no word but serve, which may be left out");
  }
  EventLog log(log_options(invocation.globals));
  std::function<Task<void>(Supervisor*)> work = [&](Supervisor* devices) {
    return serve_tools(devices, &invocation, &log);
  };
  const auto done =
      run_task(with_supervisor<void>({.target = invocation.globals.target}, std::move(work)));
  if (!done && done.error().code() != errc::cancelled && done.error().code() != errc::closed) {
    return std::unexpected(done.error());
  }
  return Answer{};
}

constexpr std::array kGuideOptions{
    Option{"--skill", "", Arity::none, "", "as a SKILL.md for agents that have skills"},
};

constexpr std::string_view kSkillHead =
    "---\n"
    "name: clawperator\n"
    "description: See and act on an Android phone - read the screen as a compact tree, tap, type, "
    "scroll, open apps and wait. Use when a task happens on an Android device or emulator.\n"
    "compatibility: Needs the clawperator program and a device that adb could reach.\n"
    "---\n\n"
    "The tools named below are those of the MCP server `clawperator mcp`. Where it is not "
    "connected, each "
    "is a command:\n\n"
    "    clawperator snapshot --output brief\n"
    "    clawperator click --ref @3 --output brief --snapshot=diff\n"
    "    clawperator type \"Ada\" --id com.example:id/name --output brief --snapshot=diff\n"
    "    clawperator exec plan.json --output brief\n\n"
    "`clawperator help` lists the others.\n\n";

Result<Answer> run_guide(const Invocation& invocation) {
  const bool skill = invocation.arguments.has("--skill");
  return Answer{{}, std::string(skill ? kSkillHead : "") + std::string(mcp::guide()), {}, 0};
}

}  // namespace

constinit const Command kMcp = {
    "mcp",
    "",
    "",
    "Serve tools to an agent on stdin and stdout (Model Context Protocol)",
    "What an agent's settings name as a server; docs/mcp.md has the line for it.\n"
    "`clawperator serve` has the same tools at /mcp. Executions go through a daemon or serve of\n"
    "this user where one runs. --backend shell does without the Operator app. Ends with 0 when "
    "stdin\n"
    "ends.",
    "mcp\n"
    "mcp --device emulator-5554\n",
    Reach::device,
    {},
    run_mcp,
    {},
    1};

constinit const Command kGuide = {
    "guide",
    "",
    "",
    "Print how an agent uses all this",
    "The instructions that the server of `mcp` gives to agents. With --skill they are a skill's\n"
    "file; where the program is installed it lies in share/clawperator/skills.",
    "guide\n"
    "guide --skill\n",
    Reach::host,
    kGuideOptions,
    run_guide};

}  // namespace clawperator::cli
