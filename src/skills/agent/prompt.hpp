#pragma once
// What a model is told of the skills. Pure.

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "skills/agent/config.hpp"
#include "skills/agent/skill.hpp"

namespace clawperator::agent_skills {

struct Prompt {
  std::string text{};     // empty: there is nothing to tell
  std::size_t shown = 0;  // of the skills that a model may see
  std::size_t left_out = 0;
};

// The skills that a model may see as <available_skills>, byte for byte as the host of January 2026
// writes them; `note` comes first. The first ones that the limits have room for.
Prompt format_prompt(std::span<const Entry* const> eligible, const PromptLimits& limits,
                     std::string_view note);

// The section of a system prompt that holds it, with what to do about it; `read_tool` is the tool
// that reads a file. Empty for an empty prompt.
std::string system_section(std::string_view prompt, std::string_view read_tool);

// {"prompt","skills":[{"name","primaryEnv"?}],"resolvedSkills":[...],"version"}: what a session
// keeps.
std::string snapshot_json(std::span<const Entry* const> eligible, const Prompt& prompt,
                          std::string_view label, std::uint64_t version);

// The version after `current`: the time, or one more where the clock did not go on.
std::uint64_t next_version(std::uint64_t current, std::chrono::system_clock::time_point now);

// "openclaw-bundled"
std::string source_label(std::string_view label, Source source);

}  // namespace clawperator::agent_skills
