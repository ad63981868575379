#pragma once
// System properties (getprop) and the three tables of `settings`.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "simdroid/device/phone_profile.hpp"
#include "simdroid/device/prelude.hpp"

namespace simdroid {

struct Identity {
  std::string serial = "SIM0DROID1";
  std::string product = "simdroid";
  std::string model = "Simdroid";
  std::string device = "simdroid";
};

class Properties {
 public:
  Properties(const Identity& identity, const PhoneProfile& kind);

  [[nodiscard]] std::string get(std::string_view name) const;  // "" when it is not set
  // errc::refused for read-only names, overlong values and what the shell may not set.
  Result<void> set(std::string_view name, std::string_view value);
  [[nodiscard]] const std::map<std::string, std::string, std::less<>>& all() const {
    return values_;
  }

 private:
  std::map<std::string, std::string, std::less<>> values_;
};

class Settings {
 public:
  using Table = std::map<std::string, std::string, std::less<>>;

  Settings();

  // Null for a namespace other than system, secure, global.
  [[nodiscard]] Table* table(std::string_view space);
  [[nodiscard]] std::string get(std::string_view space, std::string_view key) const;

 private:
  std::map<std::string, Table, std::less<>> tables_;
};

}  // namespace simdroid
