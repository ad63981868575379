#include "runtime/device/resolver/transports.hpp"

#include "adbproto/wire/errc.hpp"

namespace clawperator {

namespace {

// Two transports of one phone are one device; only the phone can report which. A way that does not
// open may lead to another phone, so it is never passed over for one that does.
template <class DevicePtr>
Task<DevicePtr> open_only(Transports<DevicePtr>* transports,
                          const std::vector<Candidate>* candidates,
                          const std::vector<std::size_t>* rows, const Question* question) {
  std::vector<Way> opened;
  Result<DevicePtr> first = fail(errc::link_lost, "");
  for (const std::size_t at : *rows) {
    opened.push_back({.row = (*candidates)[at].row, .identity = {}});
    auto device = co_await transports->open(at, KeyOffer::kNever);
    if (device) opened.back().identity = co_await transports->identity(at, device->get());
    if (!first) first = std::move(device);
  }
  if (const auto one = check_one_phone(opened, *question); !one) {
    first = std::unexpected(one.error());
  }
  transports->keep_only(first ? first->get() : nullptr);
  co_return first;
}

}  // namespace

template <class DevicePtr>
Task<DevicePtr> resolve(Transports<DevicePtr>* transports, Question question, KeyOffer offer) {
  const Found found = transports->found();
  const Decision decision = decide(found.candidates, question, found.server_error);
  if (const auto* open = std::get_if<Open>(&decision)) {
    if (open->rows.size() == 1)
      co_return co_await transports->open(open->rows.front(), KeyOffer::kNever);
    co_return co_await open_only(transports, &found.candidates, &open->rows, &question);
  }
  if (const auto* connect = std::get_if<Connect>(&decision)) {
    co_return co_await transports->open(connect->row, std::move(offer));
  }
  if (const auto* dial = std::get_if<Dial>(&decision)) {
    auto device = co_await transports->dial(dial->address, std::move(offer));
    const bool is_absent = !device && device.error().code() == errc::device_not_found;
    if (!is_absent) co_return device;
    co_return std::unexpected(Error(errc::device_not_found, device.error().message(),
                                    dial->absent.members(), device.error().system_error()));
  }
  const auto& refusal = std::get<Refuse>(decision);
  if (refusal.held) {
    auto device = co_await transports->open_from_holder(*refusal.held);
    if (device) co_return device;
  }
  co_return std::unexpected(refusal.why);
}

template Task<std::unique_ptr<Device>> resolve(Transports<std::unique_ptr<Device>>* transports,
                                               Question question, KeyOffer offer);
template Task<std::shared_ptr<Device>> resolve(Transports<std::shared_ptr<Device>>* transports,
                                               Question question, KeyOffer offer);

}  // namespace clawperator
