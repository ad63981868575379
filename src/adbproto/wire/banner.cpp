#include "adbproto/wire/banner.hpp"

#include <algorithm>
#include <iterator>
#include <ranges>

namespace adbproto {
namespace {

// Returns the text before the first ':'; `text` keeps the rest.
std::string_view take_until_colon(std::string_view& text) {
  const std::size_t end = std::min(text.find(':'), text.size());
  const auto piece = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return piece;
}

void set_property(Banner& banner, std::string_view key, std::string_view value) {
  if (key == "ro.product.name") banner.product = value;
  if (key == "ro.product.model") banner.model = value;
  if (key == "ro.product.device") banner.device = value;
  if (key == "features") banner.features = FeatureSet::from_list(value);
}

void append_property(std::string& properties, std::string_view key, std::string_view value) {
  if (value.empty()) return;
  if (!properties.empty()) properties += ';';
  properties.append(key).append("=");
  std::ranges::transform(value, std::back_inserter(properties),
                         [](char c) { return c == ';' || c == '=' || c == '\0' ? '_' : c; });
}

}  // namespace

FeatureSet::FeatureSet(std::initializer_list<std::string_view> names) {
  for (const auto name : names) add(name);
}

FeatureSet FeatureSet::from_list(std::string_view comma_list) {
  FeatureSet set;
  for (const auto name : comma_list | std::views::split(',')) set.add(std::string_view(name));
  return set;
}

void FeatureSet::add(std::string_view name) {
  if (!name.empty()) names_.emplace(name);
}

void FeatureSet::remove(std::string_view name) {
  if (const auto found = names_.find(name); found != names_.end()) names_.erase(found);
}

std::string FeatureSet::to_string() const {
  std::string out;
  for (const auto& name : names_) {
    if (!out.empty()) out += ',';
    out += name;
  }
  return out;
}

// Everything after the second ':' is properties, because a model name may contain a ':'.
Result<Banner> parse_banner(std::string_view text) {
  if (text.size() > kMaxBanner) return fail(errc::limit, "banner longer than 4096 bytes");
  text = text.substr(0, text.find('\0'));
  Banner banner;
  banner.type = take_until_colon(text);
  banner.serial = take_until_colon(text);
  for (const auto piece : text | std::views::split(';')) {
    const std::string_view item(piece);
    const std::size_t equals = item.find('=');
    if (equals == item.npos || item.find('=', equals + 1) != item.npos) continue;
    set_property(banner, item.substr(0, equals), item.substr(equals + 1));
  }
  return banner;
}

std::string_view connection_state(const Banner& banner) {
  for (const std::string_view type : {"device", "recovery", "sideload", "rescue", "bootloader"}) {
    if (banner.type == type) return type;
  }
  return "host";
}

std::string encode_banner(const Banner& banner) {
  std::string properties;
  append_property(properties, "ro.product.name", banner.product);
  append_property(properties, "ro.product.model", banner.model);
  append_property(properties, "ro.product.device", banner.device);
  append_property(properties, "features", banner.features.to_string());
  return banner.type + ":" + banner.serial + ":" + properties;
}

}  // namespace adbproto
