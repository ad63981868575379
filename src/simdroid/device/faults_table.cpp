#include "simdroid/device/faults.hpp"

namespace simdroid {

std::span<const FaultRow> fault_table() {
  static constexpr FaultRow kRows[] = {
      {Fault::envelope_none, "envelope-none", "", "the app never writes its result envelope"},
      {Fault::envelope_late, "envelope-late", "3000", "the envelope comes VALUE ms late"},
      {Fault::envelope_duplicate, "envelope-duplicate", "", "the envelope is written twice"},
      {Fault::envelope_malformed, "envelope-malformed", "", "the envelope is cut off JSON"},
      {Fault::envelope_foreign, "envelope-foreign", "", "another command's envelope comes first"},
      {Fault::envelope_foreign_malformed, "envelope-foreign-malformed", "",
       "a broken envelope of another command comes first"},
      {Fault::log_noise, "log-noise", "10000", "other processes log VALUE lines a second"},
      {Fault::log_drop, "log-drop", "2", "logd loses every VALUEth entry of the app"},
      {Fault::logcat_dies, "logcat-dies", "0", "logcat is killed after VALUE entries"},
      {Fault::logcat_refused, "logcat-refused", "", "logcat cannot read the log and exits with 1"},
      {Fault::logcat_silent, "logcat-silent", "", "logcat runs and prints nothing"},
      {Fault::broadcast_refused, "broadcast-refused",
       "Security exception: Permission Denial: broadcast not allowed",
       "am broadcast prints VALUE and exits with 1"},
      {Fault::broadcast_hangs, "broadcast-hangs", "", "am broadcast never returns"},
      {Fault::broadcast_dropped, "broadcast-dropped", "", "result=0, but nobody receives it"},
      {Fault::package_missing, "package-missing", "", "the Operator app is not installed"},
      {Fault::package_variant, "package-variant", "", "only the .dev variant is installed"},
      {Fault::accessibility_off, "accessibility-off", "", "the accessibility service is off"},
      {Fault::screencap_empty, "screencap-empty", "", "screencap prints nothing, exits with 0"},
      {Fault::screencap_truncated, "screencap-truncated", "1000",
       "screencap prints VALUE bytes only, exits with 0"},
      {Fault::screencap_fails, "screencap-fails", "Capturing failed.",
       "screencap prints VALUE on stderr and exits with 1"},
      {Fault::screencap_hangs, "screencap-hangs", "", "screencap never returns"},
      {Fault::link_cut, "link-cut", "0", "every link is cut after VALUE more bytes"},
      {Fault::link_stall, "link-stall", "0", "every link falls silent after VALUE more bytes"},
      {Fault::link_slow, "link-slow", "100", "every write to a link waits VALUE ms"},
      {Fault::link_hostile_length, "link-hostile-length", "0",
       "after VALUE more bytes and the end of the packet comes a header that announces 4 GiB"},
      {Fault::link_garbage, "link-garbage", "0",
       "after VALUE more bytes and the end of the packet comes garbage"},
      {Fault::shell_hostile_length, "shell-hostile-length", "",
       "a shell v2 service announces a 4 GiB packet"},
      {Fault::shell_no_exit, "shell-no-exit", "", "shell v2 closes without the exit packet"},
      {Fault::sync_hostile_length, "sync-hostile-length", "", "sync announces 4 GiB of data"},
      {Fault::service_refused, "service-refused", "abb", "services that begin with VALUE"},
      {Fault::feature_off, "feature-off", "abb_exec", "new links do not announce feature VALUE"},
      {Fault::storage_unavailable, "storage-unavailable", "", "recordings cannot be written"},
  };
  return kRows;
}

}  // namespace simdroid
