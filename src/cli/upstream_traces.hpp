#pragma once
// The files that upstream's command line (npm's clawperator up to 0.12, androperator since then)
// has left in a user's folders. They are read and never changed.

#include <filesystem>

#include "base/prelude.hpp"

namespace clawperator::cli {

// shared: both programs use it. apart: this program has its own, or does not need it. clash: a
// person must decide. todo: `migrate --do` does it.
enum class Standing { shared, apart, clash, todo };
std::string_view name_of(Standing standing);

struct UpstreamTrace {
  std::string what{};  // program, logs, skills, registry, downloads, daemon, environment, mcp
  std::string path{};  // or the name of a variable
  Standing standing = Standing::apart;
  std::string note{};
  std::string next{};  // a command line, or a person's next step; empty: nothing
};

struct UpstreamPlaces {
  std::filesystem::path home{};
  std::vector<std::filesystem::path> programs{};  // the others in PATH (other_programs.hpp)
  std::vector<std::string> variables{};           // NAME=VALUE
  std::function<bool(int process)> is_running{};
};

inline constexpr std::string_view kInstallSkills = "clawperator skills install";

// In the order of the list above, without mcp. Blocks.
std::vector<UpstreamTrace> find_upstream_traces(const UpstreamPlaces& places);

}  // namespace clawperator::cli
