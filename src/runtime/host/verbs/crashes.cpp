#include "runtime/host/verbs/crashes.hpp"

#include "base/text.hpp"
#include "runtime/android/package_log_commands.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/host/android_services.hpp"
#include "runtime/host/verbs/apps.hpp"

namespace clawperator {
namespace {

using namespace adbproto::parallel;

constexpr std::chrono::seconds kPatience(5);
constexpr std::int64_t kRecentMs = 600'000;

Task<CrashReport> read_crashes_of(TargetOptions target, std::string package,
                                  ResolveDevice resolve) {
  CO_TRY(const auto device, co_await resolve(std::move(target)));
  co_return co_await read_crashes(device.get(), std::move(package));
}

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

Task<JsonObject> find_recent_crash(TargetOptions target, std::string package,
                                   ResolveDevice resolve) {
  const auto report = co_await adbproto::with_deadline(
      read_crashes_of(std::move(target), std::move(package), std::move(resolve)), kPatience,
      "the phone's log");
  const bool is_recent = report && report->last && report->ago_ms && *report->ago_ms < kRecentMs;
  if (!is_recent) co_return JsonObject();
  co_return to_json(*report->last).number("agoMs", *report->ago_ms);
}

}  // namespace clawperator
