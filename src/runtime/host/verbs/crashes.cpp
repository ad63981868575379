#include "runtime/host/verbs/crashes.hpp"

#include "base/text.hpp"
#include "runtime/android/package_log_commands.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/host/android_services.hpp"
#include "runtime/host/verbs/apps.hpp"

namespace clawperator {
namespace {

using namespace adbproto::parallel;

}  // namespace

Task<CrashReport> read_crashes(adbproto::Device* device, std::string package) {
  AndroidServices services(device);
  const auto [there, printed] =
      co_await (require_package(&services, package) && run_on_device(device, crashes_line()));
  CO_TRY_VOID(there);
  CO_TRY_VOID(printed);
  // Of a log that cannot be read nothing is said; a divider stands at the head of one that can.
  if (!printed->out.contains("---------") && !trimmed(printed->err).empty()) {
    co_return fail(errc::logcat_unavailable,
                   "the phone's log cannot be read: " + one_message(printed->err));
  }
  co_return parse_crashes(printed->out, package);
}

}  // namespace clawperator
