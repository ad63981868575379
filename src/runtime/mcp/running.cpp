#include "runtime/mcp/running.hpp"

#include <algorithm>

#include "base/async/blocking.hpp"
#include "runtime/act/aim.hpp"
#include "runtime/act/miss.hpp"
#include "runtime/device/memory.hpp"
#include "runtime/engine/post_process.hpp"
#include "runtime/mcp/acting.hpp"

namespace clawperator::mcp {
namespace {

constexpr double kPlanMs = 30000;  // of what does not wait for longer by itself

OperatorVersion strict_since() {
  return std::ranges::find(operator_feature_table(), "strict", &OperatorFeature::name)->since;
}

// Until the node is there, which is then clicked: two plans, and a look in between.
Task<ExecuteResult> scroll_then_click(Call* call, act::ScrollUntil scroll, Wanted wanted) {
  scroll.click = false;
  CO_TRY(ExecuteResult there, co_await run_action(*call, scroll));
  if (!succeeded(there.envelope)) co_return there;
  CO_TRY_VOID(co_await check_alone(call, act::wanted_node(scroll)));
  co_return co_await run_action(*call, act::Click{.place = {scroll.node}}, wanted);
}

act::Action with_limit(act::Action wait, std::chrono::milliseconds limit) {
  const auto ms = static_cast<double>(limit.count());
  if (auto* node = std::get_if<act::WaitForNode>(&wait)) node->limit_ms = ms;
  if (auto* app = std::get_if<act::WaitForNavigation>(&wait)) app->limit_ms = ms;
  return wait;
}

}  // namespace

Task<ExecuteResult> run_action(Call call, act::Action action, Wanted wanted) {
  CO_TRY(auto execution, act::execution_of(action, act::Stamp::now(), kPlanMs,
                                           call.hand->operator_package, wanted.then));
  co_await mark_seen_passwords(&call, &execution);
  ExecuteRequest request = request_of(call, std::move(execution));
  request.verify = wanted.verify;
  request.backend = act::backend_of(action, call.hand->backend, wanted.then.has_value());
  request.shown = act::shown_of(action);
  co_return co_await carry_out(call, std::move(request));
}

Task<ExecuteResult> run_alone(Call* call, act::Action action, Wanted wanted) {
  if (!act::is_strict(action)) co_return co_await run_action(*call, std::move(action), wanted);
  const bool by_app = act::backend_of(action, call->hand->backend) == Backend::operator_app;
  if (!by_app || !co_await is_known_as_too_old(*call)) {
    auto result = co_await run_action(*call, action, wanted);
    if (result || !act::is_too_old_to_be_strict(result.error())) co_return result;
  }
  action = act::as_strict(std::move(action), false);
  const auto* scroll = std::get_if<act::ScrollUntil>(&action);
  if (scroll && scroll->click) co_return co_await scroll_then_click(call, *scroll, wanted);
  CO_TRY_VOID(co_await check_alone(call, act::wanted_node(action)));
  co_return co_await run_action(*call, std::move(action), wanted);
}

bool is_for_one_alone(const Call& call) {
  return call.arguments.has("selector") && !call.arguments.has("nth");
}

asio::awaitable<bool> is_known_as_too_old(Call call) {
  const auto serials = co_await devices_of(call);
  if (!serials || serials->empty()) co_return false;
  const auto known = co_await run_blocking([&]() -> Result<bool> {
    const DeviceMemory memory = recall_device(serials->front());
    const NamedOperator& named = call.hand->operator_package;
    const bool is_it = !named || *named == memory.operator_package;
    return is_it && memory.operator_version && *memory.operator_version < strict_since();
  });
  co_return known && *known;
}

Task<void> check_alone(Call* call, NodeMatcher wanted) {
  if (wanted == NodeMatcher{}) co_return ok();
  CO_TRY(const UiTree now, co_await look(call));
  co_return co_await run_blocking([&] { return act::check_alone(now, wanted); });
}

bool is_in_vain(const Envelope& envelope) {
  const std::string code = succeeded(envelope) ? "" : failure_code(envelope);
  return code == "NODE_NOT_FOUND" || code == "NAVIGATION_TIMEOUT";
}

Task<ExecuteResult> wait_in_parts(Call call, act::Action wait, std::chrono::milliseconds limit,
                                  Wanted wanted) {
  using std::chrono::milliseconds;
  const auto end = adbproto::Clock::now() + limit;
  const bool by_shell = act::backend_of(wait, call.hand->backend, true) == Backend::shell;
  for (milliseconds left = limit;;) {
    const milliseconds part = by_shell ? left : std::min(left, kPartOfWait);
    const auto end_of_part = adbproto::Clock::now() + part;
    CO_TRY(ExecuteResult result, co_await run_action(call, with_limit(wait, part), wanted));
    if (!is_in_vain(result.envelope)) co_return result;
    // Whatever ends a part early, the phone is not asked without a pause.
    co_await adbproto::sleep_for(end_of_part - adbproto::Clock::now());
    left = std::chrono::ceil<milliseconds>(end - adbproto::Clock::now());
    if (left <= milliseconds(0)) co_return result;
  }
}

}  // namespace clawperator::mcp
