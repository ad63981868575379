#pragma once
// The libraries of this program, for `version --json`.

#include "base/json_text.hpp"

namespace clawperator::cli {

// A Debian package that is linked into this program, with its version.
struct LinkedPackage {
  const char* package;
  const char* version;
};
// The versions from dpkg at build time; empty without dpkg.
std::span<const LinkedPackage> linked_packages();

// "features":{"usb":true,...}: true if the feature's library can be loaded here.
// "libraries":{"linked":[{"package","version"}], "loaded":[{"file","version","found"}]}: the
// version is null if the library is absent or does not report one.
JsonObject libraries_of_program();

}  // namespace clawperator::cli
