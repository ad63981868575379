// The input: a folder, NUL, what a client calls a file. Invariants: a name that is allowed is one
// or more parts, none of them empty, "." or ".."; it is allowed once more as it is, and as the
// absolute name that it leads to.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "runtime/serve/client_files.hpp"

using namespace clawperator;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto end = std::min(input.find('\0'), input.size());
  const std::string folder = "/" + std::string(input.substr(0, end));
  if (folder.ends_with('/')) return 0;
  const std::string_view name = end < input.size() ? input.substr(end + 1) : "";
  const auto below = serve::name_below(folder, name);
  if (!below) return 0;
  if (below->contains('\0')) std::abort();
  for (std::string_view rest = *below;;) {
    const std::string_view part = rest.substr(0, rest.find('/'));
    if (part.empty() || part == "." || part == "..") std::abort();
    if (part.size() == rest.size()) break;
    rest.remove_prefix(part.size() + 1);
  }
  if (serve::name_below(folder, *below) != *below) std::abort();
  if (serve::name_below(folder, folder + "/" + *below) != *below) std::abort();
  return 0;
}
