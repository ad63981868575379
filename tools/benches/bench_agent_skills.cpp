// What one process needs to know the agent skills of this computer again after one of them changed:
// loading, gating and writing the prompt.
//   usage: bench_agent_skills SKILL.md ROUNDS     prints milliseconds, one round a line
// HOME names whose skills they are. The file grows by two bytes a round.

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <thread>

#include "skills/agent/rules/prompt.hpp"
#include "skills/agent/skill_files.hpp"
#include "skills/agent/workspace.hpp"

namespace {

using namespace clawperator::agent_skills;

std::size_t prompt_size(SkillFiles* files) {
  const auto workspace = load_workspace({}, files);
  if (!workspace) std::exit(1);
  const HostFacts host = host_facts();
  const Gate gate{.config = &workspace->config, .host = &host};
  const auto eligible = eligible_entries(workspace->entries, gate, {});
  return format_prompt(eligible, {}, "").text.size();
}

}  // namespace

int main(int count, char** arguments) {
  using Milliseconds = std::chrono::duration<double, std::milli>;
  using Clock = std::chrono::steady_clock;
  if (count != 3) return 2;
  SkillFiles files;
  prompt_size(&files);
  // What changed within a second is read anew each time, and everything was just written.
  std::this_thread::sleep_for(std::chrono::milliseconds(1300));
  const std::size_t expected = prompt_size(&files);
  for (int round = 0; round < std::atoi(arguments[2]); ++round) {
    std::ofstream(arguments[1], std::ios::app) << "x\n";
    const auto begin = Clock::now();
    if (prompt_size(&files) != expected) return 1;
    std::cout << Milliseconds(Clock::now() - begin).count() << '\n';
  }
}
