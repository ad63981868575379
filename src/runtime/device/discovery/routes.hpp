#pragma once
// The ways to devices: found source by source, opened one at a time. The sources differ in what a
// probe does to others, and so in when they may be probed:
//
//   adb server  its list costs one question, and a device opens on a connection to the server
//   usb         a probe claims the phone for a moment, which an adb server would notice, so
//               phones that a server holds are left alone
//   tcp         a probe dials an address that was connected to; a dead one takes its time

#include "adbproto/client/direct_client.hpp"
#include "adbproto/client/server_client.hpp"
#include "adbproto/link/usb_bus.hpp"
#include "runtime/device/discovery/surroundings.hpp"
#include "runtime/device/identity.hpp"
#include "runtime/device/target.hpp"

namespace clawperator {

using DevicePtr = std::unique_ptr<adbproto::Device>;

// One way to one device.
struct Route {
  DeviceRow row{};
  std::optional<adbproto::UsbDevice> usb{};
  DevicePtr device{};                                // open already, from the probe
  std::optional<Error> problem{};                    // why a direct one is not ready
  std::optional<std::chrono::microseconds> rtt{};    // of its last link, for the next one
  std::optional<adbproto::DeviceAddress> dialled{};  // by TCP: where that link leads
};

// Whether a probe waits for one address as long as connecting does (`named`), or leaves time for
// the others.
enum class Patience { listing, named };

// Whether a device that does not know our key may ask its owner, once, to accept it.
struct KeyOffer {
  std::chrono::milliseconds limit{};                  // for the person who decides; zero: no
  std::function<void(std::string_view)> on_notice{};  // a line for the user who waits

  static const KeyOffer kNever;
  [[nodiscard]] bool is_made() const { return limit.count() > 0; }
};
inline const KeyOffer KeyOffer::kNever{};

KeyOffer offer_of(const TargetOptions& options);

class Routes {
 public:
  explicit Routes(TargetOptions options);

  // This and of_server() fail with adb_server_failed when no server answers, and with
  // invalid_argument when the server's address is none.
  Task<adbproto::ServerClient> answering_server();
  Task<std::vector<Route>> of_server(Detail detail);
  // Empty where there is no USB, but no_devices if only USB may be used. Phones that one of `held`
  // shows already are left out. `only`: no other phone is touched.
  Task<std::vector<Route>> of_usb(std::vector<DeviceRow> held, std::optional<std::string> only,
                                  Detail detail);
  Task<std::vector<Route>> of_targets(std::vector<std::string> targets, Detail detail,
                                      Patience patience);

  // For work. A route that was probed keeps its device, unless a better link is found.
  Task<DevicePtr> open(Route* route, KeyOffer offer);
  // Opens an address without a probe. Fails with device_not_found when no device answers.
  Task<DevicePtr> dial(std::string target, KeyOffer offer);
  // meet_phone, with these options and what the last dial has read.
  Task<void> meet(const adbproto::Device* device, Identity now) const;
  Task<void> meet(adbproto::Device* device) const;
  // Where the phone of a TCP row is now: a phone that was paired moves from port to port.
  Task<adbproto::DeviceAddress> address_of(DeviceRow row);

  // Claims the phone only while its properties are read.
  asio::awaitable<DeviceRow> describe_usb_phone(adbproto::UsbDevice phone);
  // Reads the identity of a device that the adb server holds.
  asio::awaitable<DeviceRow> describe_server_row(DeviceRow row);

  [[nodiscard]] Result<adbproto::ServerClient> server() const;
  // The published adb_server_failed, with the hint that names the other ways.
  [[nodiscard]] Error server_failure(const Error& why) const;
  // The bus, started by the first call; `unsupported` where there is none.
  Task<std::shared_ptr<adbproto::UsbBus>> usb_bus();

 private:
  asio::awaitable<void> probe(Route* route, Detail detail, Patience patience);
  asio::awaitable<std::vector<Route>> probe_all(std::vector<Route> routes, Detail detail,
                                                Patience patience = Patience::listing);
  Task<DevicePtr> open_direct(Route* route, adbproto::DirectOptions direct);
  Task<DevicePtr> open_to_probe(Route* route, Patience patience);
  Task<DevicePtr> open_if_far(const Route* route, DevicePtr device);
  Task<DevicePtr> open_usb(adbproto::UsbDevice phone, adbproto::DirectOptions direct);
  [[nodiscard]] adbproto::DirectOptions direct_options(KeyOffer offer) const;

  TargetOptions options_;
  std::shared_ptr<const Surroundings> surroundings_;
  std::shared_ptr<adbproto::UsbBus> bus_;
  std::shared_ptr<DialNote> dialled_;
};

// The state, in adb's words, of a direct route that could not be opened.
State route_state(const Error& error);

// Product, model and device name of a direct link's banner, also of a phone that runs no command
// for us.
void take_banner(const adbproto::RouteFacts& facts, DeviceRow* row);

// Reads the device's identity, product, model and device name. A missing property stays empty.
asio::awaitable<void> describe(adbproto::Device* device, DeviceRow* row);

}  // namespace clawperator
