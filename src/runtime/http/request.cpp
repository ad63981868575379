#include "runtime/http/request.hpp"

#include <algorithm>

namespace clawperator::http {
namespace {

const std::string* find(const Request::Pairs& pairs, std::string_view name) {
  const auto found =
      std::ranges::find_if(pairs, [name](const auto& pair) { return pair.first == name; });
  return found == pairs.end() ? nullptr : &found->second;
}

}  // namespace

const std::string* Request::header(std::string_view lower_case_name) const {
  return find(headers, lower_case_name);
}

const std::string* Request::parameter(std::string_view name) const { return find(query, name); }

}  // namespace clawperator::http
