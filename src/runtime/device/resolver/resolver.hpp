#pragma once
// The device that a command is for, open.
//
// Order of choice: --device, ANDROID_SERIAL, the only device. Sources, best first: the adb server's
// list, phones on USB that no server holds, TCP targets (`clawperator connect`), a HOST:PORT
// dialled directly with --transport tcp.

#include "base/async/task.hpp"
#include "runtime/device/target.hpp"

namespace clawperator {

struct Question;  // runtime/device/choice/choice.hpp

Question question_of(const TargetOptions& options);

// Later work of the call goes to the same device `serial`. A device that is named already keeps its
// name: it may distinguish twins, which have one serial.
void stay_on(TargetOptions* options, const std::string& serial);

// Fails with adb_server_failed when no source answers at all.
Task<std::vector<DeviceRow>> list_devices(TargetOptions options, Detail detail = Detail::states);

// The row's own route, whatever else leads to that device.
Task<std::unique_ptr<adbproto::Device>> open_row(TargetOptions options, DeviceRow row);

// no_devices, device_not_found, multiple_devices_device_id_required as published.
Task<std::unique_ptr<adbproto::Device>> resolve_device(TargetOptions options);

}  // namespace clawperator
