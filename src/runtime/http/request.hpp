#pragma once
// A request as the routes see it.

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/namespaces.hpp"

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
  // Whether who asks has ended its side meanwhile; absent: nobody knows. While it is answered.
  std::function<bool()> asker_is_gone{};

  // The first of that name, or nullptr.
  [[nodiscard]] const std::string* header(std::string_view lower_case_name) const;
  [[nodiscard]] const std::string* parameter(std::string_view name) const;
};

}  // namespace clawperator::http
