#include "simdroid/device/packages.hpp"

namespace simdroid {

std::string Package::apk_path() const {
  return system ? "/system/app/" + name + "/base.apk"
                : "/data/app/~~sim==/" + name + "-" + std::to_string(installs) + "==/base.apk";
}

std::span<const std::string_view> runtime_permissions(int sdk) {
  static constexpr std::string_view kPermissions[] = {
      "android.permission.ACCESS_FINE_LOCATION", "android.permission.CAMERA",
      "android.permission.READ_CONTACTS", "android.permission.RECORD_AUDIO",
      "android.permission.POST_NOTIFICATIONS"};
  constexpr int kNotificationPermission = 33;
  const std::span<const std::string_view> all = kPermissions;
  return sdk < kNotificationPermission ? all.first(all.size() - 1) : all;
}

Packages::Packages(const ScreenSet& screens, const std::vector<OperatorBuild>& operators,
                   const Faults* faults)
    : faults_(faults) {
  for (const auto& [name, app] : screens.apps()) {
    if (!app.installed || names_of_package(name) != nullptr) continue;
    add({name,
         app.version_name.empty() ? "14" : app.version_name,
         app.version_code,
         app.system,
         0,
         {},
         {}});
  }
  for (const auto& [names, version] : operators) {
    const int code = operator_version_code(version);
    add({std::string(names->package), version, code, false, 0, {}, {}});
    add({std::string(names->variant), version + "-d", code, false, 0, {}, {}});
  }
}

void Packages::add(Package package) {
  package.uid = next_uid_++;
  packages_[package.name] = package;
}

void Packages::install(const std::string& name, const std::string& version_name, int version_code) {
  put_there_.insert(name);
  if (const auto old = packages_.find(name); old != packages_.end()) {
    old->second.version_name = version_name;
    old->second.version_code = version_code;
    ++old->second.installs;
    return;
  }
  add({name, version_name, version_code, false, 0, {}, {}, true});
}

bool Packages::visible(std::string_view name) const {
  if (put_there_.contains(name)) return !faults_->active(Fault::package_missing);
  const OperatorNames* names = names_of_package(name);
  if (names == nullptr) return true;
  const bool swapped = faults_->active(Fault::package_variant);
  if (name == names->variant) return swapped;
  return !swapped && !faults_->active(Fault::package_missing);
}

Package* Packages::find(std::string_view name) {
  const auto at = packages_.find(name);
  return at == packages_.end() || !visible(name) ? nullptr : &at->second;
}

std::vector<const Package*> Packages::all() const {
  std::vector<const Package*> result;
  for (const auto& [name, package] : packages_) {
    if (visible(name)) result.push_back(&package);
  }
  return result;
}

}  // namespace simdroid
