#include "skills/registry/paths.hpp"

namespace clawperator::skills {

bool is_inner_path(std::string_view path) {
  if (path.empty() || path.starts_with('/') || path.contains('\\') || path.contains('\0')) {
    return false;
  }
  while (!path.empty()) {
    const auto end = path.find('/');
    if (path.substr(0, end) == "..") return false;
    path = end == path.npos ? std::string_view{} : path.substr(end + 1);
  }
  return true;
}

}  // namespace clawperator::skills
