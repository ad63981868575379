#pragma once
// A device of our own dialling that is kept connected.
//
//   dial --ok--> identity? --same--> ready --lost--> wait 250 ms .. 3 s --> dial
//     |             '------another phone: not ready, tried again---'
//     '--failed--> wait
//
// The first phone that answers is the one; another one that answers later is never handed out.

#include <functional>
#include <memory>
#include <optional>

#include "adbproto/link/signal.hpp"
#include "runtime/device/identity.hpp"
#include "runtime/device/routes.hpp"

namespace clawperator {

class KeptLink {
 public:
  // `row`: serial, transport and, where it differs from the serial, the address.
  KeptLink(const asio::any_io_executor& executor, Routes routes, DeviceRow row,
           std::function<void()> on_change);

  // While it lives a person is asked: `authorizing` instead of `unauthorized`.
  class Authorizing {
   public:
    explicit Authorizing(KeptLink* link) : link_(link) { link_->set_authorizing(true); }
    ~Authorizing() { link_->set_authorizing(false); }
    Authorizing(const Authorizing&) = delete;
    Authorizing& operator=(const Authorizing&) = delete;

   private:
    KeptLink* link_;
  };

  // Until cancelled.
  asio::awaitable<void> keep();
  // Nobody is to hear of changes any more.
  void silence() {
    on_change_ = [] {};
  }
  // No more waiting between tries.
  void try_now() { hurry_.notify_all(); }
  // The device announced itself at another address: no more waiting, and no more trust in a link
  // that says nothing.
  void move_to(const std::string& address);
  // One that somebody opened already, after a person allowed it.
  void adopt(DevicePtr device);

  [[nodiscard]] const DeviceRow& row() const { return route_.row; }
  // Null while it is not connected.
  [[nodiscard]] const std::shared_ptr<adbproto::Device>& device() const { return device_; }
  // device_identity_changed while another phone answers.
  [[nodiscard]] const std::optional<Error>& refusal() const { return refusal_; }
  // Of the phone that this link is for; empty until one answered.
  [[nodiscard]] Identity identity() const { return identity_.value_or(Identity{}); }
  // How often it was dialled, whatever came of it.
  [[nodiscard]] std::size_t tries() const { return tries_; }

 private:
  Task<DevicePtr> dial();
  Task<void> check(adbproto::Device* device);
  asio::awaitable<void> hold(std::shared_ptr<adbproto::Device> device);
  asio::awaitable<void> until_lost(adbproto::Device* device);
  void redirect();
  [[nodiscard]] bool is_redirected() const;
  void show(DeviceState state);
  void set_authorizing(bool authorizing);

  Routes routes_;
  Route route_;
  std::function<void()> on_change_;
  std::shared_ptr<adbproto::Device> device_;
  DevicePtr adopted_;
  std::optional<Identity> identity_;  // of the first phone that answered
  std::optional<Error> refusal_;
  std::size_t tries_ = 0;
  bool authorizing_ = false;
  std::string dialled_;          // the address that was announced then
  adbproto::Signal hurry_;       // no more waiting between tries
  adbproto::Signal redirected_;  // another address, or a link to adopt
};

}  // namespace clawperator
