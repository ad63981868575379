#include "runtime/contract/error_codes.hpp"
#include "runtime/contract/errc.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>

#include "runtime/contract/error_members.hpp"

using namespace clawperator;
using namespace adbproto;

namespace {

constexpr const char* kDocs = CLAWPERATOR_SOURCE_DIR "/docs/errors.md";

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
    {"CONTAINER_AMBIGUOUS", "scroll, scroll_until, read_text: with `strict`"},
    {"CONTAINER_LOST", "scroll_until"},
    {"CONTAINER_NOT_FOUND", "scroll, scroll_until, read_text"},
    {"CONTAINER_NOT_SCROLLABLE", "scroll, scroll_until"},
    {"GESTURE_FAILED", "scroll"},
    {"GLOBAL_ACTION_FAILED", "press_key"},
    {"INVALID_REGEX_PATTERN", "read_text"},
    {"NAVIGATION_TIMEOUT", "wait_for_navigation"},
    {"RECORDING_ALREADY_IN_PROGRESS", "start_recording"},
    {"RECORDING_NOT_IN_PROGRESS", "stop_recording"},
    {"RECORDING_START_FAILED", "start_recording"},
    {"RECORDING_STOP_FAILED", "stop_recording"},
    {"RECORDING_STORAGE_UNAVAILABLE", "start_recording"},
    {"TARGET_NOT_FOUND", "scroll_until"},
    {"UNSUPPORTED_RUNTIME_CLOSE", "close_app; the host closes the app itself and clears it"},
    {"UNSUPPORTED_RUNTIME_SCREENSHOT", "take_screenshot; the host takes the picture and clears it"},
    {"VALIDATOR_MISMATCH", "read_text"},
    {"VALUE_NODE_NOT_FOUND", "read_key_value_pair"},
});

// The text of docs/errors.md.
std::string error_table_markdown() {
  std::string out =
      "# Errors\n\n"
      "Generated from `src/runtime/contract/error_codes.cpp`: `UPDATE_DOCS=1 unit_contract` writes "
      "this file.\n\n"
      "An error is one JSON object `{\"code\",\"message\"}` with further members such as `hint` "
      "and "
      "`details`; branch on `code`.\n\n"
      "| code | exit | HTTP | meaning |\n|---|---|---|---|\n";
  for (const ErrorRow& row : error_table()) {
    out.append("| ").append(row.published);
    out.append(" | ").append(std::to_string(row.exit_code));
    out.append(" | ").append(std::to_string(row.http_status));
    out.append(" | ").append(row.meaning).append(" |\n");
  }
  out +=
      "\n## Codes inside an envelope\n\n"
      "Written by the device into `stepResults[].data.error` (and `envelope.errorCode` where "
      "said), so the list is open.\n\n"
      "| code | where |\n|---|---|\n";
  for (const DeviceCode& code : kDeviceCodes)
    out.append("| ").append(code.published).append(" | ").append(code.where).append(" |\n");
  return out;
}

}  // namespace

TEST_CASE("error table: published codes, exit codes and statuses", "[contract]") {
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
  CHECK(error_row(code).published == published);
  CHECK(error_row(code).http_status == http);
  CHECK(error_row(code).exit_code == 1);
}

TEST_CASE("error table: every row is complete and published once", "[contract]") {
  std::set<std::string_view> seen;
  for (const ErrorRow& row : error_table()) {
    INFO(row.published);
    CHECK(seen.insert(row.published).second);
    CHECK(&error_row(row.code) == &row);
    CHECK(row.exit_code != 0);
    // A skill that proved nothing is an answer, not a failure of the request.
    CHECK((row.http_status >= 400 || row.code == errc::skill_verification_indeterminate));
    CHECK(row.meaning.ends_with('.'));
  }
  CHECK(error_row(errc::cancelled).exit_code == 130);
  CHECK(error_row(static_cast<Errc>(9999)).published == "UNKNOWN");
}

TEST_CASE("error: its members follow code and message", "[contract]") {
  CHECK(to_json(Error(errc::no_devices, "no \"device\"")) ==
        R"({"code":"NO_DEVICES","message":"no \"device\""})");
  CHECK(to_json(Error(errc::usage, "m", ErrorMembers().str())) ==
        R"({"code":"USAGE","message":"m"})");
  const auto details = ErrorMembers().text("path", "a\xff").number("elapsedMs", 12);
  const auto members = ErrorMembers().text("hint", "h").object("details", details).str();
  CHECK(to_json(Error(errc::link_lost, "gone", members)) ==
        "{\"code\":\"LINK_LOST\",\"message\":\"gone\",\"hint\":\"h\","
        "\"details\":{\"path\":\"a\ufffd\",\"elapsedMs\":12}}");
}

TEST_CASE("error table: docs/errors.md says the same", "[contract]") {
  if (std::getenv("UPDATE_DOCS") != nullptr) std::ofstream(kDocs) << error_table_markdown();
  CHECK(read_file(kDocs) == error_table_markdown());
}
