#include "cli/adb/context.hpp"

namespace clawperator::cli {
namespace {

Task<int> run_sync(AdbContext*, std::vector<std::string>) {
  co_return not_offered("sync", "it copies a build of the system; use push --sync");
}

}  // namespace

constinit const AdbCommand kAdbSync{"sync", " sync", "not offered: use push --sync", run_sync};

}  // namespace clawperator::cli
