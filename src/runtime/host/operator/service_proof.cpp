#include "runtime/host/operator/service_proof.hpp"

#include <algorithm>

#include "runtime/host/permissions.hpp"
#include "runtime/host/phone_maker.hpp"

namespace clawperator {

namespace {

// Android starts a service anew a second or more after its process has died, later each time.
constexpr int kPingsAfterListing = 3;

struct Proof {
  ServiceState state = ServiceState::unknown;
  std::string problem{};  // of a ping without an answer
};

Task<Proof> ask(const Ping* ping) {
  const auto answer = co_await (*ping)();
  if (!answer && ends_everything(answer.error())) co_return std::unexpected(answer.error());
  co_return Proof{judge_ping(answer), answer ? "" : answer.error().message()};
}

// As long as the answer is that it does not run.
Task<Proof> ask_again(const Ping* ping, int times) {
  Proof proof;
  for (int i = 0; i < times; ++i) {
    co_await sleep_for(kSettleTime);
    CO_TRY(proof, co_await ask(ping));
    if (proof.state != ServiceState::does_not_run) break;
  }
  co_return proof;
}

asio::awaitable<std::string> what_is_in_the_way(adbproto::Device* device, Proof proof) {
  if (proof.state == ServiceState::unknown) {
    co_return "Whether the accessibility service runs is not known: " + proof.problem;
  }
  const PhoneMaker maker = co_await ask_maker(device);
  co_return "The accessibility service is enabled, but does not run yet. " +
      hint_for(maker.name, maker.sdk, Symptom::service_struck);
}

}  // namespace

ServiceState judge_ping(const Result<ExecuteResult>& answer) {
  if (!answer) return ServiceState::unknown;
  return succeeded(answer->envelope) ? ServiceState::runs : ServiceState::does_not_run;
}

Task<std::string> prove_service(adbproto::Device* device, std::string operator_package, Ping ping) {
  if (!ping) co_return std::string();
  CO_TRY(Proof proof, co_await ask(&ping));
  if (proof.state == ServiceState::does_not_run) {
    CO_TRY(proof, co_await ask_again(&ping, 1));
  }
  if (proof.state == ServiceState::does_not_run) {
    CO_TRY_VOID(co_await enable_accessibility(device, operator_package));
    CO_TRY(proof, co_await ask_again(&ping, kPingsAfterListing));
  }
  if (proof.state == ServiceState::runs) co_return std::string();
  co_return co_await what_is_in_the_way(device, std::move(proof));
}

}  // namespace clawperator
