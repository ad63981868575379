#pragma once
// A device of our own dialling that is kept connected.
//
//   dial --ok--> identity? --same--> ready --lost--> wait 250 ms .. 3 s --> dial
//     |             '------another phone: not ready, tried again---'
//     '--failed--> wait
//
// The first phone that answers is the one; another one that answers later is never handed out.

#include "base/async/signal.hpp"
#include "runtime/device/discovery/routes.hpp"
#include "runtime/device/identity.hpp"

namespace clawperator {

class KeptLink {
 public:
  static constexpr auto kDialLimit = std::chrono::milliseconds(5000);  // as a command's own

  // `row` names the phone: its serial, its transport and, where that is something else, its
  // address.
  KeptLink(const asio::any_io_executor& executor, Routes routes, DeviceRow row,
           std::function<void()> on_change);

  // Dials, holds and dials again until it is cancelled.
  asio::awaitable<void> keep();
  // Stops the reports of changes: their receiver is being destroyed.
  void silence() {
    on_change_ = [] {};
  }
  // Ends the pause between two tries, because the phone is needed now.
  void try_now() { hurry_.notify_all(); }
  // The device announced itself at another address: ends the pause, and drops a link that does not
  // answer.
  void move_to(const std::string& address);
  // Takes a link that was opened elsewhere meanwhile, because a person accepted our key there.
  void adopt(DevicePtr device);
  // Whether the phone is asking its owner: `authorizing` instead of `unauthorized`.
  void set_authorizing(bool authorizing);

  [[nodiscard]] const DeviceRow& row() const { return route_.row; }
  // The open link; null while there is none.
  [[nodiscard]] const std::shared_ptr<adbproto::Device>& device() const { return device_; }
  // device_identity_changed while another phone answers.
  [[nodiscard]] const std::optional<Error>& refusal() const { return refusal_; }
  // The phone that this link is for; empty until one has answered.
  [[nodiscard]] Identity identity() const { return identity_.value_or(Identity{}); }
  // The number of times it was dialled, with or without success.
  [[nodiscard]] std::size_t tries() const { return tries_; }

 private:
  Task<DevicePtr> dial();
  Task<void> check(adbproto::Device* device);
  asio::awaitable<void> hold(std::shared_ptr<adbproto::Device> device);
  asio::awaitable<void> until_lost(adbproto::Device* device);
  void redirect();
  [[nodiscard]] bool is_redirected() const;
  void show(DeviceState state);

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
