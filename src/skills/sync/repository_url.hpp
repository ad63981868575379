#pragma once
// What a user names as the repository of skills.

#include <string>
#include <string_view>

#include "base/error.hpp"

namespace clawperator::skills {

enum class RepositoryWay { https, ssh, local };

struct RepositoryUrl {
  std::string text{};
  RepositoryWay way = RepositoryWay::https;
};

// https://..., http:// to this computer, ssh://..., USER@HOST:PATH, file:///..., or a path, which
// becomes absolute. invalid_argument for what nobody vouches for (git://, http:// elsewhere), for
// passwords, and for odd characters.
Result<RepositoryUrl> read_repository_url(std::string_view given);

}  // namespace clawperator::skills
