#pragma once
// For a plan that names a node by a ref: sends a command only for the node that was shown, on the
// phone and in the app where it was shown.

#include "runtime/engine/operator_backend/conversation.hpp"
#include "runtime/engine/ref_guard.hpp"
#include "runtime/ui/ui_tree.hpp"

namespace clawperator {

class NodeGuard final : public BroadcastGuard {
 public:
  // Required: the job's request has `shown`.
  explicit NodeGuard(const ConversationParts& parts)
      : parts_(parts), shown_(&*parts.job->request.shown) {}

  Task<void> make_sure(bool by_look) override;
  [[nodiscard]] Execution bound(Execution plan) const override;
  [[nodiscard]] CommandChannel::Wrap wrap() const override;
  void clean(Envelope& envelope) const override;

  // Where the app did not find the shown node: STALE_REF with what is there instead. Success where
  // there is no such miss.
  Task<void> explain_miss(Conversation* conversation);

 private:
  Task<RefGuard> choose();
  Task<void> look_for_shown();
  Task<UiTree> look();
  Task<UiTree> read(Conversation* look, const Execution* plan) const;

  ConversationParts parts_;
  const ShownNode* shown_;
  RefGuard guard_ = RefGuard::look;
  bool looks_ = false;  // the phone's shell has held a dispatch back
  bool binds_ = false;  // the app knows strict and ancestor
};

}  // namespace clawperator
