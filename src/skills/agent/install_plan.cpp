#include "skills/agent/install_plan.hpp"

#include <algorithm>
#include <cmath>

#include "adbproto/crypto/sha256.hpp"
#include "base/js_string.hpp"
#include "base/json_text.hpp"
#include "base/system/errc.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "runtime/fetch/http_stream.hpp"
#include "skills/agent/rules/errc.hpp"
#include "skills/agent/rules/install_options.hpp"

namespace clawperator::agent_skills {

namespace fs = std::filesystem;

namespace {

using Kind = InstallSpec::Kind;

// Above any path's depth (unpack's kMostParts), and it fits unsigned.
constexpr double kMostStripped = 1000;

// The skill is in order; another machine could carry it out.
std::unexpected<Error> not_here(std::string message) {
  return fail(errc::host_dependency_missing, std::move(message));
}

std::unexpected<Error> no_plan(std::string message) {
  return fail(errc::agent_install_failed, std::move(message));
}

// A text as one word of another program's command line. It must not become an option or several
// words.
Result<std::string> word_of(std::string_view given, const std::string& what) {
  const std::string word(trim_js(given));
  if (word.empty()) return no_plan("missing " + what);
  const bool is_plain = word.find_first_of(" \t\n\v\f") == word.npos &&
                        harmless_text(word, "?") == word && !word.starts_with('-');
  if (is_plain) return word;
  return no_plan("the " + what + " is refused: " + unpack::shown_name(word));
}

// `brew install NAME` first, where it is missing.
Result<std::vector<InstallStep>> steps_of(const std::string& program, bool is_there,
                                          const InstallTools& tools,
                                          std::vector<std::string> words) {
  std::vector<InstallStep> steps;
  if (!is_there) {
    if (tools.brew.empty()) {
      return not_here(program + " is not on this machine, nor is brew, which installs it");
    }
    steps.push_back({.words = {tools.brew, "install", program},
                     .failure = "Failed to install " + program + " (brew)"});
  }
  steps.push_back({.words = std::move(words)});
  return steps;
}

Result<std::vector<InstallStep>> command_steps(const InstallSpec& spec, const Config& config,
                                               const InstallTools& tools) {
  switch (spec.kind) {
    case Kind::brew: {
      TRY(const std::string formula, word_of(spec.formula, "brew formula"));
      if (tools.brew.empty()) return not_here("brew is not on this machine");
      return steps_of("brew", true, tools, {tools.brew, "install", formula});
    }
    case Kind::node: {
      TRY(std::string package, word_of(spec.package, "node package"));
      std::vector<std::string> words;
      for (const auto word : node_install_words(config.node_manager)) words.emplace_back(word);
      words.push_back(std::move(package));
      return steps_of(words[0], true, tools, words);
    }
    case Kind::go: {
      TRY(const std::string module, word_of(spec.module, "go module"));
      return steps_of("go", tools.has_go, tools, {"go", "install", module});
    }
    case Kind::uv: {
      TRY(const std::string package, word_of(spec.package, "uv package"));
      return steps_of("uv", tools.has_uv, tools, {"uv", "tool", "install", package});
    }
    case Kind::download: break;
  }
  return no_plan("unsupported installer");
}

// The last part of the URL's path, unchanged.
std::string file_name_in(std::string_view url) {
  const std::size_t authority = url.find("://");
  std::string_view rest = url.substr(authority == url.npos ? 0 : authority + 3);
  rest = rest.substr(0, rest.find_first_of("?#"));
  const std::size_t slash = rest.find('/');
  std::string_view path = slash == rest.npos ? std::string_view() : rest.substr(slash);
  while (path.ends_with('/')) path.remove_suffix(1);
  std::string name(path.substr(path.rfind('/') + 1));
  const bool is_name = !name.empty() && name != "." && name != "..";
  return is_name ? name : "download";
}

fs::path without_last_slash(const fs::path& path) {
  const fs::path normal = path.lexically_normal();
  return normal.has_filename() || normal == normal.root_path() ? normal : normal.parent_path();
}

// Relative to the skill's own folder; '~' is the user's.
Result<void> find_target(const std::string& raw, const InstallPlaces& places,
                         ToolDownload* download) {
  const fs::path root = without_last_slash(places.state / "tools" / download->key);
  fs::path wanted = raw.empty() ? root : root / raw;  // an absolute path stays as it is
  if (raw == "~" || raw.starts_with("~/")) {
    wanted = places.home / fs::path(raw.substr(1)).relative_path();
  }
  download->target = without_last_slash(wanted);
  const std::string inside = root.string() + "/";
  const std::string target = download->target.string();
  if (target == root.string()) return ok();
  if (!target.starts_with(inside)) {
    return no_plan("Refusing to install outside the skill tools directory. targetDir=\"" + raw +
                   "\" resolves to \"" + target + "\". Allowed root: \"" + root.string() + "\".");
  }
  download->below = target.substr(inside.size());
  if (!unpack::check_member_path(download->below)) {
    return no_plan("the targetDir is refused: " + unpack::shown_name(raw));
  }
  return ok();
}

Result<void> find_archive(const InstallSpec& spec, ToolDownload* download) {
  const std::string named = ascii_lower(trim_js(spec.archive));
  const auto archive =
      named.empty() ? unpack::format_of_file(download->file_name) : unpack::format_named(named);
  if (!spec.extract.value_or(!named.empty() || archive.has_value())) return ok();
  if (!archive && !named.empty()) {
    return no_plan("unsupported archive type: " + harmless_text(named, "?"));
  }
  if (!archive) return no_plan("extract requested but archive type could not be detected");
  download->archive = archive;
  const double strip = std::isfinite(spec.strip_components) ? spec.strip_components : 0;
  download->strip = static_cast<unsigned>(std::clamp(std::floor(strip), 0.0, kMostStripped));
  return ok();
}

Result<ToolDownload> download_of(const Entry& entry, const InstallSpec& spec,
                                 const InstallPlaces& places) {
  ToolDownload download;
  TRY(download.url, word_of(spec.url, "download url"));
  if (auto good = check_url(download.url); !good) return no_plan(good.error().message());
  download.file_name = file_name_in(download.url);
  if (auto good = unpack::check_member_path(download.file_name); !good) {
    return no_plan("the file name in the download url is refused: " +
                   unpack::shown_name(download.file_name));
  }
  download.key = tools_folder_name(entry.key());
  TRY_VOID(find_target(std::string(trim_js(spec.target_dir)), places, &download));
  TRY_VOID(find_archive(spec, &download));
  download.sha256 = ascii_lower(trim_js(spec.sha256));
  if (!download.sha256.empty() && !is_hex(download.sha256, 64)) {
    return no_plan("sha256 must be 64 hex digits");
  }
  return download;
}

std::string_view format_name(unpack::Format format) {
  constexpr std::string_view kNames[] = {"tar.gz", "tar.bz2", "zip"};
  return kNames[static_cast<std::size_t>(format)];
}

}  // namespace

Result<InstallPlan> install_plan(const Entry& entry, const InstallSpec& spec, const Config& config,
                                 const InstallTools& tools, const InstallPlaces& places) {
  InstallPlan plan;
  if (spec.kind == Kind::download) {
    TRY(plan.download, download_of(entry, spec, places));
  } else {
    TRY(plan.steps, command_steps(spec, config, tools));
  }
  return plan;
}

std::string plan_json(const InstallPlan& plan) {
  JsonObject json;
  if (!plan.download) {
    const auto words_json = [](const InstallStep& step) { return strings_json(step.words); };
    return json.json("steps", list_json(plan.steps, words_json)).str();
  }
  const ToolDownload& download = *plan.download;
  JsonObject members;
  members.text("url", download.url).text("path", (download.target / download.file_name).string());
  if (download.archive) {
    members.text("archive", format_name(*download.archive));
    members.text("extractTo", download.target.string());
    members.number("stripComponents", download.strip);
  }
  if (!download.sha256.empty()) members.text("sha256", download.sha256);
  return json.object("download", members).str();
}

std::string tools_folder_name(std::string_view key) {
  constexpr std::size_t kLongest = 60;
  constexpr std::size_t kKept = 50;
  constexpr std::size_t kDigits = 10;
  const std::string_view trimmed_key = trim_js(key);
  std::string name = with_gaps(
      trimmed_key, '-', [](char c) { return is_letter_or_digit(c) || c == '.' || c == '_'; });
  if (name.empty() || name == "." || name == "..") name = "skill";
  if (name == trimmed_key && name.size() <= kLongest) return name;
  return name.substr(0, kKept) + "-" + adbproto::sha256_of(trimmed_key).substr(0, kDigits);
}

std::chrono::milliseconds install_limit(std::optional<std::chrono::milliseconds> wanted) {
  return std::clamp(wanted.value_or(kInstallLimit), std::chrono::milliseconds(1000),
                    std::chrono::milliseconds(900'000));
}

}  // namespace clawperator::agent_skills
