#include <unistd.h>

#include <array>

#include "adbproto/client/key_store.hpp"
#include "cli/adb/context.hpp"
#include "runtime/device/environment.hpp"

namespace clawperator::cli {
namespace {

// Whose key it is, as adb words it: user@host.
std::string key_comment() {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  return environment_variable("LOGNAME").value_or("unknown") + "@" +
         (host[0] == '\0' ? "unknown" : host.data());
}

Task<int> run_keygen(AdbContext*, std::vector<std::string> arguments) {
  if (arguments.size() != 1) co_return adb_failed("keygen requires an argument");
  CO_TRY_VOID(adbproto::write_new_key(arguments[0], key_comment()));
  co_return 0;
}

}  // namespace

constinit const AdbCommand kAdbKeygen = {"keygen", " keygen FILE",
                                         "make a key pair: FILE and FILE.pub", run_keygen};

}  // namespace clawperator::cli
