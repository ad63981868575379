// Invariants: no input crashes or takes long; a JSON text stays one; behind a name that holds a
// secret, at the beginning of a line, nothing of the value is left. The input: the value, NUL, the
// text.

#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/named_secrets.hpp"

using namespace clawperator;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto end = std::min(input.find('\0'), input.size());
  const std::string_view text = end < input.size() ? input.substr(end + 1) : "";
  without_named_secrets(without_named_secrets(text));
  Secrets known;
  known.add(input.substr(0, std::min<std::size_t>(end, 64)));
  masked_for_log(text, known);
  if (nlohmann::json::accept(text)) {
    if (!nlohmann::json::accept(masked_json_for_log(text, known))) std::abort();
  }

  std::string value(input.substr(0, end));
  std::erase_if(value, [](char c) {
    return std::string_view("\r\n\"'`{[\\ \t=:>+?").contains(c) || kMask.contains(c);
  });
  if (value.empty()) return 0;
  const std::string line = "API_KEY=" + value + "\n" + std::string(text);
  if (without_named_secrets(line).substr(0, 9 + kMask.size()) !=
      "API_KEY=" + std::string(kMask) + "\n") {
    std::abort();
  }
  return 0;
}
