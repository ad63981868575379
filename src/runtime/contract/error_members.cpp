#include "runtime/contract/error_members.hpp"

namespace clawperator {

Error with_members(const Error& error, const ErrorMembers& added) {
  const std::string& own = error.members();
  const std::string members =
      own.size() <= 2 ? added.str() : own.substr(0, own.size() - 1) + "," + added.str().substr(1);
  return {error.code(), error.message(), members};
}

}  // namespace clawperator
