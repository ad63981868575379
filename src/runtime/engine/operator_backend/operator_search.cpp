#include "runtime/engine/operator_backend/operator_search.hpp"

#include <algorithm>

#include "base/at_exit.hpp"
#include "runtime/engine/errc.hpp"

namespace clawperator {

bool stops_apps(const Execution& execution) {
  return std::ranges::any_of(execution.actions, [](const Action& action) {
    return action.type() == ActionType::close_app;
  });
}

OperatorSearch::OperatorSearch(ExecutionJob* job, ExecutionObserver* observer, Phone* phone,
                               base::Signal* answered)
    : job_(job), observer_(observer), phone_(phone), answered_(answered) {
  const NamedOperator known = phone->choice().remembered(phone->recalled());
  is_trusted_ = phone->session() && known && phone->session()->has_operator(*known) &&
                !stops_apps(job->request.execution);
  if (is_trusted_) phone->choice().use(known);
}

asio::awaitable<bool> OperatorSearch::answer() {
  if (!phone_->choice().is_answered() && !is_asking_) co_await ask();
  if (is_cancelled(co_await asio::this_coro::cancellation_state)) co_return false;
  co_return co_await wait_until(answered_, [this] { return phone_->choice().is_answered(); });
}

asio::awaitable<void> OperatorSearch::ask() {
  const auto start = Clock::now();
  is_asking_ = true;
  const AtExit over([this] { is_asking_ = false; });
  auto found =
      co_await find_operator(phone_->channel(), phone_->choice().named(), phone_->recalled().sdk);
  if (!found && found.error().code() == errc::cancelled) co_return;
  job_->result.timings.preflight = observer_->trace().phase_beside("preflight", start);
  note(std::move(found));
}

void OperatorSearch::note(Result<FoundApps> found) {
  OperatorChoice& choice = phone_->choice();
  choice.found(std::move(found));
  const auto verdict = judged();
  const PackageCheck check = choice.found_one();
  if (verdict) {
    observer_->write(LogLevel::info, "preflight.apk.pass", check.package + " is installed");
    observer_->warn(*verdict);
  } else if (verdict.error().code() == errc::operator_not_installed) {
    observer_->write(LogLevel::error, "preflight.apk.missing", verdict.error().message());
  }
  observer_->warn(choice.rival_warnings(phone_->advised_name()));
  const bool usable = check.installed && check.rivals.empty();
  if (phone_->session()) phone_->session()->note_operator(usable ? check.package : "");
  if (phone_->is_known()) phone_->remember();
  answered_->notify_all();
}

Result<std::vector<std::string>> OperatorSearch::judged() const {
  return phone_->choice().judged(*phone_->channel(), phone_->advised_name());
}

bool OperatorSearch::is_missing() const { return phone_->choice().is_missing(phone_->recalled()); }

}  // namespace clawperator
