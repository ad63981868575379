#include "base/url.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace base {
namespace {

constexpr std::string_view kHidden = "***@";

// Accepts "HOST", "HOST:PORT" and "[::1]:PORT"; any other text behind the colon may be the
// beginning of a password that contains a '/'.
bool is_host_and_port(std::string_view authority) {
  const auto bracket = authority.starts_with('[') ? authority.find(']') : 0;
  if (bracket == authority.npos) return false;
  const auto colon = authority.find(':', bracket);
  if (colon == authority.npos) return true;
  const std::string_view port = authority.substr(colon + 1);
  return !port.empty() && std::ranges::all_of(port, is_digit);
}

}  // namespace

std::string shown_url(std::string_view url) {
  const auto scheme_end = url.find("://");
  const bool has_scheme = scheme_end != url.npos;
  const std::size_t begin = has_scheme ? scheme_end + 3 : 0;
  const std::string_view rest = url.substr(begin);
  const std::string_view authority = rest.substr(0, rest.find_first_of("/?#\\"));
  std::size_t at = authority.rfind('@');
  if (at == authority.npos && !is_host_and_port(authority)) at = rest.rfind('@');
  if (at == rest.npos) return std::string(url);
  const std::string scheme = has_scheme ? ascii_lower(url.substr(0, scheme_end)) : "ssh";
  if (scheme.ends_with("ssh") && !rest.substr(0, at).contains(':')) return std::string(url);
  return std::string(url.substr(0, begin)) + std::string(kHidden) +
         std::string(rest.substr(at + 1));
}

}  // namespace base
