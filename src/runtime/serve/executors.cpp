#include "runtime/serve/executors.hpp"

#include "runtime/engine/log_pieces.hpp"
#include "runtime/serve/client_files.hpp"
#include "runtime/serve/outcome.hpp"
#include "runtime/serve/routes.hpp"

namespace clawperator::serve {
namespace {

void publish_stage(Service* service, const std::string& command_id, const Stage& stage,
                   const std::string& device_id = {}) {
  if (service->event_streams == 0) return;
  JsonObject data;
  data.text("commandId", command_id).text("stage", stage.name).text("operation", stage.operation);
  if (!stage.detail.empty()) data.text("detail", stage.detail);
  if (!device_id.empty()) data.text("deviceId", device_id);
  service->stages.publish("clawperator:stage", data.str());
}

// Readers see who has the phone from the beginning on, also in a plan whose steps report nothing.
void publish_begin(Service* service, ExecuteRequest* request) {
  request->on_device = [service, id = request->execution.command_id,
                        then = std::move(request->on_device)](const std::string& serial) {
    publish_stage(service, id, {.name = "begun", .operation = "execution", .detail = ""}, serial);
    if (then) then(serial);
  };
}

}  // namespace

Task<ExecuteResult> RouteExecutor::execute(ExecuteRequest request) {
  publish_begin(service_, &request);
  request.on_stage = [service = service_, id = request.execution.command_id](const Stage& stage) {
    publish_stage(service, id, stage);
  };
  CO_TRY_VOID(co_await confine_pictures(service_->files, &request));
  co_return co_await SupervisedExecutor::execute(std::move(request));
}

Task<ExecuteResult> ToolExecutor::execute(ExecuteRequest request) {
  const Execution execution = request.execution;
  publish_begin(service_, &request);
  Result<ExecuteResult> result = fail(errc::cancelled, "");
  try {
    const auto confined = co_await confine_pictures(service_->files, &request);
    if (!confined) result = std::unexpected(confined.error());
    if (confined) result = co_await SupervisedExecutor::execute(std::move(request));
  } catch (const std::exception&) {  // a cancellation comes as one, too
    result = fail(errc::cancelled, "the client has left");
  }
  // The rest must run although the task was cancelled.
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  co_await publish_command(service_, &execution, &result);
  co_await asio::this_coro::reset_cancellation_state(asio::enable_terminal_cancellation());
  co_return result;
}

Task<InputDone> ToolExecutor::give_input(TargetOptions target, DeviceInput input) {
  return give_and_publish(service_, std::move(target), std::move(input));
}

}  // namespace clawperator::serve
