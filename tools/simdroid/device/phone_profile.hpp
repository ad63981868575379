#pragma once
// The simulated phone as data: an Android release or a maker's phone. Behaviour that depends only
// on the release (abb's status, logcat's buffering, ...) is decided by `sdk` in its own place.
// Settings that a person can change on the phone are faults that the phone begins with.
//
//   phone_profile_table.cpp  the phones, and since which release adbd announces which feature

#include <span>
#include <string>
#include <string_view>

#include "adbproto/wire/banner.hpp"

namespace simdroid {

// Like `simctl fault NAME VALUE`; an empty value means the fault's default.
struct FaultSetting {
  std::string_view name;
  std::string_view value{};
};

struct PhoneProfile {
  std::string_view name;
  int sdk = 0;
  std::string_view release;
  std::string_view manufacturer;
  std::string_view model;
  std::string_view about;
  std::span<const FaultSetting> faults{};
  std::string_view serialno{};  // the same for all phones of this kind; empty: each has its own
};

// The properties of every phone of a release, for all makers.
struct AndroidRelease {
  int sdk = 0;
  std::string_view security_patch;
  std::string_view shell;   // $KSH_VERSION
  std::string_view toybox;  // the output of `toybox --version`
};
// The newest that is not newer than `sdk`.
const AndroidRelease& android_release(int sdk);

std::span<const PhoneProfile> phone_profiles();
const PhoneProfile* find_phone_profile(std::string_view name);  // null: unknown
const PhoneProfile& default_phone_profile();
// "NAME<tab>Android RELEASE<tab>ABOUT", a line each.
std::string list_phone_profiles();

// The features that this release's adbd announces, as far as they are implemented here.
adbproto::FeatureSet features_of_sdk(int sdk);

}  // namespace simdroid
