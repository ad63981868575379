#pragma once
// The device's state that the Operator app reads; may be changed at any time.

#include <chrono>

namespace simdroid {

struct DeviceFacts {
  bool accessibility = true;  // the service is enabled and connected
  bool developer_options = true;
  bool usb_debugging = true;
  bool storage_available = true;
  bool gestures_work = true;        // false: GESTURE_FAILED
  bool global_actions_work = true;  // false: GLOBAL_ACTION_FAILED
  bool scrolls_comparable = true;   // false: the app cannot report whether a scroll moved anything
  int sdk = 34;
  int hanging_step = 0;                  // from 1: a step that never ends
  std::chrono::milliseconds step_gap{};  // between two steps
};

}  // namespace simdroid
