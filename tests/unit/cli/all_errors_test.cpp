#include "cli/manual/all_errors.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "adbproto/wire/errc.hpp"
#include "base/system/errc.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/device/errc.hpp"
#include "runtime/engine/errc.hpp"
#include "skills/phone/rules/errc.hpp"

using namespace clawperator;
using namespace clawperator::cli;

namespace {

constexpr const char* kDocs = CLAWPERATOR_SOURCE_DIR "/docs/reference/errors.md";

std::string read_file(const char* path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// What a device writes into an envelope; the host passes it on.
struct DeviceCode {
  std::string_view published;
  std::string_view where;
};

constexpr auto kDeviceCodes = std::to_array<DeviceCode>({
    {"SERVICE_UNAVAILABLE", "`envelope.errorCode`: the Operator's accessibility service is off"},
    {"WAIT_TIMEOUT", "`envelope.errorCode`: wait_for_node did not find its node in time"},
    {"COMMAND_TIMEOUT", "`envelope.errorCode`: `timeoutMs` was over while a step ran"},
    {"CONTAINER_AMBIGUOUS", "scroll, scroll_until, read_text: with `strict`"},
    {"CONTAINER_LOST", "scroll_until"},
    {"CONTAINER_NOT_FOUND", "scroll, scroll_until, read_text"},
    {"CONTAINER_NOT_SCROLLABLE", "scroll, scroll_until"},
    {"GESTURE_FAILED", "scroll"},
    {"GLOBAL_ACTION_FAILED", "press_key"},
    {"INVALID_REGEX_PATTERN", "read_text"},
    {"NAVIGATION_TIMEOUT", "wait_for_navigation"},
    {"NODE_NOT_CLICKABLE", "click; listed by upstream, not seen from an app"},
    {"RECORDING_ALREADY_IN_PROGRESS", "start_recording"},
    {"RECORDING_NOT_IN_PROGRESS", "stop_recording"},
    {"RECORDING_START_FAILED", "start_recording"},
    {"RECORDING_STOP_FAILED", "stop_recording"},
    {"RECORDING_STORAGE_UNAVAILABLE", "start_recording"},
    {"SECURITY_BLOCK_DETECTED", "any step; listed by upstream, not seen from an app"},
    {"TARGET_NOT_FOUND", "scroll_until"},
    {"UNSUPPORTED_RUNTIME_CLOSE", "close_app; the host closes the app itself and clears it"},
    {"UNSUPPORTED_RUNTIME_SCREENSHOT", "take_screenshot; the host takes the picture and clears it"},
    {"URI_NOT_HANDLED", "open_uri: no app opens the address"},
    {"VALIDATOR_MISMATCH", "read_text"},
    {"VALUE_NODE_NOT_FOUND", "read_key_value_pair"},
});

// The text of docs/reference/errors.md.
std::string error_table_markdown() {
  std::string out =
      "# Errors\n\n"
      "Generated from the `errc.hpp` of each folder: `UPDATE_DOCS=1 unit_cli` writes "
      "this file.\n\n"
      "An error is one JSON object `{\"code\",\"message\"}` with further members such as `hint` "
      "and "
      "`details`; branch on `code`.\n\n"
      "| code | exit | HTTP | meaning |\n|---|---|---|---|\n";
  for (const ErrorCode* row : all_errors()) {
    out.append("| ").append(row->published);
    out.append(" | ").append(std::to_string(row->exit_code));
    out.append(" | ").append(std::to_string(row->http_status));
    out.append(" | ").append(row->meaning).append(" |\n");
  }
  out +=
      "\n## Codes inside an envelope\n\n"
      "Written by the device into `stepResults[].data.error` (and `envelope.errorCode` where "
      "said), so the list is open.\n"
      "Over HTTP such an answer has the status 200 and `\"ok\":true`; its `envelope.status` is "
      "`failed`. This also holds for\n"
      "NODE_NOT_FOUND of a step.\n\n"
      "| code | where |\n|---|---|\n";
  for (const DeviceCode& code : kDeviceCodes)
    out.append("| ").append(code.published).append(" | ").append(code.where).append(" |\n");
  return out;
}

}  // namespace

TEST_CASE("error table: published codes, exit codes and statuses", "[cli]") {
  struct Case {
    Errc code;
    const char* published;
    int http;
  };
  const auto [code, published, http] = GENERATE(values<Case>({
      {errc::execution_validation_failed, "EXECUTION_VALIDATION_FAILED", 400},
      {errc::payload_too_large, "PAYLOAD_TOO_LARGE", 413},
      {errc::no_devices, "NO_DEVICES", 404},
      {errc::device_not_found, "DEVICE_NOT_FOUND", 404},
      {errc::multiple_devices_device_id_required, "MULTIPLE_DEVICES_DEVICE_ID_REQUIRED", 400},
      {errc::operator_not_installed, "OPERATOR_NOT_INSTALLED", 500},
      {errc::execution_conflict_in_flight, "EXECUTION_CONFLICT_IN_FLIGHT", 423},
      {errc::broadcast_failed, "BROADCAST_FAILED", 500},
      {errc::result_envelope_timeout, "RESULT_ENVELOPE_TIMEOUT", 504},
      {errc::result_envelope_malformed, "RESULT_ENVELOPE_MALFORMED", 500},
      {errc::result_transport_exited, "RESULT_TRANSPORT_EXITED", 500},
      {errc::device_shell_unavailable, "DEVICE_SHELL_UNAVAILABLE", 500},
      {errc::adb_not_found, "ADB_NOT_FOUND", 500},
      {errc::link_lost, "LINK_LOST", 500},
      {errc::unknown, "UNKNOWN", 500},
  }));
  CHECK(code->published == published);
  CHECK(code->http_status == http);
  CHECK(code->exit_code == 1);
}

TEST_CASE("error table: every row is complete and published once", "[cli]") {
  std::set<std::string_view> seen;
  for (const ErrorCode* row : all_errors()) {
    INFO(row->published);
    CHECK(seen.insert(row->published).second);
    CHECK(row->exit_code != 0);
    // A skill that proved nothing is an answer, not a failure of the request.
    CHECK((row->http_status >= 400 || Errc(*row) == errc::skill_verification_indeterminate));
    CHECK(row->meaning.ends_with('.'));
  }
  CHECK(errc::cancelled.exit_code == 130);
}

// An ErrorCode that its room's list leaves out would be missing in the documents.
TEST_CASE("error table: it has every code that the sources declare", "[cli]") {
  std::set<std::string> declared;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(CLAWPERATOR_SOURCE_DIR "/src")) {
    if (entry.path().filename() != "errc.hpp") continue;
    const std::string text = read_file(entry.path().c_str());
    static const std::regex kDeclaration(R"re(ErrorCode (\w+)\{\s*"(\w+)")re");
    for (std::sregex_iterator found(text.begin(), text.end(), kDeclaration), end; found != end;
         ++found) {
      declared.insert((*found)[2]);
    }
  }
  std::set<std::string> listed;
  for (const ErrorCode* row : all_errors()) listed.insert(std::string(row->published));
  CHECK(declared.size() > 100);
  CHECK(listed == declared);
}

TEST_CASE("error table: docs/reference/errors.md says the same", "[cli]") {
  if (std::getenv("UPDATE_DOCS") != nullptr) std::ofstream(kDocs) << error_table_markdown();
  CHECK(read_file(kDocs) == error_table_markdown());
}
