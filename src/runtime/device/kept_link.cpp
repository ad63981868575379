#include "runtime/device/kept_link.hpp"

#include "runtime/device/backoff.hpp"
#include "runtime/device/choice.hpp"

namespace clawperator {

using adbproto::Device;
using adbproto::Errc;
using adbproto::ok;
using adbproto::Task;

namespace {

constexpr auto kDialLimit = std::chrono::milliseconds(5000);

}  // namespace

KeptLink::KeptLink(const asio::any_io_executor& executor, Routes routes, DeviceRow row,
                   std::function<void()> on_change)
    : routes_(std::move(routes)), on_change_(std::move(on_change)), hurry_(executor) {
  route_.row = std::move(row);
  route_.row.state = "connecting";
}

void KeptLink::move_to(const std::string& address) {
  if (route_.row.address == address) return;
  route_.row.address = address;
  hurry_.notify_all();
}

void KeptLink::adopt(DevicePtr device) {
  if (device_) return;  // one link is enough
  adopted_ = std::move(device);
  hurry_.notify_all();
}

void KeptLink::set_authorizing(bool authorizing) {
  authorizing_ = authorizing;
  if (authorizing && route_.row.state == "unauthorized") show("unauthorized");
  if (!authorizing && route_.row.state == "authorizing") show("unauthorized");
}

void KeptLink::show(std::string state) {
  was_tried_ = true;
  if (authorizing_ && state == "unauthorized") state = "authorizing";
  route_.row.state = std::move(state);
  if (route_.row.state != kReady) route_.row.facts.reset();
  on_change_();
}

Task<DevicePtr> KeptLink::dial() {
  if (adopted_) co_return std::move(adopted_);
  co_return co_await adbproto::with_deadline(routes_.open(&route_, KeyOffer::never), kDialLimit,
                                             "connecting to " + route_.row.serial);
}

Task<void> KeptLink::check(Device* device) {
  CO_TRY(const Identity now, co_await read_identity(device));
  if (identity_ && !is_same_phone(*identity_, now)) {
    co_return std::unexpected(
        identity_changed(route_.row.serial, route_.row.transport, *identity_, now));
  }
  identity_ = now;
  co_await describe(device, &route_.row);
  co_return ok();
}

asio::awaitable<void> KeptLink::keep() {
  using namespace asio::experimental::awaitable_operators;
  Backoff backoff;
  for (;;) {
    auto device = co_await dial();
    const auto checked = device ? co_await check(device->get())
                                : adbproto::Result<void>(std::unexpected(device.error()));
    refusal_.reset();
    if (checked) {
      device_ = *std::move(device);
      adopted_.reset();
      route_.row.facts = device_->facts();
      route_.row.obstacle.clear();
      show(std::string(kReady));
      backoff.reset();
      co_await device_->wait_lost();
      device_.reset();
      show("offline");
    } else {
      if (checked.error().code() == Errc::device_identity_changed) {
        refusal_ = checked.error();
        route_.row.obstacle = refusal_->message();
      }
      show(route_state(checked.error()));
    }
    co_await (adbproto::sleep_for(backoff.next()) || hurry_.wait());
  }
}

}  // namespace clawperator
