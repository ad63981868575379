#pragma once
// A request as the routes see it.

#include "base/prelude.hpp"
#include "runtime/http/peer.hpp"

namespace clawperator::http {

struct Request {
  using Pairs = std::vector<std::pair<std::string, std::string>>;

  std::string method{};                 // upper case token as sent
  std::string target{};                 // as sent, for the log
  std::string path{};                   // decoded, without the query; never contains NUL
  std::vector<std::string> segments{};  // of the path at each '/', decoded, empty ones dropped
  Pairs query{};                        // decoded, in order
  Pairs headers{};                      // names in lower case, in order
  std::string body{};
  const Peer* peer = nullptr;  // lives while it is answered

  // The first of that name, or nullptr.
  [[nodiscard]] const std::string* header(std::string_view lower_case_name) const;
  [[nodiscard]] const std::string* parameter(std::string_view name) const;
};

// nullopt for a wrong escape, and for one of NUL.
std::optional<std::string> percent_decoded(std::string_view text);

// `a=1&b=x+y`: a plus is a blank here. nullopt as above.
std::optional<Request::Pairs> query_parameters(std::string_view query);

// `/skills/a%20b/run?keyword=x+y` taken apart: fills target, path, segments and query. Segments are
// decoded one by one, so an escaped slash divides nothing; `.` and `..` are segments like others.
// The method and the headers must be there: `*` is a target of OPTIONS only, and one that names a
// host must name the one of the Host header.
[[nodiscard]] bool read_target(std::string_view target, Request* request);

}  // namespace clawperator::http
