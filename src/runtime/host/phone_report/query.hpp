#pragma once
// Sends the report's questions to a phone, and redacts its answers.

#include "adbproto/client/device.hpp"
#include "base/async/task.hpp"
#include "runtime/host/phone_report/answers.hpp"

namespace clawperator {

// The words that are taken out wherever they stand, and the package that may be named.
struct ReportSecrets {
  std::vector<std::string> serials{};
  std::string operator_package{};
};

// Serial numbers become <serial>; the names in `UserInfo{0:NAME:c13}` and `displayName="..."` and
// services `app/class` of other apps become <...>; unprintable characters become `?`.
std::string redact(std::string_view text, const ReportSecrets& secrets);

// The lines that hold one of the words.
std::string lines_with(std::string_view text, const std::vector<std::string_view>& words);

// The questions go one after the other, each within its own deadline and bound.
struct ReportRequest {
  std::string operator_package{};
  std::string program{};  // "clawperator 0.9.0"
  Consent consent = Consent::none;
};

// There is a report in every case; a question without an answer has the reason. Fails only when the
// caller has cancelled.
Task<PhoneReport> query_phone(adbproto::Device* device, ReportRequest request);

}  // namespace clawperator
