#pragma once
// Runs a RequestReader over a peer's bytes, cut in any way, until it refuses or has no more.

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/http/request_reader.hpp"

namespace clawperator::http::testing {

struct Reading {
  std::vector<Request> requests;
  int refused = 0;  // the status
  std::string refusal;
  bool mid_request = false;  // something of a further request had come
};

inline std::string text_of(const Reading& reading) {
  std::string text;
  const auto add_pairs = [&text](const Request::Pairs& pairs) {
    for (const auto& [name, value] : pairs) text += "  " + name + "=" + value + "\n";
  };
  for (const Request& request : reading.requests) {
    text += request.method + " " + request.target + " " + request.path + "\n";
    add_pairs(request.query);
    add_pairs(request.headers);
    text += "  [" + request.body + "]\n";
  }
  return text + std::to_string(reading.refused) + " " + reading.refusal +
         (reading.mid_request ? " and more" : "");
}

// False where it refused.
inline bool read_what_is_there(RequestReader* reader, Reading* reading, std::size_t body_limit) {
  for (;;) {
    auto progress = reader->next();
    if (!progress) {
      reading->refused = progress.error().status;
      reading->refusal = progress.error().body;
      return false;
    }
    if (*progress == Progress::more) return true;
    if (*progress == Progress::head) reader->limit_body(body_limit);
    if (*progress == Progress::complete) reading->requests.push_back(reader->take());
  }
}

inline Reading read_in_steps(std::string_view bytes, std::size_t step, const Limits& limits = {}) {
  RequestReader reader(limits);
  Reading reading;
  while (!bytes.empty()) {
    reader.feed(as_bytes(bytes.substr(0, step)));
    bytes.remove_prefix(std::min(step, bytes.size()));
    if (!read_what_is_there(&reader, &reading, limits.body)) return reading;
  }
  reading.mid_request = !reader.is_idle();
  return reading;
}

// Whole, byte by byte, and in steps between; returns the common outcome.
inline Reading read_requests(std::string_view bytes, const Limits& limits = {}) {
  auto whole = read_in_steps(bytes, bytes.size(), limits);
  for (const std::size_t step : {1U, 2U, 3U, 5U, 7U, 16U, 61U}) {
    INFO("in steps of " << step);
    REQUIRE(text_of(read_in_steps(bytes, step, limits)) == text_of(whole));
  }
  return whole;
}

// Of one request that is whole.
inline Request read_request(std::string_view bytes) {
  auto reading = read_requests(bytes);
  INFO(text_of(reading));
  REQUIRE(reading.requests.size() == 1);
  REQUIRE(reading.refused == 0);
  REQUIRE_FALSE(reading.mid_request);
  return std::move(reading.requests.front());
}

}  // namespace clawperator::http::testing
