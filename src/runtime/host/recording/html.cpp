#include "runtime/host/recording/html.hpp"

#include <algorithm>

#include "base/utf8.hpp"

namespace clawperator {
namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";  // U+FFFD

std::string_view entity_of(char c) {
  switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return {};
  }
}

}  // namespace

std::string escape_html(std::string_view text) {
  std::string out;
  for (const char c : harmless_text(text, kReplacement)) {
    const std::string_view entity = entity_of(c);
    if (entity.empty()) {
      out += c;
    } else {
      out += entity;
    }
  }
  return out;
}

std::string fill_places(std::string_view frame, std::span<const Place> places) {
  std::string out;
  for (;;) {
    const std::size_t start = frame.find("{{");
    const std::size_t end = start == frame.npos ? start : frame.find("}}", start);
    if (end == frame.npos) return out.append(frame);
    const std::string_view name = frame.substr(start + 2, end - start - 2);
    out += frame.substr(0, start);
    const auto place = std::ranges::find(places, name, &Place::name);
    if (place != places.end()) out += place->content;
    frame.remove_prefix(end + 2);
  }
}

}  // namespace clawperator
