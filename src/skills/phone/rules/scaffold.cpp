#include "skills/phone/rules/scaffold.hpp"

#include <algorithm>
#include <compare>

#include "base/js_string.hpp"
#include "base/json_document.hpp"
#include "base/json_text.hpp"
#include "base/text.hpp"
#include "skills/phone/rules/errc.hpp"
#include "skills/phone/rules/schema_rules.hpp"

namespace clawperator::phone_skills {
namespace {

constexpr std::string_view kSkillText = R"md(
# @ID@

What this skill does, for an agent that has to choose: replace this text.

## Fill in

- the goal, and how somebody sees that it was reached
- inputs, with their ranges
- the screens on the way, and the ids or texts that they are known by
- what has to be so before it begins (logged in, a certain tab, ...)

## Run

    clawperator skills run @ID@ --device <device_id>
    node skills/@ID@/scripts/run.js [device_id] [operator_package]
)md";

// import() works in a module and in a script, whatever package.json says.
constexpr std::string_view kRunScript = R"js(#!/usr/bin/env node
// Starts the app anew and reads its screen. Arguments: device id (else the only one), Operator package.
const skillId = @ID_JSON@;
const applicationId = @APP_JSON@;
const [deviceId = process.env.CLAWPERATOR_DEVICE_ID, operatorPackage = process.env.CLAWPERATOR_OPERATOR_PACKAGE || "com.clawperator.operator"] =
  process.argv.slice(2);

const execution = {
  commandId: `${skillId}-${Date.now()}`,
  taskId: skillId,
  source: skillId,
  expectedFormat: "android-ui-automator",
  timeoutMs: 30000,
  actions: [
    { id: "close", type: "close_app", params: { applicationId } },
    { id: "settle-closed", type: "sleep", params: { durationMs: 1500 } },
    { id: "open", type: "open_app", params: { applicationId } },
    { id: "settle-open", type: "sleep", params: { durationMs: 3000 } },
    { id: "snapshot", type: "snapshot_ui" },
  ],
};

async function main() {
  const { spawnSync } = await import("node:child_process");
  const args = ["exec", ...(deviceId ? ["--device", deviceId] : []), "--operator-package", operatorPackage,
    "--execution", JSON.stringify(execution), "--json"];
  const done = spawnSync(process.env.CLAWPERATOR_BIN || "clawperator", args, {
    encoding: "utf8", timeout: 120000, maxBuffer: 64 << 20, stdio: ["ignore", "pipe", "inherit"],
  });
  if (!done.stdout) throw done.error || new Error("clawperator printed nothing");
  process.stdout.write(done.stdout);
  process.exitCode = done.status ?? 1;
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
)js";

constexpr std::string_view kShellScript = R"sh(#!/usr/bin/env bash
set -euo pipefail
exec node "$(dirname "${BASH_SOURCE[0]}")/run.js" "$@"
)sh";

// The summary as a block of YAML, which needs no quoting.
std::string yaml_block(std::string text) {
  text = replaced(replaced(text, "\r\n", "\n"), "\r", "\n");
  std::string block;
  for (const std::string_view line : split(text, '\n')) {
    block += (line.empty() ? "" : "  ") + std::string(line) + "\n";
  }
  return block;
}

std::string entry_json(const Skill& entry) {
  JsonObject json;
  for (const auto& [name, member] : kSkillTexts) json.text(name, entry.*member);
  return json.strings("scripts", entry.scripts).strings("artifacts", entry.artifacts).str();
}

Result<Skill> entry_for(std::string_view id) {
  const auto dot = id.rfind('.');
  if (dot == id.npos || dot == 0 || dot + 1 == id.size()) {
    return fail(
        errc::skill_id_invalid,
        "skill_id must contain at least one dot so applicationId and intent can be derived");
  }
  if (id.contains("..") || id.starts_with('.') || id.size() > 200) {
    return fail(errc::skill_id_invalid,
                "skill_id must be letters, digits, '.', '_' and '-', at most 200 of them");
  }
  Skill entry{.id = std::string(id),
              .application_id = std::string(id.substr(0, dot)),
              .intent = std::string(id.substr(dot + 1))};
  entry.path = "skills/" + entry.id;
  entry.skill_file = entry.path + "/SKILL.md";
  entry.scripts = {entry.path + "/scripts/run.js", entry.path + "/scripts/run.sh"};
  entry.lists_scripts = true;
  return entry;
}

// The order of ids in JavaScript's localeCompare: marks, digits, letters; case decides last, small
// first.
int weight_of(char c) {
  constexpr std::string_view kOrder = "_-.0123456789abcdefghijklmnopqrstuvwxyz";
  const auto at = kOrder.find(lower_char(c));
  return at == kOrder.npos ? static_cast<unsigned char>(c) + 100 : static_cast<int>(at);
}

bool comes_before(const std::string& left, const std::string& right) {
  const auto order = std::lexicographical_compare_three_way(
      left.begin(), left.end(), right.begin(), right.end(),
      [](char a, char b) { return weight_of(a) <=> weight_of(b); });
  return order == 0 ? left > right : order < 0;
}

std::string skill_text(const Skill& entry) {
  return "---\nname: " + entry.id + "\ndescription: |-\n" + yaml_block(entry.summary) + "---\n" +
         replaced(kSkillText, "@ID@", entry.id);
}

std::string run_script(const Skill& entry) {
  return replaced(replaced(kRunScript, "@ID_JSON@", quote_json(entry.id)), "@APP_JSON@",
                  quote_json(entry.application_id));
}

}  // namespace

Result<Scaffold> make_scaffold(std::string_view id, const std::optional<std::string>& summary) {
  TRY(Skill entry, entry_for(trim_js(id)));
  entry.summary = summary.value_or("TODO: describe " + entry.id);
  if (entry.summary.contains('\0')) {
    return fail(errc::invalid_argument, "--summary must not contain NUL");
  }
  if (is_blank(entry.summary)) return fail(errc::invalid_argument, "--summary must not be blank");
  const auto problems = schema_problems_of(entry);
  if (!problems.empty()) return fail(errc::skill_id_invalid, "skill_id: " + problems.front().text);
  entry.json = entry_json(entry);
  Scaffold scaffold;
  scaffold.files = {{"SKILL.md", skill_text(entry)},
                    {"skill.json", indent_json(entry.json) + "\n"},
                    {"scripts/run.js", run_script(entry)},
                    {"scripts/run.sh", std::string(kShellScript), true}};
  scaffold.entry = std::move(entry);
  return scaffold;
}

void add_sorted(Registry* registry, Skill entry) {
  registry->skills.push_back(std::move(entry));
  std::ranges::sort(registry->skills, comes_before, &Skill::id);
}

}  // namespace clawperator::phone_skills
