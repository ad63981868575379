#include "skills/hub/member_name.hpp"

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "runtime/contract/errc.hpp"

namespace clawperator::hub {
namespace {

constexpr std::size_t kShownName = 200;

std::string_view without_start(std::string_view name) {
  if (name.starts_with("./")) name.remove_prefix(1);
  const auto first = name.find_first_not_of('/');
  return first == name.npos ? std::string_view() : name.substr(first);
}

}  // namespace

Result<std::string> member_path(std::string_view name) {
  const std::string_view path = without_start(name);
  if (path.empty() || path.ends_with('/')) return std::string();
  bool leads_out = path.contains('\\');
  for (std::string_view rest = path; !leads_out;) {
    const auto end = rest.find('/');
    const std::string_view part = rest.substr(0, end);
    leads_out = part.empty() || part == "." || part == "..";
    if (end == rest.npos) break;
    rest.remove_prefix(end + 1);
  }
  if (leads_out) {
    return fail(errc::archive_refused,
                "the archive has a name that leads out of its folder: " +
                    in_quotes(harmless_text(name.substr(0, kShownName), "?")));
  }
  const std::string first = ascii_lower(path.substr(0, path.find('/')));
  if (first == ".clawhub" || first == ".clawdhub") return std::string();
  return std::string(path);
}

}  // namespace clawperator::hub
