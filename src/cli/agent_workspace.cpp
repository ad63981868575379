#include "cli/agent_workspace.hpp"

#include "base/files.hpp"
#include "base/js_string.hpp"
#include "base/text.hpp"
#include "cli/output.hpp"
#include "cli/settings.hpp"

namespace clawperator::cli {
namespace {

// The file lists the programs of a remote host: some KiB.
constexpr std::size_t kMaxRemote = 256 << 10;

Result<agent_skills::Remote> remote_of(const std::string& file) {
  auto text = read_file(expand_home(file), kMaxRemote);
  if (!text) return fail(errc::usage, "--remote: " + text.error().message());
  auto remote = agent_skills::read_remote(*text);
  if (!remote) return fail(errc::usage, "--remote " + file + ": " + remote.error().message());
  return remote;
}

}  // namespace

std::vector<std::string> names_of_list(std::string_view list) {
  std::vector<std::string> names;
  for (const std::string_view name : split(list, ',')) {
    if (!is_blank(name)) names.emplace_back(trim_js(name));
  }
  return names;
}

Result<AgentWorkspace> open_agent_workspace(const Invocation& invocation) {
  const Arguments& arguments = invocation.arguments;
  AgentWorkspace opened;
  agent_skills::WorkspaceOptions options{.contained = arguments.has("--contained")};
  if (const std::string* folder = arguments.value("--workspace")) options.workspace = *folder;
  if (const std::string* id = arguments.value("--agent-id")) options.agent = *id;
  if (const std::string* file = arguments.value("--remote")) {
    TRY(opened.remote, remote_of(*file));
  }
  if (const std::string* names = arguments.value("--filter")) opened.filter = names_of_list(*names);
  TRY(opened.workspace, agent_skills::load_workspace(options));
  opened.host = agent_skills::host_facts();
  print_warnings(opened.workspace.config.warnings);
  return opened;
}

void print_warnings(const std::vector<std::string>& warnings) {
  constexpr std::size_t kMost = 20;  // a screenful; a broken folder has one warning a file
  std::size_t printed = 0;
  for (const std::string& warning : warnings) {
    if (++printed > kMost) {
      print_warning("[clawperator] WARN: and " + std::to_string(warnings.size() - kMost) + " more");
      return;
    }
    print_warning("[clawperator] WARN: " + warning);
  }
}

}  // namespace clawperator::cli
