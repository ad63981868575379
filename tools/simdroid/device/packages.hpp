#pragma once
// The package manager's packages: the apps of the screen files, the Operator apps and those that
// were installed since.

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "simdroid/device/faults.hpp"
#include "simdroid/operator/operator_version.hpp"
#include "simdroid/ui/screen_set.hpp"

namespace simdroid {

struct Package {
  std::string name;
  std::string version_name;
  int version_code = 1;
  bool system = false;
  std::uint32_t uid = 0;
  std::set<std::string> granted;
  std::map<std::string, std::string, std::less<>> app_ops{};
  bool stopped = false;  // never started yet, or stopped by force: no broadcasts
  int installs = 1;      // each has a folder of its own

  [[nodiscard]] std::string apk_path() const;
};

// The runtime permissions that each app of this phone requests.
std::span<const std::string_view> runtime_permissions(int sdk);

class Packages {
 public:
  // `faults` must outlive this: package-missing and package-variant hide and swap the Operator
  // apps.
  Packages(const ScreenSet& screens, const std::vector<OperatorBuild>& operators,
           const Faults* faults);

  [[nodiscard]] Package* find(std::string_view name);  // null: not installed
  // New, or over an older one, whose grants stay.
  void install(const std::string& name, const std::string& version_name, int version_code);
  void uninstall(std::string_view name) { packages_.erase(std::string(name)); }
  // Installed ones, by name.
  [[nodiscard]] std::vector<const Package*> all() const;

 private:
  [[nodiscard]] bool visible(std::string_view name) const;
  void add(Package package);

  std::map<std::string, Package, std::less<>> packages_;
  std::set<std::string, std::less<>> put_there_;  // by install()
  const Faults* faults_;
  std::uint32_t next_uid_ = 10100;
};

}  // namespace simdroid
