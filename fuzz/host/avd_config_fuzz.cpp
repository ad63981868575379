// Invariants: what is read is bounded and the same when it is written out and read again; a device
// is supported exactly when nothing speaks against it, and its JSON is valid; a name that is
// accepted cannot leave its folder or be an option; names of consoles and devices are one line.

#include <nlohmann/json.hpp>

#include "runtime/host/emulator/avd.hpp"
#include "runtime/host/emulator/running.hpp"
#include "wire/chunks.hpp"

using namespace adbproto;
using namespace clawperator;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto properties = parse_avd_file(text);
  fuzz::require(properties.size() <= kMaxAvdProperties);
  std::string again;
  for (const auto& [key, value] : properties) {
    fuzz::require(!key.empty() && !key.contains('=') && !value.contains('\n'));
    again += key + "=" + value + "\n";
  }
  fuzz::require(again.size() > kMaxAvdFile || parse_avd_file(again) == properties);
  for (const HostArch arch : {HostArch::arm64, HostArch::x86_64}) {
    const Avd avd = describe_avd(text.substr(0, 50), properties, properties, arch);
    fuzz::require(avd.supported == avd.unsupported_reasons.empty());
    fuzz::require(nlohmann::json::accept(to_json(avd)));
  }
  if (is_avd_name(text)) {
    fuzz::require(!text.contains('/') && text.front() != '-' && text != "..");
  }
  fuzz::require(!name_in_console_reply({ConsoleReply::Verdict::ok, text}).contains('\n'));
  fuzz::require(!parse_boot_state(text).avd_name.contains('\n'));
  return 0;
}
