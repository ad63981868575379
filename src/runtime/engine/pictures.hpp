#pragma once
// The pictures of an execution: one capture for all steps that want one, after the plan or in place
// of it; and the captures that prove whether the screen changed.

#include "runtime/engine/phone.hpp"
#include "runtime/engine/post_process.hpp"
#include "runtime/engine/screen_watch.hpp"
#include "runtime/engine/screenshot.hpp"

namespace clawperator {

class Pictures {
 public:
  Pictures(ExecutionJob* job, ExecutionObserver* observer, Phone* phone)
      : job_(job), observer_(observer), phone_(phone) {}

  // For a request with `verify` that trees will not prove.
  asio::awaitable<void> look_before();
  // Ends what look_before() began, and adds the steps' pictures.
  Task<void> add();

 private:
  asio::awaitable<void> look_after();
  Task<std::vector<SavedPicture>> take();
  Task<Capture> capture();
  [[nodiscard]] Result<std::vector<Mark>> wanted_marks() const;
  [[nodiscard]] Result<void> judge(const Result<Capture>& capture) const;
  void remember_capture_timing(const Capture& capture);
  asio::awaitable<std::vector<SavedPicture>> save(const Result<Capture>* taken);

  ExecutionJob* job_;
  ExecutionObserver* observer_;
  Phone* phone_;
  std::optional<ScreenWatch> watch_;
};

}  // namespace clawperator
