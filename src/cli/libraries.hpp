#pragma once
// The libraries of this program, for `version --json`.

#include "base/json_text.hpp"

namespace clawperator::cli {

// A Debian package whose code is part of this program, with its version.
struct LinkedPackage {
  const char* package;
  const char* version;
};
// As dpkg named them while the program was built; empty where there was no dpkg.
std::span<const LinkedPackage> linked_packages();

// "features":{"usb":true,...}: whether the library that it needs can be loaded here.
// "libraries":{"linked":[{"package","version"}], "loaded":[{"file","version","found"}]}: the
// version is null where the library is not there or does not say.
JsonObject libraries_of_program();

}  // namespace clawperator::cli
