#include "skills/agent/install_plan.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <string>
#include <vector>

#include "base/system/errc.hpp"
#include "skills/agent/rules/errc.hpp"
#include "support/print_result.hpp"

using namespace clawperator;
using namespace clawperator::agent_skills;
using Kind = InstallSpec::Kind;
using Words = std::vector<std::string>;
using Steps = std::vector<Words>;
using std::chrono::milliseconds;
using unpack::Format;

namespace {

const InstallPlaces kPlaces{.state = "/s", .home = "/home/u"};
const InstallTools kAll{.brew = "brew", .has_uv = true, .has_go = true};

Result<InstallPlan> plan(const InstallSpec& spec, const InstallTools& tools = kAll,
                         const Config& config = {}, const std::string& key = "tool") {
  Entry entry;
  entry.skill.name = key;
  entry.metadata.install = {spec};
  return install_plan(entry, spec, config, tools, kPlaces);
}

Steps steps(const InstallSpec& spec, const InstallTools& tools = kAll, const Config& config = {}) {
  const auto made = plan(spec, tools, config);
  REQUIRE(made);
  CHECK_FALSE(made->download);
  Steps all;
  for (const InstallStep& step : made->steps) all.push_back(step.words);
  return all;
}

std::string refusal(const InstallSpec& spec, const InstallTools& tools = kAll) {
  const auto made = plan(spec, tools);
  if (made) return "was planned";
  const bool is_missing = made.error().message().contains("is not on this machine");
  CHECK(made.error().code() ==
        (is_missing ? errc::host_dependency_missing : errc::agent_install_failed));
  return made.error().message();
}

InstallSpec from_url(std::string url) { return {.kind = Kind::download, .url = std::move(url)}; }

ToolDownload download(const InstallSpec& spec, const std::string& key = "tool") {
  const auto made = plan(spec, kAll, {}, key);
  REQUIRE(made);
  REQUIRE(made->download);
  CHECK(made->steps.empty());
  return *made->download;
}

}  // namespace

TEST_CASE("install plan: what is called for each kind", "[install]") {
  const InstallSpec node{.kind = Kind::node, .package = " @a/x "};
  const std::string no_scripts = "--ignore-scripts";
  CHECK(steps({.kind = Kind::brew, .formula = "a/tap/x"}) ==
        Steps{Words{"brew", "install", "a/tap/x"}});
  CHECK(steps({.kind = Kind::brew, .formula = "x"}, {.brew = "/opt/homebrew/bin/brew"}) ==
        Steps{Words{"/opt/homebrew/bin/brew", "install", "x"}});
  CHECK(steps(node) == Steps{Words{"npm", "install", "-g", no_scripts, "@a/x"}});
  CHECK(steps(node, kAll, {.node_manager = NodeInstaller::pnpm}) ==
        Steps{Words{"pnpm", "add", "-g", no_scripts, "@a/x"}});
  CHECK(steps(node, kAll, {.node_manager = NodeInstaller::yarn}) ==
        Steps{Words{"yarn", "global", "add", no_scripts, "@a/x"}});
  CHECK(steps(node, kAll, {.node_manager = NodeInstaller::bun}) ==
        Steps{Words{"bun", "add", "-g", no_scripts, "@a/x"}});
  CHECK(steps({.kind = Kind::go, .module = "example.com/x@latest"}) ==
        Steps{Words{"go", "install", "example.com/x@latest"}});
  CHECK(steps({.kind = Kind::uv, .package = "x[all]==1.0"}) ==
        Steps{Words{"uv", "tool", "install", "x[all]==1.0"}});
}

TEST_CASE("install plan: brew installs uv and go first where they are missing", "[install]") {
  const InstallSpec uv{.kind = Kind::uv, .package = "x"};
  const InstallSpec go{.kind = Kind::go, .module = "x"};
  const InstallTools only_brew{.brew = "/b/brew"};
  CHECK(steps(uv, only_brew) ==
        Steps{Words{"/b/brew", "install", "uv"}, Words{"uv", "tool", "install", "x"}});
  CHECK(steps(go, only_brew) ==
        Steps{Words{"/b/brew", "install", "go"}, Words{"go", "install", "x"}});
  CHECK(plan(uv, only_brew)->steps[0].failure == "Failed to install uv (brew)");
  CHECK(plan(go, only_brew)->steps[0].failure == "Failed to install go (brew)");
  CHECK(plan(uv, only_brew)->steps[1].failure.empty());
  CHECK(refusal(uv, {}) == "uv is not on this machine, nor is brew, which installs it");
  CHECK(refusal(go, {}) == "go is not on this machine, nor is brew, which installs it");
  CHECK(refusal({.kind = Kind::brew, .formula = "x"}, {}) == "brew is not on this machine");
}

TEST_CASE("install plan: a missing field is reported by its name", "[install]") {
  CHECK(refusal({.kind = Kind::brew}) == "missing brew formula");
  CHECK(refusal({.kind = Kind::node}) == "missing node package");
  CHECK(refusal({.kind = Kind::go, .module = " "}) == "missing go module");
  CHECK(refusal({.kind = Kind::uv}) == "missing uv package");
  CHECK(refusal({.kind = Kind::download}) == "missing download url");
}

TEST_CASE("install plan: a word that would be an option, or several, is refused", "[install]") {
  for (const std::string& word :
       {std::string("-g"), std::string("--prefix=/x"), std::string("a b"), std::string("a\tb"),
        std::string("a\nb"), std::string("a\0b", 3), std::string("a\x1b"), std::string("\xff"),
        std::string("a\xc2\x85"), std::string("a\xe2\x80\xae")}) {
    CAPTURE(word);
    CHECK(
        refusal({.kind = Kind::brew, .formula = word}).starts_with("the brew formula is refused"));
    CHECK(
        refusal({.kind = Kind::node, .package = word}).starts_with("the node package is refused"));
    CHECK(refusal({.kind = Kind::go, .module = word}).starts_with("the go module is refused"));
    CHECK(refusal({.kind = Kind::uv, .package = word}).starts_with("the uv package is refused"));
    CHECK(refusal(from_url(word)).starts_with("the download url is refused"));
  }
  CHECK(refusal({.kind = Kind::brew, .formula = "-x"}) == "the brew formula is refused: '-x'");
}

TEST_CASE("install plan: a download comes by https, or from this computer", "[install]") {
  CHECK(download(from_url("https://example.com/x")).url == "https://example.com/x");
  CHECK(download(from_url(" http://127.0.0.1:8/x ")).url == "http://127.0.0.1:8/x");
  for (const char* url : {"http://example.com/x", "ftp://example.com/x", "file:///etc/passwd", "x",
                          "https://", "https://u:p@example.com/x", "https://example.com/a\\b"}) {
    CAPTURE(url);
    CHECK(refusal(from_url(url)) != "was planned");
  }
}

TEST_CASE("install plan: the file has the name of the URL's last part", "[install]") {
  const auto name = [](std::string url) { return download(from_url(std::move(url))).file_name; };
  CHECK(name("https://e.com/d/x.bin?y=/z.zip#/a") == "x.bin");
  CHECK(name("https://e.com/d/") == "d");
  CHECK(name("https://e.com/") == "download");
  CHECK(name("https://e.com") == "download");
  CHECK(name("https://e.com?x/y") == "download");
  CHECK(name("https://e.com/a/..") == "download");
  CHECK(name("https://e.com/a/.") == "download");
  CHECK(name("https://e.com/a%2fb") == "a%2fb");
  CHECK(refusal(from_url("https://e.com/" + std::string(256, 'x'))) != "was planned");
}

TEST_CASE("install plan: the skill decides the archive's kind, else the name", "[install]") {
  const auto archive = [](std::string name, std::string kind = "",
                          std::optional<bool> extract = {}) {
    InstallSpec spec = from_url("https://e.com/" + std::move(name));
    spec.archive = std::move(kind);
    spec.extract = extract;
    return download(spec).archive;
  };
  CHECK(archive("x.tar.gz") == Format::tar_gz);
  CHECK(archive("x.TGZ?v=1") == Format::tar_gz);
  CHECK(archive("x.tar.bz2") == Format::tar_bz2);
  CHECK(archive("x.tbz2") == Format::tar_bz2);
  CHECK(archive("x.zip") == Format::zip);
  CHECK(archive("x", " ZIP ") == Format::zip);
  CHECK(archive("x.zip", "tar.gz") == Format::tar_gz);
  CHECK(archive("x") == std::nullopt);
  CHECK(archive("x.zip", "", false) == std::nullopt);
  CHECK(archive("x", "rar", false) == std::nullopt);
  InstallSpec spec = from_url("https://e.com/x.bin");
  spec.extract = true;
  CHECK(refusal(spec) == "extract requested but archive type could not be detected");
  spec.extract.reset();
  spec.archive = "Rar";
  CHECK(refusal(spec) == "unsupported archive type: rar");
}

TEST_CASE("install plan: parts to strip are a whole number", "[install]") {
  const auto strip = [](double count) {
    InstallSpec spec = from_url("https://e.com/x.zip");
    spec.strip_components = count;
    return download(spec).strip;
  };
  CHECK(strip(0) == 0);
  CHECK(strip(1) == 1);
  CHECK(strip(2.9) == 2);
  CHECK(strip(-3) == 0);
  CHECK(strip(std::numeric_limits<double>::quiet_NaN()) == 0);
  CHECK(strip(std::numeric_limits<double>::infinity()) == 0);
  CHECK(strip(1e300) == 1000);
}

TEST_CASE("install plan: a target is below the skill's folder of tools", "[install]") {
  const auto at = [](std::string target, const std::string& key = "tool") {
    InstallSpec spec = from_url("https://e.com/x");
    spec.target_dir = std::move(target);
    const ToolDownload made = download(spec, key);
    const std::string below = made.below.empty() ? "" : "/" + made.below;
    CHECK(made.target.string() == "/s/tools/" + made.key + below);
    return made.below;
  };
  CHECK(at("").empty());
  CHECK(at("  ").empty());
  CHECK(at(".").empty());
  CHECK(at("runtime") == "runtime");
  CHECK(at("./a/../b//c/") == "b/c");
  CHECK(at("/s/tools/tool/x") == "x");
  CHECK(at("/s/tools/tool").empty());
  for (const char* target : {"..", "../other", "a/../..", "/s/tools", "/s/tools/tool2", "/etc",
                             "/s/tools/tool/../x", "~", "~/x", "/"}) {
    CAPTURE(target);
    InstallSpec spec = from_url("https://e.com/x");
    spec.target_dir = target;
    CHECK(refusal(spec).starts_with("Refusing to install outside the skill tools directory"));
  }
  InstallSpec spec = from_url("https://e.com/x");
  spec.target_dir = "~/x";
  CHECK(refusal(spec) ==
        "Refusing to install outside the skill tools directory. targetDir=\"~/x\" resolves to "
        "\"/home/u/x\". Allowed root: \"/s/tools/tool\".");
  spec.target_dir = "a\x1b";
  CHECK(refusal(spec) == "the targetDir is refused: 'a?'");
}

TEST_CASE("install plan: a key that is no folder's name becomes one", "[install]") {
  CHECK(tools_folder_name("sherpa-onnx_tts.1") == "sherpa-onnx_tts.1");
  CHECK(tools_folder_name(" x ") == "x");
  // sha256sum of "../x", "" , "." and "a b"
  CHECK(tools_folder_name("../x") == "..-x-d6b96a97d1");
  CHECK(tools_folder_name("") == "skill-e3b0c44298");
  CHECK(tools_folder_name(".") == "skill-cdb4ee2aea");
  CHECK(tools_folder_name("a b") == "a-b-c8687a08aa");
  const std::string longest(60, 'x');
  CHECK(tools_folder_name(longest) == longest);
  CHECK(tools_folder_name(longest + "x").starts_with(std::string(50, 'x') + "-"));
  CHECK(tools_folder_name(longest + "x").size() == 61);
  CHECK(tools_folder_name(".staging~") != ".staging~");
}

TEST_CASE("install plan: a digest is 64 hex digits", "[install]") {
  const std::string digest = std::string(60, 'a') + "BCDE";
  InstallSpec spec = from_url("https://e.com/x");
  spec.sha256 = " " + digest + "\n";
  CHECK(download(spec).sha256 == std::string(60, 'a') + "bcde");
  for (const std::string& wrong : {digest.substr(1), digest + "0", std::string(64, 'g')}) {
    spec.sha256 = wrong;
    CHECK(refusal(spec) == "sha256 must be 64 hex digits");
  }
}

TEST_CASE("install plan: as JSON", "[install]") {
  CHECK(plan_json(*plan({.kind = Kind::uv, .package = "x"}, {.brew = "brew"})) ==
        R"({"steps":[["brew","install","uv"],["uv","tool","install","x"]]})");
  InstallSpec spec = from_url("https://e.com/x.zip");
  spec.strip_components = 1;
  spec.target_dir = "t";
  CHECK(plan_json(*plan(spec)) ==
        R"({"download":{"url":"https://e.com/x.zip","path":"/s/tools/tool/t/x.zip",)"
        R"("archive":"zip","extractTo":"/s/tools/tool/t","stripComponents":1}})");
  CHECK(plan_json(*plan(from_url("https://e.com/x"))) ==
        R"({"download":{"url":"https://e.com/x","path":"/s/tools/tool/x"}})");
}

TEST_CASE("install plan: the time is within bounds", "[install]") {
  CHECK(install_limit({}) == milliseconds(300'000));
  CHECK(install_limit(milliseconds(0)) == milliseconds(1000));
  CHECK(install_limit(milliseconds(5000)) == milliseconds(5000));
  CHECK(install_limit(std::chrono::hours(1)) == milliseconds(900'000));
}
