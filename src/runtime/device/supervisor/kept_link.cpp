#include "runtime/device/supervisor/kept_link.hpp"

#include "adbproto/wire/errc.hpp"
#include "runtime/device/choice/choice.hpp"
#include "runtime/device/errc.hpp"
#include "runtime/device/supervisor/backoff.hpp"

namespace clawperator {

namespace {

std::chrono::milliseconds pause_after(const Result<void>& checked, Backoff* backoff) {
  const bool is_locked = !checked && checked.error().code() == errc::device_unauthorized;
  return is_locked ? kLockedPause : backoff->next();
}

}  // namespace

KeptLink::KeptLink(const asio::any_io_executor& executor, Routes routes, DeviceRow row,
                   std::function<void()> on_change)
    : routes_(std::move(routes)),
      on_change_(std::move(on_change)),
      hurry_(executor),
      redirected_(executor) {
  route_.row = std::move(row);
  route_.row.state = State::connecting;
}

void KeptLink::move_to(const std::string& address) {
  if (route_.row.address == address) return;
  route_.row.address = address;
  redirect();
}

void KeptLink::adopt(DevicePtr device) {
  if (device_) return;  // one link is enough
  adopted_ = std::move(device);
  redirect();
}

void KeptLink::redirect() {
  redirected_.notify_all();
  hurry_.notify_all();
}

bool KeptLink::is_redirected() const { return adopted_ || dialled_ != route_.row.address; }

void KeptLink::set_authorizing(bool authorizing) {
  authorizing_ = authorizing;
  if (authorizing && route_.row.state == State::unauthorized) show(State::unauthorized);
  if (!authorizing && route_.row.state == State::authorizing) show(State::unauthorized);
}

void KeptLink::show(DeviceState state) {
  if (authorizing_ && state == State::unauthorized) state = State::authorizing;
  route_.row.state = std::move(state);
  if (route_.row.state != State::device) route_.row.facts.reset();
  on_change_();
}

Task<DevicePtr> KeptLink::dial() {
  using namespace base::parallel;
  for (;;) {
    dialled_ = route_.row.address;
    if (adopted_) co_return std::move(adopted_);
    auto opening = with_deadline(routes_.open(&route_, KeyOffer::kNever), kDialLimit,
                                 "connecting to " + route_.row.serial);
    auto first = co_await (std::move(opening) || redirected_.wait());
    if (first.index() == 0) co_return std::get<0>(std::move(first));
  }
}

Task<void> KeptLink::check(Device* device) {
  if (state_of(*device) != State::device) co_return ok();
  CO_TRY(const Identity now, co_await read_identity(device));
  CO_TRY_VOID(co_await routes_.meet(device, now));
  if (identity_ && !is_same_phone(*identity_, now)) {
    co_return std::unexpected(
        identity_changed(route_.row.serial, route_.row.transport, *identity_, now));
  }
  identity_ = updated(identity_.value_or(Identity{}), now);
  co_await describe(device, &route_.row);
  co_return ok();
}

// A phone that announces itself elsewhere may have left without a word.
asio::awaitable<void> KeptLink::until_lost(Device* device) {
  using namespace base::parallel;
  for (;;) {
    while (dialled_ == route_.row.address) {
      const auto first = co_await (device->wait_lost() || redirected_.wait());
      if (first.index() == 0) co_return;
    }
    dialled_ = route_.row.address;
    const auto answer = co_await read_identity(device);
    if (!answer) device->lose(route_.row.serial + " has moved to " + dialled_);
  }
}

// Shown until it is lost, and handed out if work may go to it.
asio::awaitable<void> KeptLink::hold(std::shared_ptr<Device> device) {
  adopted_.reset();
  route_.row.facts = device->facts();
  const DeviceState state = state_of(*device);
  if (state == State::device) device_ = device;
  show(state);
  co_await until_lost(device.get());
  device_.reset();
}

asio::awaitable<void> KeptLink::keep() {
  using namespace base::parallel;
  Backoff backoff;
  for (;;) {
    auto device = co_await dial();
    Result<void> checked;
    if (device) {
      checked = co_await check(device->get());
    } else {
      checked = std::unexpected(device.error());
    }
    ++tries_;
    refusal_.reset();
    route_.row.obstacle.clear();
    if (checked) {
      backoff.reset();
      co_await hold(*std::move(device));
      show(State::offline);
    } else {
      if (checked.error().code() == errc::device_identity_changed) {
        refusal_ = checked.error();
        route_.row.obstacle = refusal_->message();
      }
      show(route_state(checked.error()));
    }
    if (!is_redirected()) co_await (sleep_for(pause_after(checked, &backoff)) || hurry_.wait());
  }
}

}  // namespace clawperator
