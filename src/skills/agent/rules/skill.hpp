#pragma once
// An agent skill as its SKILL.md describes it. An agent skill is a folder with a SKILL.md (YAML
// frontmatter, then instructions for a model), as defined by the AgentSkills specification and by
// OpenClaw, once Clawdbot and Clawdis. The skills of the registry are another kind
// (skills/phone/rules).

#include "base/prelude.hpp"

namespace clawperator::agent_skills {

// The kind of folder it was found in. Of two skills of one name the later one counts, in the order
// of the `look` calls in load_workspace; the order here decides nothing.
enum class Source { extra, bundled, managed, workspace };

struct Skill {
  std::string name{};
  std::string description{};  // untrimmed
  std::string file_path{};    // of the SKILL.md, as it was walked
  std::string base_dir{};     // its folder
  Source source = Source::extra;
};

// A way to install a skill's requirement. A missing text is empty.
struct InstallSpec {
  enum class Kind { brew, node, go, uv, download };
  Kind kind = Kind::brew;
  std::string id{};
  std::string label{};
  std::vector<std::string> bins{};
  std::vector<std::string> os{};  // of linux, darwin, win32; empty: any
  std::string formula{};          // brew
  std::string package{};          // node, uv
  std::string module{};           // go
  std::string url{};              // download, as all members below
  std::string archive{};
  std::optional<bool> extract{};
  double strip_components = 0;
  std::string target_dir{};
  std::string sha256{};  // 64 hex digits of what is downloaded; an addition of ours
};

struct Requires {
  std::vector<std::string> bins{};
  std::vector<std::string> any_bins{};
  std::vector<std::string> env{};
  std::vector<std::string> config{};
};

// `metadata.openclaw`, else `.clawdbot`, else `.clawdis`.
struct Metadata {
  bool always = false;
  std::optional<std::string> emoji{};
  std::optional<std::string> homepage{};
  std::string skill_key{};    // empty: the skill's name
  std::string primary_env{};  // empty: none
  std::vector<std::string> os{};
  Requires needs{};
  std::vector<InstallSpec> install{};
};

struct Entry {
  Skill skill{};
  Metadata metadata{};
  bool user_invocable = true;
  bool hidden_from_model = false;
  std::string tool{};      // the tool that its slash command calls in place of a model; empty: none
  std::string homepage{};  // of metadata, else of the frontmatter; trimmed; empty: none
  std::string emoji{};     // likewise

  // Its key in `skills.entries`.
  [[nodiscard]] const std::string& key() const {
    return metadata.skill_key.empty() ? skill.name : metadata.skill_key;
  }
};

}  // namespace clawperator::agent_skills
