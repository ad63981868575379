#include "runtime/device/lock_line.hpp"

#include <algorithm>

#include "base/async/signal.hpp"
#include "base/error_members.hpp"
#include "base/system/errc.hpp"

namespace clawperator {

using std::chrono::milliseconds;

namespace {

// How often a lock is tried that another process holds: the kernel does not report its release.
constexpr auto kPollPause = milliseconds(20);

Error full_line(const LockLines::Request& request) {
  ErrorMembers details;
  details.text("deviceId", request.device_id);
  details.number("waiting", LockLines::kMaxWaiting);
  return {errc::execution_conflict_in_flight, "Too many executions wait for this device",
          ErrorMembers()
              .text("hint", "retry when some of them are done")
              .object("details", details)
              .str()};
}

}  // namespace

struct LockLines::Line {
  explicit Line(const asio::any_io_executor& executor) : moved(executor) {}

  std::vector<Place*> places;
  bool served = false;     // the first has the lock
  adbproto::Signal moved;  // a place was added or removed
};

class LockLines::Place {
 public:
  // The first place is being served, so no place goes before it.
  Place(std::shared_ptr<Line> line, const Request& request)
      : line_(std::move(line)), arrival_(request.arrival), gives_way_(request.gives_way) {
    auto at = line_->places.begin() + (line_->served ? 1 : 0);
    at = std::find_if(at, line_->places.end(),
                      [this](const Place* other) { return other->arrival_ > arrival_; });
    line_->places.insert(at, this);
    line_->moved.notify_all();
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  ~Place() {
    if (is_first()) line_->served = false;
    std::erase(line_->places, this);
    line_->moved.notify_all();
  }

  [[nodiscard]] bool is_first() const { return line_->places.front() == this; }
  [[nodiscard]] bool gives_way() const { return gives_way_; }
  void serve() { line_->served = true; }
  // How many executions go first, another process's included.
  [[nodiscard]] std::int64_t position() const {
    const auto at = std::ranges::find(line_->places, this) - line_->places.begin();
    return at + (line_->served ? 0 : 1);
  }
  asio::awaitable<void> wait(milliseconds limit) {
    using namespace base::parallel;
    co_await (line_->moved.wait() || sleep_for(limit));
  }

 private:
  std::shared_ptr<Line> line_;
  std::uint64_t arrival_;
  bool gives_way_;
};

std::shared_ptr<LockLines::Line> LockLines::line_of(const std::string& identity) {
  std::erase_if(lines_, [](const auto& entry) { return entry.second.expired(); });
  auto& known = lines_[identity];
  auto line = known.lock();
  if (!line) known = line = std::make_shared<Line>(executor_);
  return line;
}

Task<LockLines::Turn> LockLines::wait_for(Request request) {
  const auto start = Clock::now();
  const auto line = line_of(request.identity);
  const bool meets_readings =
      !line->places.empty() && std::ranges::all_of(line->places, &Place::gives_way);
  const bool waits_for_readings = meets_readings && !request.gives_way;
  const milliseconds patience =
      std::max(request.patience, waits_for_readings ? milliseconds(kOfReading) : milliseconds(0));
  const bool waits = patience > patience.zero();
  const auto busy = [&request] { return busy_device(request.identity, request.device_id); };
  if (!waits && !line->places.empty()) co_return std::unexpected(busy());
  if (line->places.size() > kMaxWaiting) co_return std::unexpected(full_line(request));
  auto place = std::make_unique<Place>(line, request);
  for (;;) {
    if (place->is_first()) {
      auto lock = DeviceLock::acquire(request.identity, request.device_id, request.command_id);
      if (lock) co_return Turn(std::move(place), *std::move(lock));
      if (!waits || lock.error().code() != errc::execution_conflict_in_flight) {
        co_return std::unexpected(std::move(lock).error());
      }
    }
    if (closed_) co_return fail(errc::cancelled, "the process ends; the command was not sent");
    const auto waited = std::chrono::floor<milliseconds>(Clock::now() - start);
    if (waited >= patience) {
      co_return std::unexpected(with_details(
          busy(),
          ErrorMembers().number("position", place->position()).number("waitedMs", waited.count())));
    }
    const auto left = patience - waited;
    co_await place->wait(place->is_first() ? std::min(left, kPollPause) : left);
  }
}

void LockLines::close() {
  closed_ = true;
  for (const auto& [identity, known] : lines_) {
    if (const auto line = known.lock()) line->moved.notify_all();
  }
}

LockLines::Turn::Turn() = default;
LockLines::Turn::Turn(std::unique_ptr<Place> place, DeviceLock lock)
    : place_(std::move(place)), lock_(std::move(lock)) {
  place_->serve();
}
LockLines::Turn::Turn(Turn&&) noexcept = default;
LockLines::Turn& LockLines::Turn::operator=(Turn&&) noexcept = default;
LockLines::Turn::~Turn() = default;

}  // namespace clawperator
