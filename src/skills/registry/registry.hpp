#pragma once
// The skills registry: one JSON file that lists every skill of a repository.
//
//   {"schemaVersion":"1.0","skills":[{"id":"com.example.app.do-it","applicationId":"com.example.app",
//     "intent":"do-it","summary":"...","path":"skills/<id>","skillFile":"skills/<id>/SKILL.md",
//     "scripts":["skills/<id>/scripts/run.js"],"artifacts":[],"keywords":["..."]}]}
//
// Read in one pass, without a tree of the whole document, and printed as it is stored: members that
// are not known here stay.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace clawperator::skills {

inline constexpr std::size_t kMaxRegistryBytes = std::size_t{32} << 20;

struct Skill {
  std::string id{};
  std::string application_id{};
  std::string intent{};
  std::string summary{};
  std::string path{};
  std::string skill_file{};
  std::vector<std::string> scripts{};
  std::vector<std::string> artifacts{};
  std::vector<std::string> keywords{};
  bool lists_scripts = false;    // `scripts` is an array
  bool artifacts_usable = true;  // `artifacts` is absent or an array
  std::string json{};            // the whole entry, compact
};

struct Registry {
  std::vector<Skill> skills{};
  std::string head = R"({"schemaVersion":"1.0","skills":[)";  // what comes before the entries
  std::string tail = "]}";                                    // and behind them, compact
};

// What is read of an entry: all of it, or its text alone, for who wants to print it.
enum class EntryReading { fields, text };

// Fails with registry_read_failed; the message is the parser's, or says which entry is no object.
Result<Registry> parse_registry(std::string_view text, EntryReading reading = EntryReading::fields);

// Indented by two, with a line feed at the end.
std::string write_registry(const Registry& registry);

// nullptr: there is none. The first one counts.
const Skill* find_skill(const Registry& registry, std::string_view id);

// skill_not_found
std::unexpected<Error> no_such_skill(std::string_view id);

}  // namespace clawperator::skills
