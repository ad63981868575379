// Prints every line that this program can send to a device's sh, as the table of runtime/android
// has them: a JSON array of {"builder","line"}.

#include <cstdio>
#include <nlohmann/json.hpp>

#include "support/command_samples.hpp"

int main() {
  auto samples = nlohmann::json::array();
  for (const clawperator::CommandSample& sample : clawperator::command_samples()) {
    samples.push_back({{"builder", sample.builder}, {"line", sample.line}});
  }
  std::puts(samples.dump().c_str());
}
