#pragma once
// Carries a Decision out: for one command, for a process that stays, for `clawperator adb`. They
// differ in where their transports come from, and in whether an opened one is kept.
//
//   decide --> Open, one row      open it
//          --> Open, several      open each, compare identities: check_one_phone
//          --> Connect            open it, with our key
//          --> Dial               dial the address
//          --> Refuse             the error; of a phone that is held, first its holder is tried

#include "runtime/device/choice/choice.hpp"
#include "runtime/device/discovery/routes.hpp"

namespace clawperator {

// The input of decide(), best transport first.
struct Found {
  std::vector<Candidate> candidates{};
  std::optional<Error> server_error{};
};

// `at`: an index of found().candidates.
template <class DevicePtr>
class Transports {
 public:
  Transports() = default;
  Transports(const Transports&) = delete;
  Transports& operator=(const Transports&) = delete;
  virtual ~Transports() = default;

  [[nodiscard]] virtual Found found() const = 0;
  virtual Task<DevicePtr> open(std::size_t at, KeyOffer offer) = 0;
  virtual Task<DevicePtr> dial(std::string address, KeyOffer offer) = 0;
  // The identity of the device over an opened transport; empty where that cannot be read.
  virtual asio::awaitable<Identity> identity(std::size_t at, adbproto::Device* device) = 0;
  // Several were opened, and only this one is used; null: none.
  virtual void keep_only(const adbproto::Device* /*device*/) {}
  virtual Task<DevicePtr> open_from_holder(std::size_t at) = 0;
};

template <class DevicePtr>
Task<DevicePtr> resolve(Transports<DevicePtr>* transports, Question question, KeyOffer offer);

}  // namespace clawperator
