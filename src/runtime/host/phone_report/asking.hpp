#pragma once
// Asks a phone the questions of the report, one after the other, each within its own deadline and
// bound.

#include <functional>
#include <string>

#include "adbproto/client/device.hpp"
#include "adbproto/link/task.hpp"
#include "runtime/host/phone_report/answers.hpp"

namespace clawperator {

struct ReportRequest {
  std::string operator_package{};
  std::string program{};  // "clawperator 0.9.0"
  Consent consent = Consent::none;
  std::function<void(const PhoneQuestion&)> on_question{};  // before each
};

// Whatever the phone does, there is a report; what could not be answered says why. Fails only when
// we are cancelled.
Task<PhoneReport> ask_phone(adbproto::Device* device, ReportRequest request);

}  // namespace clawperator
