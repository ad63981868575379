// Invariants: no input crashes; a JSON text stays one, with its names; a text without the secret
// stays as it is; of a longer secret nothing is left. The input: the secret, NUL, the text.

#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "runtime/contract/secrets.hpp"

using namespace clawperator;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto end = std::min(input.find('\0'), input.size());
  const std::string_view secret = input.substr(0, std::min<std::size_t>(end, 64));
  const std::string_view text = end < input.size() ? input.substr(end + 1) : "";
  Secrets secrets;
  secrets.add(secret);
  const bool is_long = secret.size() >= 12 && secret.find_first_of(kMask) == secret.npos;
  const std::string masked = secrets.masked(text);
  if (is_long && std::string_view(masked).contains(secret)) std::abort();
  if (nlohmann::json::accept(text) && !nlohmann::json::accept(secrets.masked_json(text))) {
    std::abort();
  }
  Envelope envelope;
  envelope.step_results.push_back({"s", "snapshot_ui", true, {{"text", std::string(text)}}});
  envelope.step_results.back().data.emplace_back("xml", "<hierarchy " + std::string(text));
  mask(envelope, secrets);
  return 0;
}
