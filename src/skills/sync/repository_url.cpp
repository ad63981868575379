#include "skills/sync/repository_url.hpp"

#include <algorithm>
#include <filesystem>

#include "runtime/host/http_stream.hpp"

namespace clawperator::skills {
namespace {

// "user@host:path", as ssh and git take it.
bool is_scp_like(std::string_view given) {
  const auto colon = given.find(':');
  const auto at = given.find('@');
  return colon != given.npos && at != given.npos && at > 0 && at < colon &&
         given.find('/') > colon && colon + 1 < given.size();
}

Result<void> check_no_password(std::string_view rest) {
  const std::string_view authority = rest.substr(0, rest.find('/'));
  const auto at = authority.rfind('@');
  if (at == authority.npos || authority.substr(0, at).find(':') == authority.npos) return ok();
  return fail(errc::invalid_argument, "a repository's URL must not hold a password");
}

}  // namespace

Result<RepositoryUrl> read_repository_url(std::string_view given) {
  const auto odd = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; };
  if (given.empty() || given.size() > 2000 || std::ranges::any_of(given, odd)) {
    return fail(errc::invalid_argument, "the repository's URL is empty, too long or odd");
  }
  const auto scheme_end = given.find("://");
  if (scheme_end == given.npos) {
    if (is_scp_like(given)) return RepositoryUrl{std::string(given), RepositoryWay::ssh};
    const auto path = std::filesystem::absolute(given).lexically_normal();
    return RepositoryUrl{path.string(), RepositoryWay::local};
  }
  const std::string_view scheme = given.substr(0, scheme_end);
  if (scheme == "file") return RepositoryUrl{std::string(given), RepositoryWay::local};
  if (scheme == "ssh") {
    TRY_VOID(check_no_password(given.substr(scheme_end + 3)));
    return RepositoryUrl{std::string(given), RepositoryWay::ssh};
  }
  TRY_VOID(check_url(given));
  return RepositoryUrl{std::string(given), RepositoryWay::https};
}

}  // namespace clawperator::skills
