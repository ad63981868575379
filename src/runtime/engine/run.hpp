#pragma once
// One execution under way: what the stages of engine.cpp share, one member function a stage.

#include "runtime/device/identity.hpp"
#include "runtime/engine/run_state.hpp"

namespace clawperator {

class Run final : private ObservedDevice::Observer, private RunState {
 public:
  Run(ExecuteRequest request, EventLog* log, Trace* trace);
  ~Run() override;
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  // Whether the process has room for it; then what target() was resolved to.
  Task<void> admit();
  [[nodiscard]] const TargetOptions& target() const { return request_.target; }
  Task<void> take_device(Result<std::unique_ptr<adbproto::Device>> device);
  [[nodiscard]] bool needs_no_operator() const { return request_.backend == Backend::shell; }
  Task<ExecuteResult> run_by_shell();

  // What is asked while the stages go on, and waits for no other's answer, if anything is. Never
  // ends by itself.
  [[nodiscard]] bool asks_beside() const;
  asio::awaitable<void> ask_beside();
  // Waits for the Operator to be found, unless it was in this boot before: then the broadcast need
  // not wait, and dispatch_and_wait() ends when the Operator turns out to be gone.
  Task<void> attach_and_check();
  // In line, where the request has the patience. `told`: what the log does not tell.
  Task<void> take_turn(std::optional<DeviceFacts> told = std::nullopt);
  Task<void> announce_effects();
  asio::awaitable<void> look_before();  // where `verify` is asked for
  Task<void> stop_apps();
  // Until the answer and the hierarchies of our snapshots are there, as far as they ever will be.
  // Where a ref is used, only if what was shown is there: else STALE_REF, and nothing was sent.
  Task<void> dispatch();
  // The app did not find what was shown: STALE_REF with what is there instead. Ends with success
  // where there is no such miss.
  Task<void> explain_miss();
  Task<ExecuteResult> post_process();
  // The closing event, and the timings where they were asked for.
  Error failed(const Error& error);

 private:
  Task<void> act_by_shell();
  [[nodiscard]] DispatchRules dispatch_rules(bool may_repeat) const;
  [[nodiscard]] DispatchSigns signs() const;
  void advance(DispatchEvent event);
  Task<void> converse();
  Task<void> perform();
  Task<void> begin_anew();
  asio::awaitable<void> dispatch_once();
  asio::awaitable<void> read_log();
  asio::awaitable<void> send_broadcast();
  asio::awaitable<void> watch_operator();
  asio::awaitable<void> keep_time();
  [[nodiscard]] DispatchEvent judge_broadcast(const Result<CommandOutput>& output);
  DispatchEvent judge_envelope();
  asio::awaitable<DispatchEvent> await_service();
  asio::awaitable<DispatchEvent> collect_snapshots();
  void begin_again();
  void note_failure();
  Result<void> outcome();
  Error broadcast_error() const;
  Task<void> make_sure(bool by_look);
  [[nodiscard]] Result<void> check_shower() const;
  Task<RefGuard> choose_guard();
  Task<void> look_for_shown();
  Task<UiTree> look();
  Task<UiTree> read_look();
  asio::awaitable<Error> explain_refusal(Error error);
  Task<void> show_tree();
  Task<std::unique_ptr<CommandLog>> attach();
  Task<void> meet(Identity identity);
  Task<void> meet_by_asking();
  asio::awaitable<void> check();
  asio::awaitable<void> measure_screen();
  asio::awaitable<bool> operator_answer();
  void on_operator_found(Result<FoundApps> found);
  [[nodiscard]] Result<std::vector<std::string>> judged() const;
  [[nodiscard]] std::string package_name() const { return operator_.package(recalled_); }
  Task<void> check_features();
  [[nodiscard]] bool stops_apps() const;
  [[nodiscard]] bool is_remembered(const DeviceFacts& facts) const;
  Error nobody_there();
  void on_open(const std::string& service) override;
  void on_opened(const std::string& service, const Error* error) override;
  void on_closed(const std::string& service, std::chrono::microseconds after,
                 std::size_t bytes) override;
  void begin_dispatch(std::string id);
  [[nodiscard]] std::string next_dispatch_id() const;
  Task<void> check_opened_app();
  asio::awaitable<bool> service_comes_back();
  void log_dispatch();
  [[nodiscard]] std::optional<std::string> why_no_result() const;
  Error timed_out() const;
  Error after_dispatch(const Error& error) const;
  Error wrong_variant() const;
  [[nodiscard]] std::string broadcast_status() const;
  [[nodiscard]] JsonObject dispatch_members() const;
  void add_log_path(JsonObject& details) const;
  asio::awaitable<void> look_after();
  Task<ExecuteResult> add_pictures();
  Task<std::vector<SavedPicture>> take_pictures();
  void keep_habits(const struct Capture& capture);
  [[nodiscard]] Result<void> judge_capture(const Result<struct Capture>& capture) const;
  Task<struct Capture> capture();
  [[nodiscard]] Result<std::vector<struct Mark>> wanted_marks() const;
  asio::awaitable<std::vector<SavedPicture>> save_pictures(const Result<struct Capture>* taken);
  void remember();
  void note_boot(const DeviceFacts& facts);
  [[nodiscard]] std::chrono::milliseconds wait_limit() const;
  [[nodiscard]] JsonObject log_members() const;
  [[nodiscard]] JsonObject trace_ids() const;
  void write_log(LogLevel level, std::string_view event, std::string_view message) const;
  void warn(const std::vector<std::string>& warnings) const;
};

}  // namespace clawperator
