#include "skills/install/install_skill.hpp"

#include <unistd.h>

#include <array>
#include <utility>

#include "adbproto/link/run_stoppable.hpp"
#include "base/text.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/js_string.hpp"
#include "runtime/device/environment.hpp"
#include "skills/agent/install_options.hpp"
#include "skills/install/download_tool.hpp"

namespace clawperator::agent_skills {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

namespace {

constexpr std::size_t kMostKept = 256 << 10;  // of each stream, its end
constexpr milliseconds kPrefixLimit{30'000};

bool is_program_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
}

fs::path home_folder() { return environment_variable("HOME").value_or(""); }

// Where programs are run: what lies in our own working folder (.yarnrc, .npmrc, go.mod) may be
// anybody's, and is none of their configuration.
fs::path neutral_folder() {
  fs::path home = home_folder();
  std::error_code ignored;
  return home.is_absolute() && fs::is_directory(home, ignored) ? home : fs::path("/");
}

// Where Homebrew is put by its own instructions, in the order in which others look there.
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

// What a program says: handed on, and its end kept.
class Heard {
 public:
  explicit Heard(std::function<void(ChildStream, std::string_view)> also)
      : also_(std::move(also)) {}

  void take(ChildStream stream, std::string_view said) {
    std::string& kept = stream == ChildStream::out ? out_ : err_;
    kept += said;
    if (kept.size() > 2 * kMostKept) kept.erase(0, kept.size() - kMostKept);
    if (also_) also_(stream, said);
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

InstallResult not_installed(const Error& error) {
  return {.message = error.message(), .err = error.message()};
}

class CommandInstall {
 public:
  CommandInstall(const InstallRequest& request, std::vector<InstallStep> steps, bool is_go)
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

  // What brew has just installed may be where only brew's own folder is not on the PATH.
  void find_beside_brew(InstallStep* step) const {
    std::string& program = step->words[0];
    const fs::path brew(brew_);
    if (program.contains('/') || !brew.has_parent_path() || find_program(program)) return;
    const fs::path beside = brew.parent_path() / program;
    if (is_program_file(beside)) program = beside.string();
  }

  Task<InstallResult> run_step(InstallStep step, std::vector<std::string> variables,
                               Clock::time_point end) {
    Heard heard(request_.on_output);
    ChildCommand command;
    command.words = step.words;
    command.folder = neutral_folder();
    command.variables = std::move(variables);
    command.limit = left_until(end);
    command.on_output = [&heard](ChildStream stream, std::string_view said) {
      heard.take(stream, said);
    };
    command.farewell = request_.farewell;
    const auto done = co_await run_child(std::move(command));
    if (!done && done.error().code() == errc::cancelled) {
      co_return std::unexpected(done.error());
    }
    InstallResult result{.out = heard.out(), .err = heard.err()};
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

  // Go puts programs where brew puts them, so that they are on the PATH.
  Task<std::vector<std::string>> go_variables(Clock::time_point end) {
    fs::path prefix;
    ChildCommand command;
    command.words.push_back(brew_);
    command.words.emplace_back("--prefix");
    command.folder = neutral_folder();
    command.limit = std::min(kPrefixLimit, left_until(end));
    command.farewell = request_.farewell;
    const auto done = co_await run_child(std::move(command));
    if (!done && done.error().code() == errc::cancelled) {
      co_return std::unexpected(done.error());
    }
    if (done && done->exit_status == 0) prefix = std::string(trimmed(done->out));
    if (prefix.empty()) prefix = environment_variable("HOMEBREW_PREFIX").value_or("");
    std::error_code ignored;
    for (const char* usual : {"/opt/homebrew", "/usr/local"}) {
      if (prefix.empty() && fs::exists(fs::path(usual) / "bin", ignored)) prefix = usual;
    }
    std::vector<std::string> variables;
    if (!prefix.empty()) variables.push_back("GOBIN=" + (prefix / "bin").string());
    co_return variables;
  }

  const InstallRequest& request_;
  std::vector<InstallStep> steps_;
  bool is_go_;
  std::string brew_;
};

Task<InstallResult> download(const InstallRequest* request, ToolDownload tool) {
  const milliseconds limit = install_limit(request->timeout);
  DownloadedTool downloaded;
  const auto fetch_it = [&](const std::stop_token& stop) -> Result<void> {
    TRY(downloaded, download_tool(tool, request->state, limit, stop));
    return ok();
  };
  const auto done = co_await with_deadline(run_stoppable(fetch_it), limit, "the download");
  if (!done && done.error().code() == errc::cancelled) co_return std::unexpected(done.error());
  if (!done) co_return not_installed(done.error());
  InstallResult result{.ok = true, .code = 0};
  if (tool.archive) {
    result.message = "Downloaded and extracted to " + tool.target.string();
  } else {
    result.message = "Downloaded to " + (tool.target / tool.file_name).string();
    result.out = "downloaded=" + std::to_string(downloaded.bytes);
  }
  co_return result;
}

const InstallSpec* spec_of(const InstallRequest& request) {
  return install_of(request.entry.metadata, request.install_id, InstallHost().platform);
}

}  // namespace

InstallTools find_install_tools() {
  return {.brew = find_brew(),
          .has_uv = find_program("uv").has_value(),
          .has_go = find_program("go").has_value()};
}

Result<InstallPlan> plan_install(const InstallRequest& request) {
  const InstallSpec* spec = spec_of(request);
  if (spec == nullptr) {
    return fail(errc::agent_skill_not_found, "Installer not found: " + request.install_id);
  }
  return install_plan(request.entry, *spec, request.config, find_install_tools(),
                      {.state = request.state, .home = home_folder()});
}

// Of a download what is wrong is told as what it said, too.
InstallResult plan_failure(const InstallRequest& request, const Error& error) {
  const InstallSpec* spec = spec_of(request);
  const bool is_download = spec != nullptr && spec->kind == InstallSpec::Kind::download;
  return {.message = error.message(), .err = is_download ? error.message() : std::string()};
}

Task<InstallResult> install_skill(InstallRequest request) {
  auto plan = plan_install(request);
  if (!plan) co_return plan_failure(request, plan.error());
  if (plan->download) co_return co_await download(&request, *std::move(plan->download));
  const bool is_go = spec_of(request)->kind == InstallSpec::Kind::go;
  CommandInstall install(request, std::move(plan->steps), is_go);
  co_return co_await install.run();
}

}  // namespace clawperator::agent_skills
