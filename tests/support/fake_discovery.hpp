#pragma once
// What announces itself in the network, as the test says.

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "adbproto/client/discovery.hpp"
#include "base/async/signal.hpp"
#include "runtime/device/discovery/surroundings.hpp"
#include "support/run_task.hpp"

namespace adbproto::testing {

class FakeDiscovery {
 public:
  explicit FakeDiscovery(Loop& loop) : state_(std::make_shared<State>(loop.executor())) {}

  void announce(AdbService service, const std::string& instance, const std::string& address) {
    std::erase_if(state_->services, [&](const DiscoveredService& known) {
      return known.service == service && known.instance == instance;
    });
    const auto colon = address.rfind(':');
    const auto port = static_cast<std::uint16_t>(std::stoi(address.substr(colon + 1)));
    state_->services.push_back({service, instance, address.substr(0, colon), port});
    state_->changed.notify_all();
  }
  void fall_silent() {
    state_->services.clear();
    state_->changed.notify_all();
  }
  // More is announced than anybody remembers.
  void floods() {
    state_->flooded = true;
    state_->changed.notify_all();
  }
  void use_in(clawperator::Surroundings& surroundings) const {
    surroundings.start_discovery = [state = state_] { return start(state); };
  }

 private:
  struct State {
    explicit State(const asio::any_io_executor& executor) : changed(executor) {}
    std::vector<DiscoveredService> services;
    bool flooded = false;
    Signal changed;
  };
  class Live final : public Discovery {
   public:
    explicit Live(std::shared_ptr<State> state) : state_(std::move(state)) {}
    [[nodiscard]] std::vector<DiscoveredService> services() const override {
      return state_->services;
    }
    [[nodiscard]] bool is_flooded() const override { return state_->flooded; }
    Task<void> wait_change() override {
      const auto state = state_;
      co_await state->changed.wait();
      co_return ok();
    }

   private:
    std::shared_ptr<State> state_;
  };
  static Task<std::unique_ptr<Discovery>> start(std::shared_ptr<State> state) {
    co_return std::make_unique<Live>(std::move(state));
  }

  std::shared_ptr<State> state_;
};

}  // namespace adbproto::testing
