// The tools list_skills and run_skill.

#include <algorithm>

#include "base/async/blocking.hpp"
#include "base/utf8.hpp"
#include "runtime/mcp/acting.hpp"
#include "runtime/mcp/jobs.hpp"
#include "skills/phone/repo.hpp"
#include "skills/phone/rules/registry.hpp"
#include "skills/phone/run_skill.hpp"
#include "skills/serve/routes_and_tools.hpp"

namespace clawperator::phone_skills {
namespace {

using mcp::Property;
using mcp::ToolAnswer;
using mcp::Type;

constexpr std::size_t kMostListed = 50;  // a model reads fifty lines; a keyword finds the others
// At four bytes a token this is 25,000 tokens of a model's context.
constexpr std::size_t kMostBytes = 100'000;

// One line, and not a long one: a registry may come from anybody.
std::string brief(std::string_view text) {
  constexpr std::size_t kMost = 200;  // a sentence; fifty of them make a list of 10 KB
  std::string line = harmless_text(text.substr(0, kMost), "?");
  std::ranges::replace_if(line, [](char c) { return c == '\n' || c == '\t'; }, ' ');
  return line;
}

std::string list_text(const std::vector<const Skill*>& found) {
  std::string text = std::to_string(found.size()) + (found.size() == 1 ? " skill" : " skills");
  const std::size_t shown = std::min(found.size(), kMostListed);
  if (shown < found.size()) text += ", the first " + std::to_string(shown) + "; give a keyword";
  for (std::size_t i = 0; i < shown; ++i) {
    text += "\n" + brief(found[i]->id) + ": " + brief(found[i]->summary);
  }
  return text;
}

Result<std::string> find_skills(const Query& query) {
  TRY(const Repo repo, load_repo());
  return list_text(search(repo.registry, query));
}

Task<ToolAnswer> call_list_skills(mcp::Call call) {
  const Query query{.app = call.arguments.text("app"), .keyword = call.arguments.text("keyword")};
  CO_TRY(std::string text, co_await run_blocking([&query] { return find_skills(query); }));
  co_return mcp::text_answer(std::move(text));
}

// The same members as on the command line, behind `ok`. What is too long for a model is cut, and is
// then no JSON any more.
ToolAnswer answer_of(const Outcome& outcome) {
  std::string json = json_with_ok(outcome);
  const bool fits = json.size() <= kMostBytes;
  ToolAnswer answer =
      mcp::text_answer(fits ? json : json.substr(0, kMostBytes) + " [the rest is left out]");
  answer.is_error = outcome.kind != Outcome::Kind::success;
  return answer;
}

Task<ToolAnswer> run_and_answer(RunRequest request) {
  CO_TRY(const Outcome outcome, co_await run_skill(std::move(request)));
  co_return answer_of(outcome);
}

RunRequest request_of(const mcp::Call& call) {
  RunRequest request;
  request.call.skill_id = *call.arguments.text("id");
  request.call.args = call.arguments.texts("args");
  request.call.expect_contains = call.arguments.text("expect_contains");
  if (const auto timeout = call.arguments.whole("timeout_ms")) {
    request.call.timeout = std::chrono::milliseconds(*timeout);
  }
  request.target = mcp::target_of(call);
  request.operator_package = call.defaults->operator_package;
  request.resolve = [executor = call.defaults->executor](TargetOptions options) {
    return executor->open(std::move(options));
  };
  request.log = call.defaults->log;
  return request;
}

Task<ToolAnswer> call_run_skill(mcp::Call call) {
  const auto handle = call.arguments.text("handle");
  if (handle.has_value() == call.arguments.has("id")) {
    co_return fail(errc::usage, "give the id of a skill, or a handle");
  }
  if (handle) co_return co_await call.jobs->resume(*handle);
  co_return co_await call.jobs->run(run_and_answer(request_of(call)));
}

constexpr Property kListProperties[] = {
    {"keyword", Type::text, "best first"},
    {"app", Type::text, "package"},
};
constexpr Property kRunProperties[] = {
    {"id", Type::text, "of list_skills"},
    {"args", Type::texts, "of the script"},
    mcp::whole_argument("timeout_ms", 1, static_cast<int>(kLongestRun.count()), "default 120000"),
    {"expect_contains", Type::text, "its output must"},
    {"handle", Type::text, "of a run that goes on"},
    {"device", Type::text, ""},
};

constexpr mcp::ToolRow kTools[] = {
    {"list_skills", "Finds ready-made automations for apps.", kListProperties, mcp::Nature::reads,
     call_list_skills},
    {"run_skill", "Runs one of list_skills on the device.", kRunProperties, mcp::Nature::destroys,
     call_run_skill},
};

}  // namespace

std::span<const mcp::ToolRow> tools() {
  return find_registry() ? std::span(kTools) : std::span<const mcp::ToolRow>{};
}

}  // namespace clawperator::phone_skills
