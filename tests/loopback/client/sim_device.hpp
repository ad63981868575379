#pragma once
// A Device of a simulated phone in this process, and the phone itself.
//
//   SimDevice sim({"sendrecv_v2"});            // a phone without this feature
//   auto client = sim.run(SyncClient::open(sim.device()));

#include "adbproto/client/direct_client.hpp"
#include "simdroid/device/phone.hpp"
#include "simdroid/memory_stream.hpp"
#include "simdroid/simulation.hpp"
#include "support/run_task.hpp"

namespace adbproto::testing {

class SimDevice {
 public:
  explicit SimDevice(std::vector<std::string> features_off = {}) {
    simdroid::SimOptions options;
    options.features_off = std::move(features_off);
    simulation_ = simdroid::Simulation::create(loop_.executor(), options).value();
    auto [ours, theirs] = make_memory_pair(loop_.executor(), 1 << 20);
    simulation_->attach(std::move(theirs));
    device_ = loop_.run(connect_device(std::move(ours), "sim", DirectOptions{})).value();
  }
  ~SimDevice() {
    device_.reset();
    loop_.run(stopped(simulation_.get())).value();
  }
  SimDevice(const SimDevice&) = delete;
  SimDevice& operator=(const SimDevice&) = delete;

  template <class T>
  Result<T> run(Task<T> task) {
    return loop_.run(std::move(task));
  }
  Loop& loop() { return loop_; }
  Device* device() { return device_.get(); }
  simdroid::Phone& phone() { return simulation_->phone(); }
  simdroid::FileSystem& files() { return simulation_->phone().files; }

 private:
  static Task<void> stopped(simdroid::Simulation* simulation) {
    co_await simulation->stop();
    co_return ok();
  }

  Loop loop_;
  std::unique_ptr<simdroid::Simulation> simulation_;
  std::unique_ptr<Device> device_;
};

}  // namespace adbproto::testing
