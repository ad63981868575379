#include "cli/run_task.hpp"

#include <system_error>

#include "runtime/contract/errc.hpp"

namespace clawperator::cli {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};

int first_signal = 0;  // written on the event loop, read after it has ended

}  // namespace

int caught_signal() { return first_signal; }

void note_signal(int signal) { first_signal = signal; }

SignalActions::SignalActions() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    ::sigaction(kSignals[i], nullptr, &before_[i]);
  }
}

SignalActions::~SignalActions() {
  if (first_signal != 0) return;
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    ::sigaction(kSignals[i], &before_[i], nullptr);
  }
}

bool SignalActions::hang_ups_are_ignored() const { return before_.back().sa_handler == SIG_IGN; }

Error error_of(std::exception_ptr exception) {
  try {
    std::rethrow_exception(std::move(exception));
  } catch (const std::system_error& error) {
    if (first_signal != 0) return {errc::cancelled, "stopped by a signal"};
    return {errc::unknown, std::string("Error: ") + error.what()};
  } catch (const std::exception& error) {
    // Several tasks that were cut short together are one exception of many.
    if (first_signal != 0) return {errc::cancelled, "stopped by a signal"};
    return {errc::unknown, std::string("Error: ") + error.what()};
  } catch (...) {
    return {errc::unknown, "Error: an exception of an unknown kind"};
  }
}

}  // namespace clawperator::cli
