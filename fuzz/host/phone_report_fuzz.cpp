// Invariants: any text is a report or is none; one that is read is written so that it reads the
// same; what was redacted needs no redaction.

#include "runtime/host/phone_report/answers.hpp"
#include "runtime/host/phone_report/query.hpp"
#include "support/phone_report_file.hpp"
#include "wire/chunks.hpp"

using namespace adbproto;
using namespace clawperator;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const ReportSecrets secrets{{"SERIAL123"}, "com.x"};
  const std::string once = redact(text, secrets);
  fuzz::require(redact(once, secrets) == once);
  const auto report = parse_phone_report(text);
  if (!report) return 0;
  const std::string written = to_json(*report);
  const auto again = parse_phone_report(written);
  fuzz::require(again.has_value() && to_json(*again) == written);
  return 0;
}
