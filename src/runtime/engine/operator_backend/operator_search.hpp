#pragma once
// Whether the Operator app of one execution is on the phone: one query beside the stages, awaited
// by each stage that needs the answer.

#include "base/async/signal.hpp"
#include "runtime/engine/phone.hpp"

namespace clawperator {

class OperatorSearch {
 public:
  // `answered` is notified; it belongs to the backend, where others wait on it, too.
  OperatorSearch(ExecutionJob* job, ExecutionObserver* observer, Phone* phone,
                 base::Signal* answered);

  // An earlier execution found it over the present link: the query is sent only if the app stays
  // silent.
  [[nodiscard]] bool is_trusted() const { return is_trusted_; }
  // Sends the query if it was not sent yet. False when it is cancelled.
  asio::awaitable<bool> answer();
  // Required: an answer. Warnings for stderr, or why nothing can be sent.
  [[nodiscard]] Result<std::vector<std::string>> judged() const;
  // The package manager has reported that the package of the broadcast is missing.
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
