#pragma once
// A byte stream whose peer was written down beforehand: what it says, and after which of our bytes.
//
//   Script script;
//   script.hears(request).says("OKAY").says("0004002d");
//   ScriptedStream stream(loop.executor(), script, {.piece = 1});   // replies come byte by byte
//
// A write that differs from what the peer wants to hear is errc::protocol; what we write beyond the
// script is swallowed.

#include <algorithm>
#include <limits>

#include "base/async/signal.hpp"
#include "support/cassette.hpp"

namespace adbproto::testing {

class Script {
 public:
  Script& hears(ByteView bytes) { return add(CassetteRecord::Kind::written, bytes); }
  Script& says(ByteView bytes) { return add(CassetteRecord::Kind::read, bytes); }
  Script& hears(std::string_view text) { return hears(as_bytes(text)); }
  Script& says(std::string_view text) { return says(as_bytes(text)); }

  [[nodiscard]] std::size_t said() const { return size_of(CassetteRecord::Kind::read); }
  [[nodiscard]] std::size_t heard() const { return size_of(CassetteRecord::Kind::written); }
  [[nodiscard]] const Cassette& cassette() const { return cassette_; }

 private:
  Script& add(CassetteRecord::Kind kind, ByteView bytes) {
    if (!bytes.empty()) cassette_.records.push_back({kind, {}, Bytes(bytes.begin(), bytes.end())});
    return *this;
  }
  [[nodiscard]] std::size_t size_of(CassetteRecord::Kind kind) const {
    std::size_t size = 0;
    for (const auto& record : cassette_.records)
      size += record.kind == kind ? record.bytes.size() : 0;
    return size;
  }
  Cassette cassette_;
};

inline constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();

struct Manners {
  std::size_t piece = kNever;     // the longest read
  std::size_t split_at = kNever;  // no read goes across this inbound offset
  std::size_t cut_at = kNever;    // inbound bytes until every read fails
  Errc cut_with = errc::io;
  enum class End { closes, stays_silent } end = End::closes;  // when all is said
};

class ScriptedStream final : public ByteStream {
 public:
  ScriptedStream(const asio::any_io_executor& executor, const Script& script, Manners manners = {})
      : replay_(executor, script.cassette()),
        manners_(manners),
        to_say_(script.said()),
        to_hear_(script.heard()),
        closed_(executor) {}

  Task<std::size_t> read_some(std::span<std::byte> into) override {
    if (served_ >= manners_.cut_at) co_return fail(manners_.cut_with, "cut by the test");
    if (served_ == to_say_ && manners_.end == Manners::End::stays_silent) {
      while (!is_closed_) co_await closed_.wait();
    }
    std::size_t room = std::min({into.size(), manners_.piece, manners_.cut_at - served_});
    if (served_ < manners_.split_at) room = std::min(room, manners_.split_at - served_);
    CO_TRY(const std::size_t size, co_await replay_.read_some(into.first(room)));
    served_ += size;
    co_return size;
  }

  Task<void> write_all(ByteView bytes) override {
    const auto known = bytes.first(std::min(bytes.size(), to_hear_ - heard_));
    heard_ += known.size();
    if (is_closed_ || !known.empty()) co_return co_await replay_.write_all(known);
    co_return ok();
  }

  void close() override {
    is_closed_ = true;
    closed_.notify_all();
    replay_.close();
  }

 private:
  ReplayStream replay_;
  Manners manners_;
  std::size_t to_say_;
  std::size_t to_hear_;
  std::size_t served_ = 0;
  std::size_t heard_ = 0;
  bool is_closed_ = false;
  Signal closed_;
};

}  // namespace adbproto::testing
