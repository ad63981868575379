#pragma once
// What the Operator app reads from the device around it; may be changed at any time.

namespace simdroid {

struct DeviceFacts {
  bool accessibility = true;  // the service is enabled and connected
  bool developer_options = true;
  bool usb_debugging = true;
  bool storage_available = true;
  bool gestures_work = true;        // false: GESTURE_FAILED
  bool global_actions_work = true;  // false: GLOBAL_ACTION_FAILED
};

}  // namespace simdroid
