#include "skills/registry/paths.hpp"

namespace clawperator::skills {
namespace {

bool is_plain_part(std::string_view part) { return part != ".."; }

}  // namespace

bool is_inner_path(std::string_view path) {
  if (path.empty() || path.starts_with('/') || path.contains('\\') || path.contains('\0')) {
    return false;
  }
  while (!path.empty()) {
    const auto end = path.find('/');
    if (!is_plain_part(path.substr(0, end))) return false;
    path = end == path.npos ? std::string_view{} : path.substr(end + 1);
  }
  return true;
}

std::optional<std::string> outer_path_of(const Skill& skill) {
  for (const std::string* path : {&skill.path, &skill.skill_file}) {
    if (!is_inner_path(*path)) return *path;
  }
  for (const auto* list : {&skill.scripts, &skill.artifacts}) {
    for (const std::string& path : *list) {
      if (!is_inner_path(path)) return path;
    }
  }
  return std::nullopt;
}

}  // namespace clawperator::skills
