#include "runtime/host/packages.hpp"

#include "base/text.hpp"
#include "runtime/host/android_services.hpp"

namespace clawperator {

Task<std::vector<std::string>> list_packages(adbproto::Device* device, PackageKind kind) {
  AndroidServices services(device);
  CO_TRY(const int user, co_await services.find_user());
  CO_TRY(const auto listing,
         co_await services.ask(AndroidService::package, all_packages_words(user, kind)));
  co_return parse_package_list(listing.out);
}

std::vector<std::string> parse_package_list(std::string_view listing) {
  constexpr std::string_view kPrefix = "package:";
  std::vector<std::string> names;
  while (!listing.empty()) {
    const std::string_view line = take_line(&listing);
    if (!line.starts_with(kPrefix)) continue;
    const std::string_view name = trimmed(line.substr(kPrefix.size()));
    if (!name.empty()) names.emplace_back(name);
  }
  return names;
}

}  // namespace clawperator
