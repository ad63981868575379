#pragma once
// What our own readers make of a phone's answers. Pure: the same answers, the same readings.

#include <string>
#include <vector>

#include "runtime/host/phone_report/answers.hpp"

namespace clawperator {

struct Reading {
  std::string name{};   // "packages.any_user"
  std::string value{};  // a few words, of a fixed vocabulary where the answer allows it

  bool operator==(const Reading&) const = default;
};

std::vector<Reading> read_answers(const PhoneReport& report);

}  // namespace clawperator
