#include <pugixml.hpp>

#include "simdroid/ui/hierarchy.hpp"
#include "unit/simdroid/ui_support.hpp"

using namespace ui_test;

TEST_CASE("hierarchy: the log form is declaration, indented nodes, short leaves") {
  const UiWorld world = world_of(R"({"class":"LinearLayout","h":"fill","children":[
      {"class":"Button","id":"ok","text":"OK","desc":"Fine","w":160,"h":160}]})");
  CHECK(hierarchy_xml(world) ==
        "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\n"
        "<hierarchy rotation=\"0\">\n"
        "  <node index=\"0\" text=\"\" resource-id=\"\" class=\"android.widget.LinearLayout\" "
        "package=\"com.test\" content-desc=\"\" checkable=\"false\" checked=\"false\" "
        "clickable=\"false\" enabled=\"true\" focusable=\"false\" focused=\"false\" "
        "scrollable=\"false\" long-clickable=\"false\" password=\"false\" selected=\"false\" "
        "bounds=\"[0,0][1080,2400]\">\n"
        "    <node index=\"0\" text=\"OK\" resource-id=\"com.test:id/ok\" "
        "class=\"android.widget.Button\" package=\"com.test\" content-desc=\"Fine\" "
        "checkable=\"false\" checked=\"false\" clickable=\"true\" enabled=\"true\" "
        "focusable=\"true\" focused=\"false\" scrollable=\"false\" long-clickable=\"false\" "
        "password=\"false\" selected=\"false\" bounds=\"[0,0][420,420]\" />\n"
        "  </node>\n"
        "</hierarchy>");
}

TEST_CASE("hierarchy: special characters are escaped, line breaks are not") {
  const UiWorld world =
      world_of(R"({"class":"TextView","text":"a \"b\" & 'c' <d>\n[e]\tf\u0007 \ud83d\ude00"})");
  CHECK(hierarchy_xml(world).find(
            "text=\"a &quot;b&quot; &amp; 'c' &lt;d&gt;\n[e]\tf. \xf0\x9f\x98\x80\" ") !=
        std::string::npos);
}

TEST_CASE("hierarchy: uiautomator's form is one line with numbers for what is special") {
  const UiWorld world = world_of(R"({"class":"TextView","text":"a \"b\" & 'c'\n\ud83d\ude00"})");
  const std::string xml = hierarchy_xml(world, HierarchyStyle::uiautomator);
  CHECK(xml.find('\n') == std::string::npos);
  CHECK(xml.find("text='a \"b\" &amp; &apos;c&apos;&#10;&#128512;' ") != std::string::npos);
}

TEST_CASE("hierarchy: every bundled screen is well-formed in both styles, attributes in order") {
  const std::vector<std::string> kOrder{
      "index",      "text",           "resource-id", "class",    "package",   "content-desc",
      "checkable",  "checked",        "clickable",   "enabled",  "focusable", "focused",
      "scrollable", "long-clickable", "password",    "selected", "bounds"};
  const auto style = GENERATE(HierarchyStyle::operator_log, HierarchyStyle::uiautomator);
  for (const auto& [package, app] : bundled_screens()->apps()) {
    for (const auto& [name, screen] : app.screens) {
      UiWorld world;
      world.install(package);
      REQUIRE(world.open_screen(package, name));
      INFO(package << " " << name);
      const std::string xml = hierarchy_xml(world, style);
      pugi::xml_document document;
      REQUIRE(document.load_string(xml.c_str(), pugi::parse_full));
      for (const auto& found : document.select_nodes("//node")) {
        std::vector<std::string> names;
        for (const auto& attribute : found.node().attributes())
          names.emplace_back(attribute.name());
        REQUIRE(names == kOrder);
      }
    }
  }
}

TEST_CASE("hierarchy: texts come back out of the XML as they were, in the uiautomator form") {
  UiWorld world;
  REQUIRE(world.open_screen("com.clawperator.conformance", "texts"));
  pugi::xml_document document;
  REQUIRE(document.load_string(hierarchy_xml(world, HierarchyStyle::uiautomator).c_str()));
  for_each_view(world.root(), [&](const View& view) {
    const std::string id = view.spec->resource_id;
    if (view.text.empty() || id.ends_with("/control")) return;
    const auto node = document.find_node([&](const pugi::xml_node& candidate) {
      return candidate.attribute("resource-id").value() == id;
    });
    INFO(id);
    CHECK(node.attribute("text").value() == view.text);
  });
}
