#pragma once
// The skills registry: one JSON file that lists every skill of a repository.
//
//   {"schemaVersion":"1.0","skills":[{"id":"com.example.app.do-it",
//     "applicationId":"com.example.app","intent":"do-it","summary":"...","path":"skills/<id>",
//     "skillFile":"skills/<id>/SKILL.md","scripts":["skills/<id>/scripts/run.js"],
//     "artifacts":[],"keywords":["..."]}]}
//
// Read in one pass, without a tree of the whole document, and printed as it is stored: unknown
// members stay.

#include "base/error.hpp"

namespace clawperator::phone_skills {

// Room for ten thousand skills of 3 KiB each.
inline constexpr std::size_t kMaxRegistryBytes = std::size_t{32} << 20;
inline constexpr std::size_t kMaxSkills = 100'000;  // an entry takes 300 bytes more than its text

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
  bool is_object = true;         // false: an entry that is none, and has no member
  std::string json{};            // the whole entry, compact
};

// The members of an entry that are texts.
inline constexpr std::pair<std::string_view, std::string Skill::*> kSkillTexts[] = {
    {"id", &Skill::id},         {"applicationId", &Skill::application_id},
    {"intent", &Skill::intent}, {"summary", &Skill::summary},
    {"path", &Skill::path},     {"skillFile", &Skill::skill_file}};

struct Registry {
  std::vector<Skill> skills{};
  std::string head = R"({"schemaVersion":"1.0","skills":[)";  // the text before the entries
  std::string tail = "]}";                                    // and the text behind them, compact
};

// Read all of an entry, or only its text, for printing.
enum class EntryReading { fields, text };

// Fails with registry_read_failed; the message is the parser's. An entry that is no object spoils
// no other one.
Result<Registry> parse_registry(std::string_view text, EntryReading reading = EntryReading::fields);

// Indented by two, with a line feed at the end.
std::string write_registry(const Registry& registry);

// nullptr: there is none. The first one counts.
const Skill* find_skill(const Registry& registry, std::string_view id);

// skill_not_found
std::unexpected<Error> no_such_skill(std::string_view id);

// Whether a path of a registry or of skill.json is relative to the repository and stays inside, as
// "skills/x/scripts/run.js" does: not empty, not absolute, without "..", NUL or a backslash. Pure;
// skills/phone/repo checks where links lead.
bool is_inner_path(std::string_view path);

// The conditions of a search; an absent one accepts every skill.
struct Query {
  std::optional<std::string> app{};     // applicationId, exactly
  std::optional<std::string> intent{};  // exactly
  std::optional<std::string> keyword{};
};

// The skills that match every given condition, without entries that are none. With a keyword the
// best come first:
//
//   600  it is one of keywords[]                    400  it is part of one of keywords[]
//   550  its words are all in one of keywords[]     300  it is part of id or applicationId
//   500  it is id or applicationId                  100  it is part of summary
//   450  its words are all in id or applicationId
//
// Skills of equal rank stay in the registry's order; a blank keyword is no condition. Letters are
// ASCII's; a word is a run of letters and digits.
std::vector<const Skill*> search(const Registry& registry, const Query& query);

// {"skills":[...],"count":n}, each as it is stored: the answer of the command line and of HTTP.
std::string listing_json(const std::vector<const Skill*>& skills);

}  // namespace clawperator::phone_skills
