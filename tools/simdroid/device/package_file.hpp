#pragma once
// A package as the simulated phone takes it: a zip file with a stored (not deflated) entry
// AndroidManifest.xml in plain text, where a real one has its binary form:
//
//   <manifest package="com.x" android:versionName="0.5.3" android:versionCode="503900"/>

#include <cstdint>
#include <string>
#include <string_view>

#include "simdroid/device/prelude.hpp"

namespace simdroid {

struct PackageFile {
  std::string name;
  std::string version_name;
  int version_code = 1;
};

// Fails with Android's code for it ("INSTALL_PARSE_FAILED_NOT_APK: ...").
Result<PackageFile> read_package_file(std::string_view bytes);

}  // namespace simdroid
