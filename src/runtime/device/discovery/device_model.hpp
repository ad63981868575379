#pragma once
// The attached devices as one list: each source reports its whole list, the model merges them and
// reports changes. Pure.
//
//   server list --+
//   usb list -----+--> hidden: a phone on USB that the server holds,
//   tcp list -----+            an announcement of a phone that is connected
//   mdns list ----+--> rows (server, usb, tcp, mdns) --> changes since a reader's last call

#include <map>

#include "runtime/device/device_row.hpp"

namespace clawperator {

// One way to one device, across its changes: another transport id is another way. Rows with the
// same key are indistinguishable; the model shows the first.
std::string route_key(const DeviceRow& row);

class DeviceModel {
 public:
  // The whole list of that source as it is now.
  void replace(Transport source, std::vector<DeviceRow> rows);
  // The identity of the device there; kept while that way exists.
  void learn(const std::string& key, const std::string& identity);

  [[nodiscard]] const std::vector<DeviceRow>& rows() const { return rows_; }

 private:
  void merge();

  std::map<Transport, std::vector<DeviceRow>> lists_;  // best first
  std::map<std::string, std::string> identities_;      // by route_key
  std::vector<DeviceRow> rows_;                        // merged once, because they are read often
};

struct DeviceEvent {
  enum class Kind { added, changed, removed };
  Kind kind{};
  DeviceRow row{};
};

// In this order: removed rows, then new or changed ones, each in the order of its list.
std::vector<DeviceEvent> changes(const std::vector<DeviceRow>& before,
                                 const std::vector<DeviceRow>& after);

}  // namespace clawperator
