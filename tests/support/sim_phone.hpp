#pragma once
// A simulated phone in this process, on a loop of the test.
//
//   SimPhone phone(&loop, options);
//   auto device = loop.run(connect_device(phone.attach(), "phone", {}));
//
//   SimDevice sim({"sendrecv_v2"});            // a phone without this feature, and a host's Device
//   auto client = sim.run(SyncClient::open(sim.device()));

#include "adbproto/client/direct_client.hpp"
#include "simdroid/device/phone.hpp"
#include "simdroid/memory_stream.hpp"
#include "simdroid/simulation.hpp"
#include "support/run_task.hpp"

namespace adbproto::testing {

class SimPhone {
 public:
  explicit SimPhone(Loop* loop, const simdroid::SimOptions& options = {})
      : loop_(loop), simulation_(simdroid::Simulation::create(loop->executor(), options).value()) {}
  ~SimPhone() { loop_->run(stopped(simulation_.get())).value(); }
  SimPhone(const SimPhone&) = delete;
  SimPhone& operator=(const SimPhone&) = delete;

  // The host's end of a new link in memory.
  ByteStreamPtr attach(std::size_t capacity = 1 << 20) {
    auto [ours, theirs] = make_memory_pair(loop_->executor(), capacity);
    simulation_->attach(std::move(theirs));
    return std::move(ours);
  }
  simdroid::Simulation& operator*() { return *simulation_; }
  simdroid::Simulation* operator->() { return simulation_.get(); }

 private:
  static Task<void> stopped(simdroid::Simulation* simulation) {
    co_await simulation->stop();
    co_return ok();
  }

  Loop* loop_;
  std::unique_ptr<simdroid::Simulation> simulation_;
};

class SimDevice {
 public:
  explicit SimDevice(std::vector<std::string> features_off = {})
      : phone_(&loop_, without(std::move(features_off))),
        device_(loop_.run(connect_device(phone_.attach(), "sim", DirectOptions{})).value()) {}

  template <class T>
  Result<T> run(Task<T> task) {
    return loop_.run(std::move(task));
  }
  Loop& loop() { return loop_; }
  Device* device() { return device_.get(); }
  simdroid::Phone& phone() { return phone_->phone(); }
  simdroid::FileSystem& files() { return phone().files; }

 private:
  static simdroid::SimOptions without(std::vector<std::string> features) {
    simdroid::SimOptions options;
    options.features_off = std::move(features);
    return options;
  }

  Loop loop_;
  SimPhone phone_;
  std::unique_ptr<Device> device_;
};

}  // namespace adbproto::testing
