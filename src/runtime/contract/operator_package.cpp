#include "runtime/contract/operator_package.hpp"

namespace clawperator {

namespace {

constexpr std::string_view kDebugSuffix = ".dev";

}  // namespace

bool is_debug_variant(std::string_view operator_package) {
  return operator_package.ends_with(kDebugSuffix);
}

std::string alternate_variant(const std::string& operator_package) {
  if (!is_debug_variant(operator_package)) return operator_package + std::string(kDebugSuffix);
  return operator_package.substr(0, operator_package.size() - kDebugSuffix.size());
}

}  // namespace clawperator
