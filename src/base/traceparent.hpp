#pragma once
// The W3C trace context of the header `traceparent` and the variable TRACEPARENT:
//
//   00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01
//   |  trace id                         |                sampled
//   version                             span of the caller

#include "base/prelude.hpp"

namespace base {

// The caller: a trace and a span in it. It is passed on with the work.
struct Traceparent {
  std::string trace_id;  // 32 lower-case hex digits, not all zero
  std::string span_id;   // 16
  bool sampled = false;

  bool operator==(const Traceparent&) const = default;
};

// nullopt: treat it as absent. For a later version only the four fields of this version are read.
std::optional<Traceparent> parse_traceparent(std::string_view text);

// Of version 00.
std::string to_string(const Traceparent& parent);

using SpanBytes = std::array<std::uint8_t, 8>;
std::string encode_span_id(const SpanBytes& random);
// From the system's random source.
std::string new_span_id();

}  // namespace base
