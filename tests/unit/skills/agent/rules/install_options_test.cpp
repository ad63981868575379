#include "skills/agent/rules/install_options.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

using namespace clawperator::agent_skills;
using Kind = InstallSpec::Kind;

namespace {

const InstallSpec kBrew{.kind = Kind::brew, .formula = "steipete/tap/x"};
const InstallSpec kNode{.kind = Kind::node, .bins = {"x", "y"}, .package = "@a/x"};
const InstallSpec kGo{.kind = Kind::go, .module = "example.com/x@latest"};
const InstallSpec kUv{.kind = Kind::uv, .package = "x-uv"};
const InstallSpec kDownload{.kind = Kind::download, .url = "https://example.com/d/x.zip"};

InstallSpec with_os(InstallSpec spec, std::vector<std::string> os) {
  spec.os = std::move(os);
  return spec;
}

std::vector<InstallOption> shown(std::vector<InstallSpec> specs, const Config& config = {},
                                 const InstallHost& host = {}) {
  Entry entry;
  entry.metadata.install = std::move(specs);
  return install_options(entry, config, host);
}

std::string label(const InstallSpec& spec, const Config& config = {}) {
  return shown({spec}, config).at(0).label;
}

std::string only_id(std::vector<InstallSpec> specs, const Config& config = {},
                    const InstallHost& host = {}) {
  const auto options = shown(std::move(specs), config, host);
  return options.size() == 1 ? options[0].id : std::to_string(options.size()) + " options";
}

}  // namespace

TEST_CASE("install options: one way is shown, the preferred one", "[agent]") {
  const InstallHost with_brew{.has_brew = true};
  const Config no_brew{.prefer_brew = false};
  CHECK(shown({}).empty());
  CHECK(only_id({kGo, kNode, kUv, kBrew}, {}, with_brew) == "brew-3");
  CHECK(only_id({kGo, kNode, kUv, kBrew}, no_brew, with_brew) == "uv-2");
  CHECK(only_id({kGo, kNode, kUv, kBrew}) == "uv-2");
  CHECK(only_id({kBrew, kGo, kNode}) == "node-2");
  CHECK(only_id({kGo, kBrew}) == "brew-1");
  CHECK(only_id({kDownload, kGo}) == "go-1");
  CHECK(only_id({kNode, kNode}) == "node-0");
}

TEST_CASE("install options: downloads are all shown where there is nothing else", "[agent]") {
  const auto options = shown({kDownload, with_os(kBrew, {"darwin"}), kDownload});
  REQUIRE(options.size() == 2);
  CHECK(options[0].id == "download-0");
  CHECK(options[1].id == "download-2");
  CHECK(only_id({kDownload, kBrew, kDownload}) == "brew-1");
}

TEST_CASE("install options: what is for another platform is not shown", "[agent]") {
  CHECK(shown({with_os(kBrew, {"darwin", "win32"})}).empty());
  CHECK(shown({with_os(kBrew, {"Linux"})}).empty());
  CHECK(only_id({with_os(kUv, {"darwin"}), with_os(kNode, {"darwin", "linux"})}) == "node-1");
  CHECK(only_id({with_os(kUv, {"darwin"}), kNode}, {}, {.platform = "darwin"}) == "uv-0");
}

TEST_CASE("install options: an option carries its id, label and programs", "[agent]") {
  InstallSpec named = kNode;
  named.id = " mine ";
  const auto options = shown({named});
  REQUIRE(options.size() == 1);
  CHECK(options[0].id == "mine");
  CHECK(options[0].kind == Kind::node);
  CHECK(options[0].bins == std::vector<std::string>{"x", "y"});
  InstallSpec blank = kNode;
  blank.id = "  ";
  CHECK(only_id({kBrew, blank}) == "node-1");
}

TEST_CASE("install options: labels", "[agent]") {
  CHECK(label(kBrew) == "Install steipete/tap/x (brew)");
  CHECK(label(kGo) == "Install example.com/x@latest (go)");
  CHECK(label(kUv) == "Install x-uv (uv)");
  CHECK(label(kNode) == "Install @a/x (npm)");
  CHECK(label(kNode, {.node_manager = NodeInstaller::pnpm}) == "Install @a/x (pnpm)");
  CHECK(label(kNode, {.node_manager = NodeInstaller::yarn}) == "Install @a/x (yarn)");
  CHECK(label(kNode, {.node_manager = NodeInstaller::bun}) == "Install @a/x (bun)");
  CHECK(label(kDownload) == "Download x.zip");
  InstallSpec own = kUv;
  own.label = " Get x ";
  CHECK(label(own) == "Get x");
  InstallSpec node = kNode;
  node.label = "Get x";
  CHECK(label(node) == "Install @a/x (npm)");  // a label of its own does not change this one
  node.package = "";
  CHECK(label(node) == "Get x");
  InstallSpec folder = kDownload;
  folder.url = "https://example.com/d/";
  CHECK(label(folder) == "Download https://example.com/d/");
  for (const Kind kind : {Kind::brew, Kind::node, Kind::go, Kind::uv, Kind::download}) {
    CHECK(label({.kind = kind, .label = " "}) == "Run installer");
  }
}

TEST_CASE("install options: an id that is shown is found, also one counted the other way",
          "[agent]") {
  Metadata metadata;
  InstallSpec named = kGo;
  named.id = "mine";
  metadata.install = {with_os(kBrew, {"darwin"}), kNode, kUv, named,
                      with_os(kNode, {"win32"}),  kNode};
  const auto number = [&metadata](std::string_view id, std::string_view platform = "linux") {
    const InstallSpec* found = install_of(metadata, id, platform);
    return found == nullptr ? -1 : static_cast<int>(found - metadata.install.data());
  };
  CHECK(number("node-1") == 1);
  CHECK(number("uv-2") == 2);
  CHECK(number("mine") == 3);
  CHECK(number("node-5") == 5);
  CHECK(number("node-0") == 1);  // the first that is for Linux
  CHECK(number("uv-1") == 2);
  CHECK(number("node-3") == 5);
  CHECK(number("brew-0") == 0);  // named, although it is for another platform
  CHECK(number("brew-0", "darwin") == 0);
  CHECK(number("node-4", "win32") == 4);
  for (const char* absent : {"", "go-3", "node", "node-6", "node-01", "mine ", "download-0"}) {
    CAPTURE(absent);
    CHECK(number(absent) == -1);
  }
}

TEST_CASE("install options: no node manager runs a package's scripts", "[agent]") {
  for (const auto manager :
       {NodeInstaller::npm, NodeInstaller::pnpm, NodeInstaller::yarn, NodeInstaller::bun}) {
    CHECK(node_install_words(manager).back() == "--ignore-scripts");
  }
}
