#pragma once
// Observes the wire traffic of one event loop, for traces. It gets the headers of packets and the
// texts of requests, never payloads.

#include <asio/any_io_executor.hpp>
#include <asio/execution_context.hpp>

#include "adbproto/wire/packet.hpp"
#include "base/async/task.hpp"

namespace adbproto {

enum class Direction : std::uint8_t { sent, received };

// One packet of a link. A packet counts as `sent` when it is queued for the link.
struct SeenPacket {
  Direction direction{};
  Command command{};
  std::uint32_t arg0 = 0;
  std::uint32_t arg1 = 0;
  std::size_t payload_size = 0;
  std::string_view service{};  // of an OPEN
};

// Observes one link until it is destroyed.
class LinkObserver {
 public:
  virtual ~LinkObserver() = default;
  virtual void on_packet(const SeenPacket& packet) = 0;
  virtual void on_end(std::string_view why) = 0;
};

// A smart-socket request whose answer has arrived, or never will.
struct SeenRequest {
  std::string_view request;
  std::string_view answer;  // "OKAY", or the error; empty: the request was cancelled
  Clock::time_point start{};
};

class WireObserver {
 public:
  virtual ~WireObserver() = default;
  virtual std::unique_ptr<LinkObserver> on_link(std::string_view name) = 0;
  virtual void on_request(const SeenRequest& seen) = 0;
};

// Holds the one observer of an event loop. The observer must outlive the loop; nullptr ends the
// observation.
class WireWatch final : public asio::execution_context::service {
 public:
  static inline asio::execution_context::id id;

  explicit WireWatch(asio::execution_context& owner) : service(owner) {}
  static WireObserver* of(const asio::any_io_executor& executor) {
    auto& context = asio::query(executor, asio::execution::context);
    if (!asio::has_service<WireWatch>(context)) return nullptr;
    return asio::use_service<WireWatch>(context).observer_;
  }
  static void begin(const asio::any_io_executor& executor, WireObserver* observer) {
    asio::use_service<WireWatch>(asio::query(executor, asio::execution::context)).observer_ =
        observer;
  }

 private:
  void shutdown() override {}
  WireObserver* observer_ = nullptr;
};

// Reports one packet; `observer` may be nullptr.
inline void report_packet(LinkObserver* observer, Direction direction, const Packet& packet) {
  if (!observer) return;
  std::string_view service;
  if (packet.command == Command::open) service = as_text(packet.payload);
  observer->on_packet({direction, packet.command, packet.arg0, packet.arg1, packet.payload.size(),
                       service.substr(0, service.find_last_not_of('\0') + 1)});
}

// One request; it is reported when this object is destroyed.
class WatchedRequest {
 public:
  WatchedRequest(WireObserver* observer, std::string_view request)
      : observer_(observer), request_(observer ? request : std::string_view()) {}
  WatchedRequest(const WatchedRequest&) = delete;
  WatchedRequest& operator=(const WatchedRequest&) = delete;
  ~WatchedRequest() {
    if (observer_) observer_->on_request({request_, answer_, start_});
  }
  template <class T>
  void answered(const Result<T>& answer) {
    if (observer_) answer_ = answer ? "OKAY" : answer.error().message();
  }

 private:
  WireObserver* observer_;
  std::string request_;
  std::string answer_;
  Clock::time_point start_ = Clock::now();
};

}  // namespace adbproto
