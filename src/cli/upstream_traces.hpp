#pragma once
// What upstream's command line (npm's clawperator up to 0.12, androperator since) has left in a
// user's folders. It is read and never touched.

#include <filesystem>

#include "base/prelude.hpp"

namespace clawperator::cli {

// shared: both programs use it. apart: this one has its own, or does not need it. clash: a person
// has to decide. todo: `migrate --do` does it.
enum class Standing { shared, apart, clash, todo };
std::string_view name_of(Standing standing);

struct UpstreamTrace {
  std::string what{};  // program, logs, skills, registry, downloads, daemon, environment, mcp
  std::string path{};  // or a variable's name
  Standing standing = Standing::apart;
  std::string note{};
  std::string next{};  // a command line, or what a person does; empty: nothing
};

struct UpstreamPlaces {
  std::filesystem::path home{};
  std::vector<std::filesystem::path> programs{};  // further ones in PATH (other_programs.hpp)
  std::vector<std::string> variables{};           // NAME=VALUE
  std::function<bool(int process)> is_running{};
};

inline constexpr std::string_view kInstallSkills = "clawperator skills install";

// In the order of the list above, without mcp. Blocks.
std::vector<UpstreamTrace> find_upstream_traces(const UpstreamPlaces& places);

}  // namespace clawperator::cli
