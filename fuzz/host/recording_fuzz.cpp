// Invariants: no input crashes; a refusal has one of two codes; what is accepted becomes JSON that
// parses.

#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "runtime/host/errc.hpp"
#include "runtime/host/recording/export_json.hpp"

using namespace clawperator;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto recording = parse_recording({reinterpret_cast<const char*>(data), size});
  if (!recording) {
    const auto code = recording.error().code();
    if (code != errc::recording_parse_failed &&
        code != errc::recording_schema_version_unsupported) {
      std::abort();
    }
    return 0;
  }
  if (!nlohmann::json::accept(steps_json(*recording))) std::abort();
  if (!nlohmann::json::accept(export_json(*recording, {}, Snapshots::include))) std::abort();
  if (!nlohmann::json::accept(export_json(*recording, {}, Snapshots::omit))) std::abort();
  step_lines(*recording);
  return 0;
}
