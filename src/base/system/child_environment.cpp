#include "base/system/child_environment.hpp"

#include <unistd.h>

#include <algorithm>

#include "base/named_secrets.hpp"
#include "base/text.hpp"

namespace base {
namespace {

constexpr std::string_view kNever = "CLAWPERATOR_TOKEN";
constexpr std::string_view kAlways =
    "PATH HOME USER LOGNAME SHELL TERM COLORTERM NO_COLOR LANG LANGUAGE LC_* TZ TMPDIR XDG_* "
    "LD_LIBRARY_PATH http_proxy https_proxy ftp_proxy all_proxy no_proxy HTTP_PROXY HTTPS_PROXY "
    "FTP_PROXY ALL_PROXY NO_PROXY SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE REQUESTS_CA_BUNDLE "
    "NODE_EXTRA_CA_CERTS CLAWPERATOR_PASS_ENV";
// A shorter value occurs in too many texts, and is no key.
constexpr std::size_t kShortestKey = 8;

std::string_view name_of(std::string_view variable) {
  return variable.substr(0, variable.find('='));
}

bool fits(std::string_view name, std::string_view pattern) {
  if (!pattern.ends_with('*')) return name == pattern;
  pattern.remove_suffix(1);
  return name.starts_with(pattern) && !names_secret(name);
}

bool fits_any(std::string_view name, std::string_view patterns) {
  return std::ranges::any_of(split(patterns, ' '),
                             [name](std::string_view pattern) { return fits(name, pattern); });
}

std::string passed_names(std::span<const std::string> ours) {
  std::string names;
  for (const std::string& each : ours) {
    if (name_of(each) == kPassVariable) names = each.substr(name_of(each).size());
  }
  std::ranges::replace_if(names, [](char c) { return c == ',' || c == '='; }, ' ');
  return names;
}

}  // namespace

std::vector<std::string> child_environment(std::span<const std::string> ours,
                                           const EnvironmentRules& rules) {
  const std::string passed = passed_names(ours);
  const auto goes_along = [&](std::string_view name) {
    const bool is_set = std::ranges::any_of(
        rules.set, [name](std::string_view each) { return name_of(each) == name; });
    return name != kNever && !is_set &&
           (fits_any(name, kAlways) || fits_any(name, rules.needed) || is_one_of(name, passed));
  };
  std::vector<std::string> all;
  std::ranges::copy_if(ours, std::back_inserter(all),
                       [&](std::string_view each) { return goes_along(name_of(each)); });
  std::ranges::copy_if(rules.set, std::back_inserter(all),
                       [](const std::string& each) { return each.contains('='); });
  return all;
}

Secrets secrets_in(std::span<const std::string> ours) {
  const std::string passed = passed_names(ours);
  Secrets secrets;
  for (const std::string_view each : ours) {
    const std::string_view name = name_of(each);
    if (each.size() < name.size() + 1 + kShortestKey) continue;
    if (names_secret(name) || is_one_of(name, passed)) secrets.add(each.substr(name.size() + 1));
  }
  return secrets;
}

std::vector<std::string> our_environment() {
  std::vector<std::string> all;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    all.emplace_back(*entry);
  }
  return all;
}

}  // namespace base
