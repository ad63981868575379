#pragma once
// The supervisor's inside: the model, the drivers that feed it (one coroutine a source), and the
// devices that are open. One executor; only coroutines of `scope` and callers of it touch it.

#include <map>
#include <set>

#include "adbproto/client/discovery.hpp"
#include "base/async/scope.hpp"
#include "base/at_exit.hpp"
#include "runtime/device/discovery/device_model.hpp"
#include "runtime/device/resolver/transports.hpp"
#include "runtime/device/supervisor/held_device.hpp"
#include "runtime/device/supervisor/kept_link.hpp"
#include "runtime/device/supervisor/supervisor.hpp"
#include "runtime/device/target_file.hpp"

namespace clawperator {

class LiveSupervisor final : public Supervisor {
 public:
  LiveSupervisor(const asio::any_io_executor& executor, SupervisorOptions options);

  void begin();
  // Waits until every source has reported its list, or a moment has passed.
  asio::awaitable<void> settle();

  [[nodiscard]] std::vector<DeviceRow> rows() const override { return model_.rows(); }
  [[nodiscard]] std::optional<Error> why_nothing() const override;
  Task<std::vector<DeviceEvent>> next_events() override;
  Task<std::shared_ptr<adbproto::Device>> open(TargetOptions target) override;
  asio::awaitable<void> find_server() override;
  asio::awaitable<void> stop() override;

 private:
  using SharedDevice = std::shared_ptr<adbproto::Device>;
  class KeptTransports;  // of one call of open()
  // A device on a route that is not kept by itself.
  struct Opened {
    SharedDevice device;
    std::shared_ptr<HeldDevice> held;            // the same, through a server
    std::shared_ptr<adbproto::Signal> released;  // ends its watcher
  };
  enum class Origin { target, announced, named };  // why a link is kept
  struct Kept {
    std::shared_ptr<KeptLink> link;
    std::unique_ptr<adbproto::Scope> scope;
    Origin origin = Origin::target;
    std::uint64_t change = 0;  // of the target file, that was the last one when this began
    std::uint64_t used = 0;    // its last use, counted
  };
  // While it lives stop() waits for its owner.
  [[nodiscard]] auto count_caller() {
    ++callers_;
    return AtExit([this] {
      --callers_;
      changed();
    });
  }
  // While it lives no other coroutine opens or probes `key`.
  [[nodiscard]] auto hold(std::set<std::string>* in, std::string key) {
    in->insert(key);
    return AtExit([this, in, key = std::move(key)] {
      in->erase(key);
      changed();
    });
  }

  // For a caller: ends with `cancelled` when the supervisor stops.
  template <class T>
  Task<T> until_stopped(Task<T> work) {
    using namespace base::parallel;
    const auto here = count_caller();
    auto first = co_await (std::move(work) || stop_signal_.wait());
    if (first.index() == 0) co_return std::get<0>(std::move(first));
    co_return fail(errc::cancelled, "the supervisor is stopping");
  }
  Task<std::vector<DeviceEvent>> wait_events();
  // supervisor_sources.cpp
  asio::awaitable<void> watch_server();
  Task<void> follow_server();
  void take_server_list(const std::vector<adbproto::DeviceLine>& lines);
  void describe_server_devices();
  asio::awaitable<void> watch_usb();
  void take_usb_list(const std::vector<adbproto::UsbDevice>& phones);
  void start_probe(const adbproto::UsbDevice& phone);
  asio::awaitable<void> probe_phone(adbproto::UsbDevice phone);
  asio::awaitable<bool> probe_once(const adbproto::UsbDevice* phone);
  [[nodiscard]] bool is_here(const adbproto::UsbDevice& phone) const;
  [[nodiscard]] bool server_holds(const adbproto::UsbDevice& phone) const;
  void show_phone(const std::string& address, State state, std::string obstacle = {});
  void publish_usb();
  asio::awaitable<void> watch_targets();
  void take_targets(TargetList targets);
  [[nodiscard]] bool is_outdated(const std::string& name, const Kept& kept) const;
  void publish_links();
  asio::awaitable<void> watch_announcements();
  void take_announcements(const std::vector<adbproto::DiscoveredService>& services);
  void follow_paired(const std::vector<adbproto::DiscoveredService>& services);
  std::shared_ptr<KeptLink> keep(const std::string& name, DeviceRow row, Origin origin);
  void drop(const std::string& name);
  void changed();
  // As part of the supervisor; nothing begins once it stops.
  void run(asio::awaitable<void> task);
  void source_reported(Transport source);
  // supervisor_open.cpp
  Task<SharedDevice> open_chosen(TargetOptions target);
  SharedDevice ready_device(const DeviceRow& row);
  Task<SharedDevice> open_one(DeviceRow row, KeyOffer offer);
  Task<SharedDevice> open_fresh(DeviceRow row, KeyOffer offer);
  Task<void> authorize(std::shared_ptr<KeptLink> link, KeyOffer offer);
  Task<SharedDevice> open_kept(std::shared_ptr<KeptLink> link, KeyOffer offer);
  Task<SharedDevice> open_address(std::string address, KeyOffer offer);
  [[nodiscard]] bool is_kept(const std::string& name, const std::shared_ptr<KeptLink>& link) const;
  void mark_used(const std::string& name);
  void release(const std::string& key);
  Task<void> check_identity(adbproto::Device* device, const DeviceRow* row);
  SharedDevice remember(const DeviceRow& row, DevicePtr device);
  asio::awaitable<void> await_loss(std::string key, SharedDevice device,
                                   std::shared_ptr<adbproto::Signal> released);
  void remember_identity(const DeviceRow& row, const Identity& identity);
  asio::awaitable<void> wait_ready(Question question, Transport transport);
  [[nodiscard]] std::optional<Error> problem_of(const DeviceRow& row) const;
  [[nodiscard]] Found found(const Question& question, Transport over) const;
  [[nodiscard]] Decision decide_now(const Question& question, Transport transport) const;

  asio::any_io_executor executor_;
  SupervisorOptions options_;
  Routes routes_;
  adbproto::Scope scope_;
  bool settled_ = false;  // the first lists are complete
  bool stopping_ = false;
  std::size_t callers_ = 0;  // from outside; stop() waits for them
  std::uint64_t uses_ = 0;
  DeviceModel model_;
  std::vector<DeviceRow> reported_;                         // the rows of the last next_events()
  adbproto::Signal changed_, stop_signal_, server_needed_;  // to be dialled again at once
  std::set<Transport> awaited_;                             // whose list is awaited
  std::optional<Error> server_error_;
  std::map<std::string, std::pair<adbproto::UsbDevice, DeviceRow>> phones_;  // by address
  std::map<std::string, Kept> kept_;                                         // by serial
  std::map<std::string, Opened> opened_;                                     // by route key
  std::set<std::string> probing_, busy_;                                     // at what; route keys
  TargetList targets_;
  std::vector<adbproto::DiscoveredService> announced_;
  std::map<std::string, Way> identities_;  // of devices that work went to, by memory_key
};

}  // namespace clawperator
