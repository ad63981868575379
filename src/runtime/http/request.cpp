#include "runtime/http/request.hpp"

#include <algorithm>

#include "base/number.hpp"
#include "base/text.hpp"

namespace clawperator::http {
namespace {

const std::string* find(const Request::Pairs& pairs, std::string_view name) {
  const auto found =
      std::ranges::find_if(pairs, [name](const auto& pair) { return pair.first == name; });
  return found == pairs.end() ? nullptr : &found->second;
}

constexpr std::string_view kScheme = "http://";

// Of `text`, up to `separator`; `text` loses both.
std::string_view take_until(std::string_view* text, char separator) {
  const auto end = text->find(separator);
  const auto taken = text->substr(0, end);
  text->remove_prefix(end == std::string_view::npos ? text->size() : end + 1);
  return taken;
}

std::optional<std::string> decoded_parameter(std::string_view text) {
  std::string spaced(text);
  std::ranges::replace(spaced, '+', ' ');
  return percent_decoded(spaced);
}

// The path alone, of a target with or without a host; nullopt where it does not belong to this
// server.
std::optional<std::string_view> path_of(std::string_view target, const Request& request) {
  if (target.starts_with('/')) return target;
  if (target == "*" && request.method == "OPTIONS") return target;
  if (ascii_lower(target.substr(0, kScheme.size())) != kScheme) return std::nullopt;
  target.remove_prefix(kScheme.size());
  const auto slash = std::min(target.find('/'), target.size());
  const std::string* host = request.header("host");
  if (!host || ascii_lower(*host) != ascii_lower(target.substr(0, slash))) return std::nullopt;
  target.remove_prefix(slash);
  return target.empty() ? "/" : target;
}

}  // namespace

const std::string* Request::header(std::string_view lower_case_name) const {
  return find(headers, lower_case_name);
}

const std::string* Request::parameter(std::string_view name) const { return find(query, name); }

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    if (c == '%') {
      const auto digits = text.substr(at + 1, 2);
      const auto value = whole_number<std::uint8_t>(digits, 16);
      if (!value || digits.size() != 2) return std::nullopt;
      c = static_cast<char>(*value);
      at += 2;
    }
    if (c == '\0') return std::nullopt;
    decoded += c;
  }
  return decoded;
}

std::optional<Request::Pairs> query_parameters(std::string_view query) {
  Request::Pairs parameters;
  while (!query.empty()) {
    std::string_view value = take_until(&query, '&');
    if (value.empty()) continue;
    auto name = decoded_parameter(take_until(&value, '='));
    auto decoded = decoded_parameter(value);
    if (!name || !decoded) return std::nullopt;
    parameters.emplace_back(*std::move(name), *std::move(decoded));
  }
  return parameters;
}

bool read_target(std::string_view target, Request* request) {
  request->target = target;
  const auto question = std::min(target.find('?'), target.size());
  auto query = query_parameters(target.substr(std::min(question + 1, target.size())));
  const auto encoded = path_of(target.substr(0, question), *request);
  if (!query || !encoded) return false;
  auto path = percent_decoded(*encoded);
  if (!path) return false;
  request->query = *std::move(query);
  request->path = *std::move(path);
  request->segments.clear();
  for (std::string_view rest = *encoded; !rest.empty();) {
    // An escape of a segment is an escape of the path, which has been decoded already.
    auto segment = percent_decoded(take_until(&rest, '/')).value_or("");
    if (!segment.empty()) request->segments.push_back(std::move(segment));
  }
  return true;
}

}  // namespace clawperator::http
