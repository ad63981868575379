#pragma once
// Collects what is wrong with a recipe.

#include "skills/report/report.hpp"

namespace clawperator::recipe {

using report::Fault;

// A file with more faults has these and one that reports it.
inline constexpr std::size_t kMaxFaults = 1000;

class Faults {
 public:
  void add(Errc code, TextPlace place, std::string message);
  void append(std::vector<Fault> more);

  [[nodiscard]] bool empty() const { return faults_.empty(); }
  // In the order of their places.
  [[nodiscard]] std::vector<Fault> in_order() &&;

 private:
  std::vector<Fault> faults_;
};

}  // namespace clawperator::recipe
