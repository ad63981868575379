#pragma once
// What the stages of one execution share.

#include "base/async/signal.hpp"
#include "runtime/contract/secrets.hpp"
#include "runtime/device/lock_line.hpp"
#include "runtime/engine/channel.hpp"
#include "runtime/engine/device_session.hpp"
#include "runtime/engine/dispatch_machine.hpp"
#include "runtime/engine/engine.hpp"
#include "runtime/engine/execution_trace.hpp"
#include "runtime/engine/observed_device.hpp"
#include "runtime/engine/operator_choice.hpp"
#include "runtime/engine/point_check.hpp"
#include "runtime/engine/post_process.hpp"
#include "runtime/engine/ref_guard.hpp"
#include "runtime/engine/result_collector.hpp"
#include "runtime/engine/screen_watch.hpp"
#include "runtime/log/event_log.hpp"

namespace clawperator {

struct RunState {
  RunState(ExecuteRequest request, EventLog* log, Trace* trace)
      : request_(std::move(request)),
        log_(log),
        trace_(trace),
        typed_(typed_by(request_.execution)),
        secrets_(secrets_of(request_.execution)),
        operator_(request_.operator_package) {
    typed_.add(request_.secrets);
    secrets_.add(request_.secrets);
  }

  ExecuteRequest request_;
  EventLog* log_;
  ExecutionTrace trace_;
  ExecuteResult result_;
  Secrets typed_, secrets_;  // no event, log or error shows the former, no answer the latter
  std::optional<InFlight> in_flight_;
  std::shared_ptr<DeviceSession> session_;  // absent: the process ends with the command
  std::shared_ptr<adbproto::Device> kept_;  // what the session reads its log from
  std::unique_ptr<adbproto::Device> device_;
  std::optional<CommandChannel> channel_;
  std::optional<LockLines> own_lines_;  // of a process that ends with the command
  std::uint64_t arrival_ = 0;
  std::optional<LockLines::Turn> turn_;
  std::optional<ScreenWatch> watch_;
  std::string dispatch_id_;  // of the dispatch that collector_ awaits the answer to
  ResultCollector collector_{{}, 0};
  std::unique_ptr<CommandLog> log_stream_;  // feeds the collector
  DeviceMemory recalled_;                   // as it stands on disk
  DeviceMemory memory_;                     // as it should
  bool rebooted_ = false;                   // since that was written
  DispatchMachine machine_;
  DispatchAction next_ = DispatchAction::none;  // what the machine wants next
  std::optional<adbproto::Timer> alarm_;        // of the machine
  std::optional<adbproto::Signal> asked_;       // wants_operator_ has changed
  bool wants_operator_ = false;                 // so does the machine
  std::optional<Result<CommandOutput>> broadcast_end_;
  std::optional<Error> log_end_, misfit_;             // why no answer came, or none of this plan
  bool shell_may_run_ = false;                        // a step by the shell may go on
  bool dispatch_left_ = false;                        // the device has the command
  std::string dispatch_failure_;                      // what the broadcast said when it failed
  std::vector<Hierarchy> hierarchies_;                // ours, once the log was read
  ServiceListing service_ = ServiceListing::unknown;  // asked when the app misses its service
  bool closing_event_written_ = false, was_cancelled_ = false;
  std::optional<RefGuard> guard_;  // of a plan with a ref
  bool binds_ = false;             // the app knows strict and ancestor
  bool looking_ = false;  // the dispatch is a look of our own: no stage or event of it goes out
  bool trusts_operator_ = false, asks_operator_ = false;  // found over this very link; just now
  OperatorChoice operator_;
  bool screen_answered_ = false, screen_was_asked_ = false;  // the latter by what asks nothing else
  PointCheck points_;                                        // that the plan names by numbers
  std::optional<adbproto::Signal> answered_;                 // one of the two was
  adbproto::Clock::time_point start_ = adbproto::Clock::now();
  adbproto::Clock::time_point dispatch_start_{};
};

}  // namespace clawperator
