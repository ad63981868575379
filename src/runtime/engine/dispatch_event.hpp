#pragma once
// The events of a dispatch: of the broadcast, the package manager, the clock and the log.

#include "base/prelude.hpp"

namespace clawperator {

enum class DispatchEvent : std::uint8_t {
  begin,  // the turn is ours, the effects are announced, the node of a ref was checked
  // Of the broadcast. It has one end; events after that are ignored until the next begin.
  broadcast_opened,     // the device has all of the command
  broadcast_sent,       // its end: the device sent it
  broadcast_held_back,  // its end: the phone's shell did not send it, another window is in front
  broadcast_too_long,   // its end: no way of passing it has room for it
  broadcast_refused,    // its end: the device answered with an error
  broadcast_failed,     // its end: any other error
  link_lost,            // its end: the link to the device failed
  // Of the package manager.
  operator_found,
  operator_missing,
  // Of the clock, as next_alarm() requests them.
  trusted_silence,
  patience_over,
  deadline,
  // Of the log.
  envelope,
  envelope_without_service,  // the app refused at once: its accessibility service is missing
  envelope_unfit,            // the envelope of another plan
  log_ended,
  log_broken,   // a result of ours that cannot be read: the app has finished
  result_lost,  // the same, and the log lost the rest
  // Of the accessibility service, after await_service.
  service_back,
  service_stays,
  // Of the snapshots, after read_snapshots.
  snapshots_read,
  snapshots_lost,
  cancelled,
};
inline constexpr std::size_t kDispatchEvents = std::size_t(DispatchEvent::cancelled) + 1;

// What the log has shown of the command at the time of an event.
struct DispatchSigns {
  bool silent = true;       // no line names it
  bool started = false;     // the app has started it
  std::size_t records = 0;  // of its result
  bool answered = false;    // the whole result is here; it is still being read
};

}  // namespace clawperator
