#include "runtime/host/other_programs.hpp"

#include "base/own_program.hpp"
#include "base/system/spawn.hpp"

namespace clawperator {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kOwnName = "clawperator";

// Empty without one.
std::string_view npm_root(std::string_view path) {
  const auto at = path.find("/node_modules/");
  return at == path.npos ? std::string_view() : path.substr(0, at);
}

bool is_ours(const fs::path& program, const fs::path& own) {
  std::error_code gone;
  if (fs::equivalent(program, own, gone)) return true;
  return program.filename() == kOwnName && is_launcher_of(fs::canonical(program, gone), own);
}

}  // namespace

bool is_launcher_of(const fs::path& launcher, const fs::path& program) {
  const std::string_view root = npm_root(program.native());
  return !root.empty() && npm_root(launcher.native()) == root;
}

std::vector<fs::path> other_programs() {
  const fs::path own = own_program();
  std::vector<fs::path> others;
  for (const std::string_view name : {kOwnName, std::string_view("androperator")}) {
    for (const fs::path& program : find_programs(name)) {
      if (!is_ours(program, own)) others.push_back(program);
    }
  }
  return others;
}

}  // namespace clawperator
