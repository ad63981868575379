#pragma once
// A USB bus in memory: phones are plugged in and pulled out by the test; what answers on the other
// end of the cable is a FakeAdbd, or an error.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "adbproto/wire/errc.hpp"
#include "base/async/signal.hpp"
#include "runtime/device/discovery/surroundings.hpp"
#include "simdroid/memory_stream.hpp"
#include "support/fake_adbd.hpp"

namespace adbproto::testing {

class FakeUsb {
 public:
  explicit FakeUsb(Loop& loop) : state_(std::make_shared<State>(loop.executor())) {}

  // Plugs in; `adbd` answers there.
  UsbDevice plug(const std::string& address, const std::string& serial, FakeAdbd* adbd) {
    UsbDevice phone;
    phone.address = address;
    phone.serial = serial;
    phone.device_number = ++state_->last_number;
    phone.speed_mbit = 480;
    state_->phones[address] = {.device = phone, .adbd = adbd};
    state_->changed.notify_all();
    return phone;
  }
  void unplug(const std::string& address) {
    if (state_->phones[address].adbd) state_->phones[address].adbd->drop_links();
    state_->phones.erase(address);
    state_->changed.notify_all();
  }
  // What the system reports about the node, as after a chmod; open() does not care.
  void shows(const std::string& address, UsbDevice::Access access) {
    state_->phones[address].device.access = access;
    state_->changed.notify_all();
  }
  // open() fails like this; with nullopt it works again.
  void refuses(const std::string& address, std::optional<Error> error) {
    state_->phones[address].refusal = std::move(error);
  }
  // There is no libusb.
  void cannot_open(Error why) { state_->no_library = std::move(why); }
  // Says nothing on any link until it is reset.
  void mutes(const std::string& address) { state_->phones[address].is_mute = true; }
  [[nodiscard]] std::size_t resets() const { return state_->resets; }
  [[nodiscard]] std::size_t starts() const { return state_->starts; }
  [[nodiscard]] std::size_t opens() const { return state_->opens; }

  // What TargetOptions needs to see this bus, no keys and no mDNS.
  [[nodiscard]] std::shared_ptr<clawperator::Surroundings> surroundings() const {
    auto made = std::make_shared<clawperator::Surroundings>();
    made->start_usb =
        [state = state_](const asio::any_io_executor&) -> Result<std::unique_ptr<UsbBus>> {
      ++state->starts;
      return std::make_unique<Bus>(state);
    };
    return made;
  }

 private:
  struct Phone {
    UsbDevice device;
    FakeAdbd* adbd = nullptr;
    std::optional<Error> refusal{};
    bool is_mute = false;
    ByteStreamPtr unheard{};
  };
  struct State {
    explicit State(const asio::any_io_executor& on) : executor(on), changed(on) {}
    asio::any_io_executor executor;
    std::map<std::string, Phone> phones;
    Signal changed;
    std::optional<Error> no_library;
    std::uint8_t last_number = 0;
    std::size_t starts = 0;
    std::size_t opens = 0;
    std::size_t resets = 0;
  };
  class Bus final : public UsbBus {
   public:
    explicit Bus(std::shared_ptr<State> state) : state_(std::move(state)) {}
    asio::awaitable<std::vector<UsbDevice>> devices() override {
      std::vector<UsbDevice> all;
      for (const auto& [address, phone] : state_->phones) all.push_back(phone.device);
      co_return all;
    }
    Task<void> wait_change() override {
      const auto state = state_;
      co_await state->changed.wait();
      co_return ok();
    }
    [[nodiscard]] Result<void> can_open() const override {
      if (state_->no_library) return std::unexpected(*state_->no_library);
      return ok();
    }
    Task<ByteStreamPtr> open(UsbDevice device) override {
      ++state_->opens;
      if (state_->no_library) co_return std::unexpected(*state_->no_library);
      const auto at = state_->phones.find(device.address);
      if (at == state_->phones.end()) co_return fail(errc::device_not_found, "unplugged");
      if (at->second.refusal) co_return std::unexpected(*at->second.refusal);
      auto [ours, theirs] = make_memory_pair(state_->executor);
      if (at->second.is_mute) {
        at->second.unheard = std::move(theirs);
      } else {
        at->second.adbd->attach(std::move(theirs));
      }
      co_return std::move(ours);
    }
    Task<void> reset(UsbDevice device) override {
      ++state_->resets;
      Phone& phone = state_->phones[device.address];
      phone.is_mute = false;
      phone.unheard.reset();
      phone.device.device_number = ++state_->last_number;
      state_->changed.notify_all();
      co_return ok();
    }

   private:
    std::shared_ptr<State> state_;
  };

  std::shared_ptr<State> state_;
};

}  // namespace adbproto::testing
