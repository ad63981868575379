#pragma once
// One plan's conversation with the Operator app: drives the dispatch machine. Performs its actions,
// reports their events, and turns its end into the published outcome.

#include "runtime/engine/dispatch_machine.hpp"
#include "runtime/engine/operator_backend/dispatch_report.hpp"
#include "runtime/engine/operator_backend/operator_search.hpp"
#include "runtime/engine/post_process.hpp"

namespace clawperator {

// Keeps a plan with a ref from every other node. It works before and inside a broadcast.
class BroadcastGuard {
 public:
  virtual ~BroadcastGuard() = default;
  // STALE_REF where the shown node is not there. `by_look`: a snapshot has to show it.
  virtual Task<void> make_sure(bool by_look) = 0;
  // The plan as it is sent to the app, and the change to the shell's line that carries it, if there
  // is one.
  [[nodiscard]] virtual Execution bound(Execution plan) const = 0;
  [[nodiscard]] virtual CommandChannel::Wrap wrap() const = 0;
  virtual void clean(Envelope& envelope) const = 0;
};

// The device's log, and what it contains of the present dispatch.
struct DispatchLog {
  ResultCollector collector{{}, 0};
  std::unique_ptr<CommandLog> stream;  // feeds the collector
};

// The participants. All of them outlive the conversation.
struct ConversationParts {
  ExecutionJob* job;
  ExecutionObserver* observer;
  Phone* phone;
  OperatorSearch* search;
  DispatchLog* log;
};

class Conversation {
 public:
  enum class Kind : std::uint8_t {
    plan,
    look,  // a snapshot of our own: its stages and events are not passed on
  };
  Conversation(const ConversationParts& parts, const Execution* plan, Kind kind);
  ~Conversation() = default;
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;

  // For a plan with a ref.
  void guard_by(BroadcastGuard* guard) { guard_ = guard; }

  // Until the answer and the hierarchies of its snapshots are there, or cannot arrive any more.
  Task<void> run();
  // Dispatches once more with another id, because the answer proved that nothing was touched; never
  // a third time.
  Task<void> repeat();

  [[nodiscard]] const Envelope& envelope() const { return envelope_; }
  [[nodiscard]] Envelope take_envelope() { return std::move(envelope_); }
  [[nodiscard]] std::vector<Hierarchy> take_hierarchies() { return std::move(hierarchies_); }
  [[nodiscard]] bool may_be_running() const { return machine_.may_be_running(); }

 private:
  [[nodiscard]] DispatchRules rules(bool may_repeat) const;
  [[nodiscard]] DispatchSigns signs() const;
  void listen();
  void advance(DispatchEvent event);
  Task<void> converse();
  Task<void> perform();
  Task<void> begin_anew();
  Task<void> make_sure(bool by_look);
  void begin_again();
  asio::awaitable<void> dispatch_once();
  asio::awaitable<void> read_log();
  asio::awaitable<void> send_broadcast();
  asio::awaitable<void> watch_operator();
  asio::awaitable<void> keep_time();
  [[nodiscard]] DispatchEvent judge(const Result<CommandOutput>& output, bool is_wrapped);
  DispatchEvent judge_envelope();
  asio::awaitable<DispatchEvent> await_service();
  asio::awaitable<bool> service_comes_back();
  asio::awaitable<DispatchEvent> read_snapshots();
  void log_dispatch();
  [[nodiscard]] Error broadcast_error() const;
  [[nodiscard]] Error operator_absent_error() const;
  Result<void> outcome();

  ConversationParts parts_;
  const Execution* plan_;
  Kind kind_;
  BroadcastGuard* guard_ = nullptr;
  DispatchMachine machine_;
  DispatchAction next_ = DispatchAction::none;  // the machine's next action
  DispatchReport report_;
  std::optional<base::Timer> alarm_;   // of the machine
  std::optional<base::Signal> asked_;  // wants_operator_ has changed
  bool wants_operator_ = false;        // whether the machine waits for the Operator's presence
  std::optional<Result<CommandOutput>> broadcast_end_;
  std::optional<Error> log_end_, misfit_;  // why there is no answer, or none of this plan
  Envelope envelope_;
  std::vector<Hierarchy> hierarchies_;
};

}  // namespace clawperator
