#include "skills/agent/rules/install_options.hpp"

#include <algorithm>

#include "base/js_string.hpp"
#include "base/url.hpp"

namespace clawperator::agent_skills {
namespace {

using Kind = InstallSpec::Kind;

bool is_for(const InstallSpec& spec, std::string_view platform) {
  return spec.os.empty() || std::ranges::find(spec.os, platform) != spec.os.end();
}

std::vector<const InstallSpec*> all_for(const Metadata& metadata, std::string_view platform) {
  std::vector<const InstallSpec*> found;
  for (const InstallSpec& spec : metadata.install) {
    if (is_for(spec, platform)) found.push_back(&spec);
  }
  return found;
}

std::string numbered_id(const InstallSpec& spec, std::size_t number) {
  const std::string_view own = trim_js(spec.id);
  if (!own.empty()) return std::string(own);
  return std::string(name_of(spec.kind)) + "-" + std::to_string(number);
}

std::string download_label(const std::string& url) {
  const std::string shown = shown_url(trim_js(url));
  const std::string_view whole = shown;
  const std::string_view last = whole.substr(whole.rfind('/') + 1);
  return "Download " + std::string(last.empty() ? whole : last);
}

std::string label_of(const InstallSpec& spec, NodeInstaller manager) {
  const auto install = [](const std::string& what, std::string_view by) {
    return "Install " + what + " (" + std::string(by) + ")";
  };
  if (spec.kind == Kind::node && !spec.package.empty()) {
    return install(spec.package, node_install_words(manager).front());
  }
  if (const auto own = trim_js(spec.label); !own.empty()) return std::string(own);
  if (spec.kind == Kind::download && !spec.url.empty()) return download_label(spec.url);
  const std::string* what = spec.kind == Kind::brew ? &spec.formula
                            : spec.kind == Kind::go ? &spec.module
                            : spec.kind == Kind::uv ? &spec.package
                                                    : nullptr;
  if (what == nullptr || what->empty()) return "Run installer";
  return install(*what, name_of(spec.kind));
}

const InstallSpec* preferred(const std::vector<const InstallSpec*>& specs, const Config& config,
                             const InstallHost& host) {
  const auto first_of = [&specs](Kind kind) -> const InstallSpec* {
    const auto found = std::ranges::find(specs, kind, &InstallSpec::kind);
    return found == specs.end() ? nullptr : *found;
  };
  const InstallSpec* brew = first_of(Kind::brew);
  if (config.prefer_brew && host.has_brew && brew != nullptr) return brew;
  for (const Kind kind : {Kind::uv, Kind::node, Kind::brew, Kind::go}) {
    if (const InstallSpec* found = first_of(kind)) return found;
  }
  return specs.front();
}

}  // namespace

std::string_view name_of(InstallSpec::Kind kind) {
  constexpr std::string_view kNames[] = {"brew", "node", "go", "uv", "download"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::span<const std::string_view> node_install_words(NodeInstaller manager) {
  // In the order of NodeInstaller.
  static constexpr std::string_view kWords[][4] = {{"npm", "install", "-g", "--ignore-scripts"},
                                                   {"pnpm", "add", "-g", "--ignore-scripts"},
                                                   {"yarn", "global", "add", "--ignore-scripts"},
                                                   {"bun", "add", "-g", "--ignore-scripts"}};
  return kWords[static_cast<std::size_t>(manager)];
}

std::string install_id(const Metadata& metadata, const InstallSpec& spec) {
  return numbered_id(spec, static_cast<std::size_t>(&spec - metadata.install.data()));
}

std::vector<InstallOption> install_options(const Entry& entry, const Config& config,
                                           const InstallHost& host) {
  const auto specs = all_for(entry.metadata, host.platform);
  std::vector<InstallOption> options;
  if (specs.empty()) return options;
  const auto add = [&](const InstallSpec& spec) {
    options.push_back({.id = install_id(entry.metadata, spec),
                       .kind = spec.kind,
                       .label = label_of(spec, config.node_manager),
                       .bins = spec.bins});
  };
  const bool only_downloads = std::ranges::all_of(
      specs, [](const InstallSpec* spec) { return spec->kind == Kind::download; });
  if (only_downloads) {
    for (const InstallSpec* spec : specs) add(*spec);
  } else {
    add(*preferred(specs, config, host));
  }
  return options;
}

const InstallSpec* install_of(const Metadata& metadata, std::string_view id,
                              std::string_view platform) {
  const InstallSpec* elsewhere = nullptr;
  for (const InstallSpec& spec : metadata.install) {
    if (install_id(metadata, spec) != id) continue;
    if (is_for(spec, platform)) return &spec;
    if (elsewhere == nullptr) elsewhere = &spec;
  }
  std::size_t number = 0;
  for (const InstallSpec* spec : all_for(metadata, platform)) {
    if (numbered_id(*spec, number++) == id) return spec;
  }
  return elsewhere;
}

}  // namespace clawperator::agent_skills
