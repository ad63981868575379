#include "cli/pretty/agent_skills_for_people.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "cli/pretty/boxed_table.hpp"
#include "cli/pretty/people.hpp"
#include "skills/agent/prompt.hpp"

namespace clawperator::cli {
namespace {

using agent_skills::Entry;
using agent_skills::Standing;
using agent_skills::StatusRow;

constexpr const char* kTip =
    "\nTip: use `clawperator hub` to search, install, and update skills.\n";

std::size_t terminal_width() {
  constexpr std::size_t kOtherwise = 120;
  winsize size{};
  const bool is_known = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return is_known ? size.ws_col : kOtherwise;
}

std::string with_tilde(std::string text) {
  const char* home = std::getenv("HOME");
  const std::string_view folder = home == nullptr ? "" : home;
  if (folder.size() < 2) return text;
  for (auto at = text.find(folder); at != text.npos; at = text.find(folder, at + 1)) {
    text.replace(at, folder.size(), "~");
  }
  return text;
}

const char* status_word(const Standing& standing) {
  if (standing.disabled) return "⏸ disabled";
  if (standing.blocked) return "🚫 blocked";
  return standing.eligible ? "✓ ready" : "✗ missing";
}

const char* status_words(const Standing& standing) {
  if (standing.disabled) return "⏸ Disabled";
  if (standing.blocked) return "🚫 Blocked by allowlist";
  return standing.eligible ? "✓ Ready" : "✗ Missing requirements";
}

std::string name_with_emoji(const Entry& entry) {
  const std::string emoji = entry.emoji.empty() ? "📦" : printable_name(entry.emoji);
  return emoji + " " + printable_name(entry.skill.name);
}

void add_needs(std::string* out, const char* title, const std::vector<std::string>& wanted,
               const std::vector<std::string>& missing) {
  if (wanted.empty()) return;
  out->append("  ").append(title).append(": ");
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const bool lacks = std::ranges::find(missing, wanted[i]) != missing.end();
    *out += std::string(i > 0 ? ", " : "") + (lacks ? "✗ " : "✓ ") + printable_name(wanted[i]);
  }
  *out += "\n";
}

}  // namespace

std::string agent_list_for_people(std::span<const StatusRow> rows, std::string_view label,
                                  bool only_eligible, bool with_missing) {
  if (rows.empty()) {
    return std::string(only_eligible ? "No eligible skills found. Run `clawperator agent-skills "
                                       "list` to see all skills.\n"
                                     : "No skills found.\n") +
           kTip;
  }
  const auto ready =
      std::ranges::count_if(rows, [](const StatusRow& row) { return row.standing.eligible; });
  std::vector<Column> columns{
      {"Status", 10}, {"Skill", 18, true}, {"Description", 24, true}, {"Source", 10}};
  if (with_missing) columns.push_back({"Missing", 18, true});
  std::vector<std::vector<std::string>> cells;
  for (const StatusRow& row : rows) {
    const Entry& entry = *row.entry;
    std::vector<std::string> line{status_word(row.standing), name_with_emoji(entry),
                                  with_tilde(printable(entry.skill.description)),
                                  source_label(label, entry.skill.source)};
    if (with_missing) line.push_back(printable(missing_text(row.standing)));
    cells.push_back(std::move(line));
  }
  const std::size_t width = std::max<std::size_t>(60, terminal_width() - 1);
  return "Skills (" + std::to_string(ready) + "/" + std::to_string(rows.size()) + " ready)\n" +
         boxed_table(columns, cells, width) + kTip;
}

std::string agent_info_for_people(const StatusRow& row, std::string_view label) {
  const Entry& entry = *row.entry;
  std::string out = name_with_emoji(entry) + " " + status_words(row.standing) + "\n\n" +
                    printable(entry.skill.description) +
                    "\n\nDetails:\n  Source: " + source_label(label, entry.skill.source) +
                    "\n  Path: " + with_tilde(printable_name(entry.skill.file_path)) + "\n";
  if (!entry.homepage.empty()) out += "  Homepage: " + printable_name(entry.homepage) + "\n";
  if (!entry.metadata.primary_env.empty()) {
    out += "  Primary env: " + printable_name(entry.metadata.primary_env) + "\n";
  }
  std::string needs;
  const auto& wanted = entry.metadata.needs;
  const auto& missing = row.standing.missing;
  add_needs(&needs, "Binaries", wanted.bins, missing.bins);
  add_needs(&needs, "Any binaries", wanted.any_bins, missing.any_bins);
  add_needs(&needs, "Environment", wanted.env, missing.env);
  add_needs(&needs, "Config", wanted.config, missing.config);
  add_needs(&needs, "OS", entry.metadata.os, row.standing.missing_os);
  if (!needs.empty()) out += "\nRequirements:\n" + needs;
  if (!row.install.empty() && !row.standing.eligible) {
    out += "\nInstall options:\n";
    for (const auto& option : row.install) out += "  → " + printable_name(option.label) + "\n";
  }
  return out + kTip;
}

std::string agent_check_for_people(std::span<const StatusRow> rows) {
  std::string ready;
  std::string lacking;
  std::size_t counts[4] = {};  // eligible, disabled, blocked, missing
  for (const StatusRow& row : rows) {
    const Standing& standing = row.standing;
    const std::string name = "  " + name_with_emoji(*row.entry);
    if (standing.eligible) {
      ++counts[0];
      ready += name + "\n";
    } else if (standing.disabled) {
      ++counts[1];
    } else if (standing.blocked) {
      ++counts[2];
    } else {
      ++counts[3];
      lacking += name + " (" + printable_name(missing_text(standing)) + ")\n";
    }
  }
  std::string out = "Skills Status Check\n\nTotal: " + std::to_string(rows.size());
  out +=
      "\n✓ Eligible: " + std::to_string(counts[0]) + "\n⏸ Disabled: " + std::to_string(counts[1]);
  out += "\n🚫 Blocked by allowlist: " + std::to_string(counts[2]);
  out += "\n✗ Missing requirements: " + std::to_string(counts[3]) + "\n";
  if (!ready.empty()) out += "\nReady to use:\n" + ready;
  if (!lacking.empty()) out += "\nMissing requirements:\n" + lacking;
  return out + kTip;
}

}  // namespace clawperator::cli
