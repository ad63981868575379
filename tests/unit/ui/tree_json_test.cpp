#include "runtime/ui/tree_json.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "runtime/ui/hierarchy.hpp"
#include "unit/ui/widget.hpp"

using namespace clawperator;
using test::Widget;

TEST_CASE("tree json: one object a node, absent where there is nothing to say") {
  const UiTree tree =
      test::tree_of({{.children = {{.class_name = "android.widget.ListView",
                                    .id = "a:id/list",
                                    .scrollable = true,
                                    .children = {{.class_name = "android.widget.EditText",
                                                  .text = "x\n\"y\"",
                                                  .desc = "d",
                                                  .bounds = {10, 20, 30, 41},
                                                  .clickable = true,
                                                  .enabled = false,
                                                  .package = "com.other"}}}}}});
  CHECK(to_json(tree) ==
        R"({"hash":")" + tree.hash +
            R"(","package":"com.android.settings","rotation":0,"nodes":[)"
            R"({"ref":"@1","role":"list","id":"a:id/list","class":"android.widget.ListView",)"
            R"("bounds":[0,0,1080,2400],"center":[540,1200],"flags":["scrollable"]},)"
            R"({"ref":"@2","parent":"@1","role":"textfield","text":"x\n\"y\"","desc":"d",)"
            R"("class":"android.widget.EditText","package":"com.other","bounds":[10,20,30,41],)"
            R"("center":[20,30],"flags":["clickable","focusable","editable","disabled"]}]})");
}

TEST_CASE("tree json: as many nodes as the tree has refs, in their order") {
  const UiTree tree = test::tree_of(test::settings_screen(40));
  const auto json = nlohmann::json::parse(to_json(tree), nullptr, false);
  REQUIRE(json.is_object());
  REQUIRE(json["nodes"].size() == tree.interesting.size());
  for (std::size_t i = 0; i < tree.interesting.size(); ++i)
    CHECK(json["nodes"][i]["ref"] == "@" + std::to_string(i + 1));
}
