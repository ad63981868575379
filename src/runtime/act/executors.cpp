#include "runtime/act/executors.hpp"

#include "runtime/host/verbs/input.hpp"

namespace clawperator::act {

Task<ExecuteResult> OwnExecutor::execute(ExecuteRequest request) {
  return clawperator::execute(std::move(request), log_);
}

Task<std::unique_ptr<adbproto::Device>> OwnExecutor::open(TargetOptions target) {
  return resolve_device(std::move(target));
}

Task<InputDone> OwnExecutor::give_input(TargetOptions target, DeviceInput input) {
  CO_TRY(const auto device, co_await resolve_device(std::move(target)));
  CO_TRY(const PictureProof proof,
         co_await clawperator::give_input(device.get(), std::move(input)));
  co_return InputDone{device->serial(), proof};
}

Task<std::vector<DeviceRow>> OwnExecutor::devices() { return list_devices({}, Detail::described); }

Task<ExecuteResult> SupervisedExecutor::execute(ExecuteRequest request) {
  request.sessions = sessions_;
  return clawperator::execute(std::move(request), log_, supervised(devices_));
}

Task<std::unique_ptr<adbproto::Device>> SupervisedExecutor::open(TargetOptions target) {
  return open_supervised(devices_, std::move(target));
}

Task<InputDone> SupervisedExecutor::give_input(TargetOptions target, DeviceInput input) {
  const InFlight counted(sessions_->in_flight_count());
  CO_TRY(const auto device, co_await open_supervised(devices_, std::move(target)));
  CO_TRY(const PictureProof proof,
         co_await clawperator::give_input(device.get(), std::move(input)));
  co_return InputDone{device->serial(), proof};
}

Task<std::vector<DeviceRow>> SupervisedExecutor::devices() {
  co_await devices_->find_server();
  auto rows = devices_->rows();
  if (rows.empty()) {
    if (auto why = devices_->why_nothing()) co_return std::unexpected(*std::move(why));
  }
  co_return rows;
}

}  // namespace clawperator::act
