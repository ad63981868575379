#pragma once
// One request from its arrival to its answer, in the client's trace (the header `traceparent`) and
// in the trace of this process.

#include <optional>
#include <string>

#include "runtime/http/request.hpp"
#include "runtime/trace/trace.hpp"
#include "runtime/trace/traceparent.hpp"

namespace clawperator::serve {

// The client's word, as far as it can be read.
std::optional<Traceparent> traceparent_of(const http::Request& request);

class RequestSpan {
 public:
  // `trace` may be nullptr.
  RequestSpan(Trace* trace, const http::Request& request);
  RequestSpan(const RequestSpan&) = delete;
  RequestSpan& operator=(const RequestSpan&) = delete;
  ~RequestSpan();

  // What is handed on and answered: the client's trace with this request's own span; nullopt: the
  // client has none.
  [[nodiscard]] const std::optional<Traceparent>& traceparent() const { return own_; }
  void answered(int status) { args_.number("status", status); }

 private:
  Trace* trace_;
  std::string title_;
  TraceTime start_ = Clock::now();
  std::optional<Traceparent> own_;
  JsonObject args_;
};

}  // namespace clawperator::serve
