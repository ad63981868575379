#pragma once
// The text with which a side introduces itself in its CNXN packet:
//
//   <type>:<serial>:ro.product.name=..;ro.product.model=..;ro.product.device=..;features=a,b
//
// Old devices stop after `device::`; a trailing NUL is optional.

#include <initializer_list>
#include <set>

#include "base/bytes.hpp"
#include "base/error.hpp"

namespace adbproto {

// Names of optional protocol parts, such as `shell_v2`; unknown names are kept.
class FeatureSet {
 public:
  FeatureSet() = default;
  FeatureSet(std::initializer_list<std::string_view> names);

  // From the comma list of a banner or of `host:features`.
  static FeatureSet from_list(std::string_view comma_list);

  void add(std::string_view name);
  void remove(std::string_view name);
  [[nodiscard]] bool has(std::string_view name) const { return names_.contains(name); }
  [[nodiscard]] bool empty() const { return names_.empty(); }
  [[nodiscard]] const std::set<std::string, std::less<>>& names() const { return names_; }

  // The sorted comma list.
  [[nodiscard]] std::string to_string() const;

  bool operator==(const FeatureSet&) const = default;

 private:
  std::set<std::string, std::less<>> names_;
};

struct Banner {
  std::string type{};  // device, bootloader, recovery, sideload, rescue, host
  std::string serial{};
  std::string product{};
  std::string model{};
  std::string device{};
  FeatureSet features{};

  bool operator==(const Banner&) const = default;
};

// The state that adb shows for a device with that banner: its type; "host" for an unknown type. A
// literal.
std::string_view connection_state(const Banner& banner);

// CNXN precedes the agreement on a longer payload, so it has at most kMaxPayloadBeforeConnect
// bytes.
inline constexpr std::size_t kMaxBanner = 4096;

// Tolerant: skips items that are not exactly `key=value`, and unknown keys. The only error is
// `limit`, for more than kMaxBanner bytes.
Result<Banner> parse_banner(std::string_view text);
inline Result<Banner> parse_banner(ByteView payload) { return parse_banner(as_text(payload)); }

// Without a final NUL. Empty properties are left out; characters that would end a property become
// '_'.
std::string encode_banner(const Banner& banner);

}  // namespace adbproto
