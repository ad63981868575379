// Invariants: an accepted URL is https, or http to this computer; it has a host of its own, no user
// name, nothing that a terminal or a header would act on; a path changes nothing about that.

#include "runtime/fetch/http_stream.hpp"
#include "wire/chunks.hpp"

using namespace adbproto;
using namespace clawperator;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string url(reinterpret_cast<const char*>(data), size);
  if (size < 1900) fuzz::require(!check_url("http://" + url) || check_url("https://" + url));
  if (!check_url(url)) return 0;
  fuzz::require(std::ranges::all_of(url, [](char c) { return c > ' ' && c <= '~'; }));
  const bool plain = url.starts_with("http://");
  fuzz::require(plain || url.starts_with("https://"));
  const std::string rest = url.substr(plain ? 7 : 8);
  const std::string authority = rest.substr(0, rest.find_first_of("/?#"));
  fuzz::require(!authority.empty() && !authority.contains('@') && !authority.contains('%'));
  const bool ours = authority.starts_with("127.") || authority.starts_with("localhost") ||
                    authority.starts_with("[::1]");
  fuzz::require(!plain || ours);
  const std::string front = url.substr(0, url.size() - rest.size()) + authority;
  fuzz::require(front.size() > 1900 || check_url(front + "/@evil.example/").has_value());
  return 0;
}
