#pragma once
// Which skills may be used here. Pure: what the host has is asked through functions.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "skills/agent/config.hpp"
#include "skills/agent/skill.hpp"

namespace clawperator::agent_skills {

struct HostFacts {
  std::string platform = "linux";  // linux, darwin, win32
  std::function<bool(const std::string& bin)> has_bin{};
  std::function<std::optional<std::string>(const std::string& name)> variable{};
};

// A further computer on which an agent may run what a skill needs.
struct Remote {
  std::vector<std::string> platforms{};
  std::vector<std::string> bins{};
  std::string note{};  // told to the model before the skills
};

// {"platforms": ["darwin"], "bins": ["peekaboo"], "note": "..."}; invalid_argument.
Result<Remote> read_remote(std::string_view json);

struct Gate {
  const Config* config = nullptr;
  const HostFacts* host = nullptr;
  const Remote* remote = nullptr;  // null: none
};

// Why a skill may be used, or not.
struct Standing {
  bool disabled = false;
  bool blocked = false;  // bundled, and not in skills.allowBundled
  Requires missing{};    // nothing of a skill that is always wanted
  std::vector<std::string> missing_os{};
  bool eligible = false;
};
Standing standing_of(const Entry& entry, const Gate& gate);

// Names of skills that count, of a route or an agent; absent: all do, empty: none does.
using NameFilter = std::optional<std::vector<std::string>>;

// The eligible ones that the filter names, in their order.
std::vector<const Entry*> eligible_entries(std::span<const Entry* const> entries, const Gate& gate,
                                           const NameFilter& filter);

}  // namespace clawperator::agent_skills
