#pragma once
// Whether the Operator app of one execution is on the phone: asked once, beside the stages, and
// waited for by whoever needs the answer.

#include "base/async/signal.hpp"
#include "runtime/engine/phone.hpp"

namespace clawperator {

class OperatorSearch {
 public:
  // `answered` is notified; it is the backend's, others wait on it, too.
  OperatorSearch(ExecutionJob* job, ExecutionObserver* observer, Phone* phone,
                 base::Signal* answered);

  // Found over this very link by an earlier execution: nothing is asked before it stays silent.
  [[nodiscard]] bool is_trusted() const { return is_trusted_; }
  // Asks, where nobody does. False when it is cancelled.
  asio::awaitable<bool> answer();
  // Required: an answer. Warnings for stderr, or why nothing can be sent.
  [[nodiscard]] Result<std::vector<std::string>> judged() const;
  // The package manager has said that the package of the broadcast is not there.
  [[nodiscard]] bool is_missing() const;

 private:
  asio::awaitable<void> ask();
  void note(Result<FoundApps> found);

  ExecutionJob* job_;
  ExecutionObserver* observer_;
  Phone* phone_;
  base::Signal* answered_;
  bool is_trusted_ = false, is_asking_ = false;
};

// A plan that stops apps changes the phone before its dispatch.
bool stops_apps(const Execution& execution);

}  // namespace clawperator
