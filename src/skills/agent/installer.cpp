#include "skills/agent/installer.hpp"

#include <unistd.h>

#include <algorithm>

#include "base/async/run_stoppable.hpp"
#include "base/error_members.hpp"
#include "base/files.hpp"
#include "base/js_string.hpp"
#include "base/system/environment.hpp"
#include "base/system/errc.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "skills/agent/download_tool.hpp"
#include "skills/agent/rules/errc.hpp"
#include "skills/agent/rules/install_options.hpp"

namespace clawperator::agent_skills {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

namespace {

constexpr std::size_t kMostKept = 256 << 10;  // of each stream, its end
// `brew --prefix` only prints a path; without an answer HOMEBREW_PREFIX and usual places decide.
constexpr milliseconds kPrefixLimit{30'000};
// Where the package managers have their files, install programs, and fetch them from.
constexpr std::string_view kInstallerVariables =
    "HOMEBREW_* npm_config_* NPM_CONFIG_* PNPM_* YARN_* BUN_* COREPACK_* NODE_OPTIONS NVM_* "
    "VOLTA_* FNM_* ASDF_* MISE_* N_PREFIX GO111MODULE GOBIN GOCACHE GOENV GOFLAGS GOINSECURE "
    "GOMODCACHE GONOPROXY GONOSUMDB GOPATH GOPRIVATE GOPROXY GOROOT GOSUMDB GOTOOLCHAIN GOTMPDIR "
    "CGO_* CC CXX UV_* PIP_*";

bool is_program_file(const fs::path& path) {
  return is_plain_file(path) && ::access(path.c_str(), X_OK) == 0;
}

// The working folder of the programs. Files in our own one (.yarnrc, .npmrc, go.mod) may belong to
// another user, and must not configure them.
fs::path neutral_folder() {
  fs::path home = home_folder();
  return home.is_absolute() && is_folder(home) ? home : fs::path("/");
}

// The places where Homebrew's own instructions install it, in the usual order of search.
std::string find_brew() {
  if (find_program("brew")) return "brew";
  std::vector<fs::path> places;
  if (auto file = environment_variable("HOMEBREW_BREW_FILE")) places.emplace_back(*file);
  if (auto prefix = environment_variable("HOMEBREW_PREFIX")) {
    places.push_back(fs::path(*prefix) / "bin/brew");
  }
  if (const fs::path home = home_folder(); !home.empty()) {
    places.push_back(home / ".linuxbrew/bin/brew");
  }
  for (const char* prefix : {"/home/linuxbrew/.linuxbrew", "/opt/homebrew", "/usr/local"}) {
    places.push_back(fs::path(prefix) / "bin/brew");
  }
  for (const fs::path& place : places) {
    if (place.is_absolute() && is_program_file(place)) return place.string();
  }
  return {};
}

// Passes a program's output on, and keeps its end.
class OutputTail {
 public:
  explicit OutputTail(std::function<void(ChildStream, std::string_view)> also)
      : also_(std::move(also)) {}

  void take(ChildStream stream, std::string_view text) {
    std::string& kept = stream == ChildStream::out ? out_ : err_;
    kept += text;
    if (kept.size() > 2 * kMostKept) kept.erase(0, kept.size() - kMostKept);
    if (also_) also_(stream, text);
  }
  [[nodiscard]] std::string out() const { return text_of(out_); }
  [[nodiscard]] std::string err() const { return text_of(err_); }

 private:
  static std::string text_of(const std::string& kept) {
    return std::string(trim_js(last_bytes(kept, kMostKept)));
  }

  std::function<void(ChildStream, std::string_view)> also_;
  std::string out_;
  std::string err_;
};

class CommandInstall {
 public:
  CommandInstall(const InstallerRequest& request, std::vector<InstallStep> steps, bool is_go)
      : request_(request), steps_(std::move(steps)), is_go_(is_go) {}

  Task<InstallResult> run() {
    const auto end = Clock::now() + install_limit(request_.timeout);
    brew_ = find_brew();
    InstallResult result;
    for (InstallStep& step : steps_) {
      find_beside_brew(&step);
      const bool is_last = &step == &steps_.back();
      std::vector<std::string> variables;
      if (is_last && is_go_ && !brew_.empty()) {
        CO_TRY(variables, co_await go_variables(end));
      }
      CO_TRY(result, co_await run_step(step, std::move(variables), end));
      if (!result.ok) break;
    }
    co_return result;
  }

 private:
  static milliseconds left_until(Clock::time_point end) {
    return std::max(milliseconds(1), std::chrono::duration_cast<milliseconds>(end - Clock::now()));
  }

  // A program that brew has just installed may be in brew's folder without that folder being on the
  // PATH.
  void find_beside_brew(InstallStep* step) const {
    std::string& program = step->words[0];
    const fs::path brew(brew_);
    if (program.contains('/') || !brew.has_parent_path() || find_program(program)) return;
    const fs::path beside = brew.parent_path() / program;
    if (is_program_file(beside)) program = beside.string();
  }

  Task<InstallResult> run_step(InstallStep step, std::vector<std::string> variables,
                               Clock::time_point end) {
    OutputTail output(request_.on_output);
    ChildCommand command{.words = step.words,
                         .folder = neutral_folder(),
                         .needed_variables = kInstallerVariables,
                         .variables = std::move(variables),
                         .limit = left_until(end),
                         .farewell = request_.farewell};
    command.on_output = [&output](ChildStream stream, std::string_view text) {
      output.take(stream, text);
    };
    const auto done = co_await run_child(std::move(command));
    if (!done && done.error().code() == errc::cancelled) {
      co_return std::unexpected(done.error());
    }
    InstallResult result{.out = output.out(), .err = output.err()};
    if (done) result.code = done->exit_status;
    if (!done && result.err.empty()) result.err = done.error().message();
    result.ok = done && done->exit_status == 0;
    result.message = step.failure;
    if (result.ok) result.message = "Installed";
    if (result.message.empty()) {
      result.message = install_failure(result.code, result.out, result.err);
    }
    co_return result;
  }

  // Go installs into brew's folder, so that the programs are on the PATH.
  Task<std::vector<std::string>> go_variables(Clock::time_point end) {
    fs::path prefix;
    ChildCommand command{.folder = neutral_folder(),
                         .needed_variables = kInstallerVariables,
                         .limit = std::min(kPrefixLimit, left_until(end)),
                         .farewell = request_.farewell};
    command.words = {brew_, "--prefix"};
    const auto done = co_await run_child(std::move(command));
    if (!done && done.error().code() == errc::cancelled) {
      co_return std::unexpected(done.error());
    }
    if (done && done->exit_status == 0) prefix = std::string(trimmed(done->out));
    if (prefix.empty()) prefix = environment_variable("HOMEBREW_PREFIX").value_or("");
    for (const char* usual : {"/opt/homebrew", "/usr/local"}) {
      if (prefix.empty() && is_there(fs::path(usual) / "bin")) prefix = usual;
    }
    std::vector<std::string> variables;
    if (!prefix.empty()) variables.push_back("GOBIN=" + (prefix / "bin").string());
    co_return variables;
  }

  const InstallerRequest& request_;
  std::vector<InstallStep> steps_;
  bool is_go_;
  std::string brew_;
};

Task<InstallResult> download(const InstallerRequest* request, ToolDownload tool) {
  const milliseconds limit = install_limit(request->timeout);
  const auto fetch_it = [&](const std::stop_token& stop) {
    return download_tool(tool, request->state, limit, stop);
  };
  const auto done = co_await with_deadline(run_stoppable(fetch_it), limit, "the download");
  if (!done && done.error().code() == errc::cancelled) co_return std::unexpected(done.error());
  if (!done) {
    co_return InstallResult{.message = done.error().message(), .err = done.error().message()};
  }
  InstallResult result{.ok = true, .code = 0};
  if (tool.archive) {
    result.message = "Downloaded and extracted to " + tool.target.string();
  } else {
    result.message = "Downloaded to " + (tool.target / tool.file_name).string();
    result.out = "downloaded=" + std::to_string(*done);
  }
  co_return result;
}

const InstallSpec* spec_of(const InstallerRequest& request) {
  return install_of(request.entry.metadata, request.install_id, InstallHost().platform);
}

constexpr std::size_t kLongestSummary = 200;  // in UTF-16 code units

bool is_word_char(std::string_view text, std::size_t at) {
  if (at >= text.size()) return false;
  return is_letter_or_digit(text[at]) || text[at] == '_';
}

// Whether a word ends here: between a word character and another one.
bool is_word_edge(std::string_view text, std::size_t at) {
  return is_word_char(text, at) != (at > 0 && is_word_char(text, at - 1));
}

bool begins_with_error(std::string_view line) {
  constexpr std::string_view kError = "error";
  return line.starts_with(kError) && is_word_edge(line, kError.size());
}

// "err!" and "error:" end a word only where another word follows at once, as in the published
// implementation: a line of npm's that begins with "ERR!" is rarely the useful one.
bool is_about_failure(std::string_view line) {
  for (const std::string_view word : {"err!", "error:", "failed"}) {
    for (std::size_t at = line.find(word); at != line.npos; at = line.find(word, at + 1)) {
      if (is_word_edge(line, at) && is_word_edge(line, at + word.size())) return true;
    }
  }
  return false;
}

std::string shortened(const std::string& text) {
  if (utf16_length(text) <= kLongestSummary) return text;
  return std::string(trimmed_end(utf16_prefix(text, kLongestSummary - 1))) + "\xe2\x80\xa6";
}

std::string summary_of(std::string_view output) {
  const std::string text = valid_utf8(output);
  std::vector<std::string_view> lines;
  for (const std::string_view line : split(text, '\n')) {
    if (!is_blank(line)) lines.push_back(trim_js(line));
  }
  if (lines.empty()) return {};
  const auto first = [&lines](bool (*fits)(std::string_view)) {
    return std::ranges::find_if(lines,
                                [fits](std::string_view line) { return fits(ascii_lower(line)); });
  };
  auto chosen = first(begins_with_error);
  if (chosen == lines.end()) chosen = first(is_about_failure);
  return shortened(single_spaced(chosen == lines.end() ? lines.back() : *chosen));
}

struct StatusName {
  long status;
  std::string_view name;
};
constexpr auto kStatusNames = std::to_array<StatusName>({
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {408, "Request Timeout"},
    {410, "Gone"},
    {429, "Too Many Requests"},
    {500, "Internal Server Error"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
});

void add_outcome(JsonObject* json, const InstallResult& result) {
  json->text("stdout", result.out).text("stderr", result.err);
  result.code ? json->number("code", *result.code) : json->null("code");
}

}  // namespace

Result<InstallPlan> plan_install(const InstallerRequest& request) {
  const InstallSpec* spec = spec_of(request);
  if (spec == nullptr) {
    return fail(errc::agent_skill_not_found, "Installer not found: " + request.install_id);
  }
  const InstallTools tools{.brew = find_brew(),
                           .has_uv = find_program("uv").has_value(),
                           .has_go = find_program("go").has_value()};
  return install_plan(request.entry, *spec, request.config, tools,
                      {.state = request.state, .home = home_folder()});
}

namespace {

// The text of a download's error is its stderr, too.
InstallResult plan_failure(const InstallerRequest& request, const Error& error) {
  const InstallSpec* spec = spec_of(request);
  const bool is_download = spec != nullptr && spec->kind == InstallSpec::Kind::download;
  return {.message = error.message(), .err = is_download ? error.message() : std::string()};
}

}  // namespace

Error plan_error(const InstallerRequest& request, const Error& error) {
  const bool fails =
      error.code() == errc::host_dependency_missing || error.code() == errc::agent_install_failed;
  return fails ? install_error(plan_failure(request, error)) : error;
}

Result<std::string> dry_run_json(const InstallerRequest& request) {
  JsonObject json;
  json.boolean("dryRun", true).text("skill", request.entry.skill.name);
  json.text("installId", request.install_id);
  const auto plan = plan_install(request);
  if (plan) return json.json("plan", plan_json(*plan)).str();
  const Error& error = plan.error();
  if (error.code() != errc::host_dependency_missing) {
    return std::unexpected(plan_error(request, error));
  }
  return json.boolean("available", false).text("message", error.message()).str();
}

Task<InstallResult> run_installer(InstallerRequest request) {
  auto plan = plan_install(request);
  if (!plan) co_return plan_failure(request, plan.error());
  if (plan->download) co_return co_await download(&request, *std::move(plan->download));
  const bool is_go = spec_of(request)->kind == InstallSpec::Kind::go;
  CommandInstall install(request, std::move(plan->steps), is_go);
  co_return co_await install.run();
}

std::string install_json(const InstallResult& result) {
  JsonObject json;
  json.boolean("ok", result.ok).text("message", result.message);
  add_outcome(&json, result);
  return json.str();
}

Error install_error(const InstallResult& result) {
  ErrorMembers details;
  add_outcome(&details, result);
  return {errc::agent_install_failed, result.message,
          ErrorMembers().object("details", details).str()};
}

std::string install_failure(std::optional<int> code, std::string_view out, std::string_view err) {
  const std::string exit = code ? "exit " + std::to_string(*code) : "unknown exit";
  std::string summary = summary_of(err);
  if (summary.empty()) summary = summary_of(out);
  return "Install failed (" + exit + ")" + (summary.empty() ? "" : ": " + summary);
}

std::string download_failure(long status) {
  const auto* const known = std::ranges::find(kStatusNames, status, &StatusName::status);
  const std::string name =
      known == kStatusNames.end() ? std::string() : " " + std::string(known->name);
  return "Download failed (" + std::to_string(status) + name + ")";
}

}  // namespace clawperator::agent_skills
