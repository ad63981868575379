// Invariants: the requests and the refusal do not depend on how the bytes were cut; what is taken
// in is bounded; no header holds a line end or NUL, no body is over its limit.

#include "runtime/http/request_reader.hpp"
#include "wire/chunks.hpp"

using namespace clawperator::http;
using namespace adbproto;

namespace {

struct Reading {
  std::vector<Request> requests{};
  int refused = 0;
  std::string refusal{};
  bool is_idle = false;
};

const Limits kLimits{.header = 512, .unconsumed = 64, .body = 256};

// Each item is one of a Request's, so two of them are equal when all of theirs are.
bool equal(const Request& left, const Request& right) {
  return std::tie(left.method, left.target, left.path, left.segments, left.query, left.headers,
                  left.body) == std::tie(right.method, right.target, right.path, right.segments,
                                         right.query, right.headers, right.body);
}

bool equal(const Reading& left, const Reading& right) {
  return left.refused == right.refused && left.refusal == right.refusal &&
         left.is_idle == right.is_idle &&
         std::ranges::equal(left.requests, right.requests,
                            [](const auto& a, const auto& b) { return equal(a, b); });
}

void check(const Request& request) {
  using namespace std::string_view_literals;
  fuzz::require(request.body.size() <= kLimits.body);
  fuzz::require(!request.path.contains('\0'));
  for (const auto& [name, value] : request.headers) {
    fuzz::require(name.find_first_of("\r\n: \0"sv) == std::string::npos);
    fuzz::require(value.find_first_of("\r\n\0"sv) == std::string::npos);
  }
}

// False where it refused.
bool read_what_is_there(RequestReader* reader, Reading* reading) {
  for (;;) {
    auto progress = reader->next();
    if (!progress) {
      reading->refused = progress.error().status;
      reading->refusal = progress.error().body;
      return false;
    }
    if (*progress == Progress::more) return true;
    if (*progress == Progress::head) reader->limit_body(kLimits.body);
    if (*progress == Progress::complete) reading->requests.push_back(reader->take());
  }
}

Reading read_in_steps(ByteView bytes, std::size_t step) {
  RequestReader reader(kLimits);
  Reading reading;
  while (!bytes.empty()) {
    const auto part = bytes.first(std::min(step, bytes.size()));
    bytes = bytes.subspan(part.size());
    reader.feed(part);
    if (!read_what_is_there(&reader, &reading)) return reading;
  }
  reading.is_idle = reader.is_idle();
  return reading;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView bytes = fuzz::input(data, size);
  const Reading whole = read_in_steps(bytes, size);
  for (const Request& request : whole.requests) check(request);
  for (const std::size_t step : {1U, 3U, 7U}) {
    fuzz::require(equal(read_in_steps(bytes, step), whole));
  }
  return 0;
}
