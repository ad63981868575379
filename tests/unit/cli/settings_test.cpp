#include "cli/settings.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>

#include "base/system/environment.hpp"
#include "cli/environment_table.hpp"
#include "runtime/daemon/messages.hpp"

using namespace clawperator;
using namespace clawperator::cli;

namespace {

// A variable of this process while this lives.
class Variable {
 public:
  Variable(std::string name, const char* value)
      : name_(std::move(name)), before_(base::environment_variable(name_.c_str())) {
    ::setenv(name_.c_str(), value, 1);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() {
    if (before_) ::setenv(name_.c_str(), before_->c_str(), 1);
    if (!before_) ::unsetenv(name_.c_str());
  }

 private:
  std::string name_;
  std::optional<std::string> before_;
};

}  // namespace

TEST_CASE("settings: a daemon must share the variables that the table marks, and no others") {
  std::size_t shared = 0;
  for (const EnvironmentVariable& row : environment_table()) {
    if (row.name.contains(',')) {  // several in a row: none of them is shared
      CHECK_FALSE(row.is_shared_with_daemon);
      continue;
    }
    const std::string name(row.name);
    CAPTURE(name);
    const Variable variable(name, "/a value of the test");
    const auto settings = surface_of({}).settings;
    CHECK(settings.contains(name) == row.is_shared_with_daemon);
    if (row.is_shared_with_daemon) ++shared;
  }
  CHECK(shared == 15);
}
