#include "skills/phone/recipe/fault.hpp"

#include <algorithm>
#include <tuple>

#include "skills/phone/recipe/errc.hpp"

namespace clawperator::recipe {

void Faults::add(Errc code, TextPlace place, std::string message) {
  if (faults_.size() > kMaxFaults) return;
  if (faults_.size() == kMaxFaults) {
    code = errc::recipe_limit_exceeded;
    message = "further faults are not listed";
  }
  faults_.push_back({code, place, std::move(message)});
}

void Faults::append(std::vector<Fault> more) {
  for (Fault& each : more) add(each.code, each.place, std::move(each.message));
}

std::vector<Fault> Faults::in_order() && {
  std::ranges::sort(faults_, {}, [](const Fault& fault) {
    return std::tie(fault.place, fault.code->published, fault.message);
  });
  return std::move(faults_);
}

}  // namespace clawperator::recipe
