#include "cli/adb/device_service.hpp"

namespace clawperator::cli {
namespace {

Task<int> run_jdwp(AdbContext* context, std::vector<std::string>) {
  co_return co_await print_service(context, "jdwp");
}

}  // namespace

constinit const AdbCommand kAdbJdwp{"jdwp", " jdwp",
                                    "list pids of processes hosting a JDWP transport", run_jdwp};

}  // namespace clawperator::cli
