#pragma once
// Screens for the tests, described as widgets and written the way the Operator app writes them:
// two spaces a level, every attribute, values escaped except for their line breaks.

#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/ui/hierarchy.hpp"

namespace clawperator::test {

struct Widget {
  std::string class_name = "android.widget.FrameLayout";
  std::string id{}, text{}, desc{};
  std::array<int, 4> bounds{0, 0, 1080, 2400};
  bool clickable = false, long_clickable = false, scrollable = false, checkable = false,
       checked = false, enabled = true, focused = false, password = false, selected = false;
  std::string package = "com.android.settings";
  std::vector<Widget> children{};
};

inline std::string escape_xml(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

inline void write_widget(std::string& xml, const Widget& widget, int index, int level) {
  const std::string indent(static_cast<std::size_t>(2 * level), ' ');
  const auto text = [&](const char* name, const std::string& value) {
    xml += std::string(" ") + name + "=\"" + escape_xml(value) + '"';
  };
  const auto flag = [&](const char* name, bool value) { text(name, value ? "true" : "false"); };
  xml += indent + "<node";
  text("index", std::to_string(index));
  text("text", widget.text);
  text("resource-id", widget.id);
  text("class", widget.class_name);
  text("package", widget.package);
  text("content-desc", widget.desc);
  flag("checkable", widget.checkable);
  flag("checked", widget.checked);
  flag("clickable", widget.clickable);
  flag("enabled", widget.enabled);
  flag("focusable", widget.clickable);
  flag("focused", widget.focused);
  flag("scrollable", widget.scrollable);
  flag("long-clickable", widget.long_clickable);
  flag("password", widget.password);
  flag("selected", widget.selected);
  const auto& b = widget.bounds;
  text("bounds", "[" + std::to_string(b[0]) + "," + std::to_string(b[1]) + "][" +
                     std::to_string(b[2]) + "," + std::to_string(b[3]) + "]");
  if (widget.children.empty()) {
    xml += " />\n";
    return;
  }
  xml += ">\n";
  for (std::size_t i = 0; i < widget.children.size(); ++i)
    write_widget(xml, widget.children[i], static_cast<int>(i), level + 1);
  xml += indent + "</node>\n";
}

inline std::string to_xml(const std::vector<Widget>& windows, int rotation = 0) {
  std::string xml =
      "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\n<hierarchy rotation=\"" +
      std::to_string(rotation) + "\">\n";
  for (std::size_t i = 0; i < windows.size(); ++i)
    write_widget(xml, windows[i], static_cast<int>(i), 1);
  return xml + "</hierarchy>";
}

inline void collect(const Widget& widget, std::vector<const Widget*>& to) {
  to.push_back(&widget);
  for (const auto& child : widget.children) collect(child, to);
}

// All widgets in document order.
inline std::vector<const Widget*> preorder(const std::vector<Widget>& windows) {
  std::vector<const Widget*> all;
  for (const auto& window : windows) collect(window, all);
  return all;
}

// A row of a settings list, nested as the platform nests it.
inline Widget settings_row(int top, std::string title, std::string summary, bool with_switch) {
  const int bottom = top + 200;
  Widget name{.class_name = "android.widget.TextView",
              .id = "android:id/title",
              .text = std::move(title),
              .bounds = {216, top + 40, 800, top + 100}};
  Widget detail{.class_name = "android.widget.TextView",
                .id = "android:id/summary",
                .text = std::move(summary),
                .bounds = {216, top + 100, 900, top + 160}};
  Widget texts{.class_name = "android.widget.RelativeLayout",
               .bounds = {216, top, 900, bottom},
               .children = {name, detail}};
  Widget icon{.class_name = "android.widget.ImageView",
              .id = "android:id/icon",
              .bounds = {60, top + 60, 140, top + 140}};
  Widget icon_frame{.class_name = "android.widget.LinearLayout",
                    .id = "com.android.settings:id/icon_frame",
                    .bounds = {36, top, 216, bottom},
                    .children = {icon}};
  Widget row{.class_name = "android.widget.LinearLayout",
             .bounds = {0, top, 1080, bottom},
             .clickable = true,
             .children = {icon_frame, texts}};
  if (with_switch) {
    Widget toggle{.class_name = "android.widget.Switch",
                  .id = "android:id/switch_widget",
                  .bounds = {900, top + 60, 1020, top + 140},
                  .checkable = true,
                  .checked = true};
    row.children.push_back({.class_name = "android.widget.LinearLayout",
                            .id = "android:id/widget_frame",
                            .bounds = {900, top, 1080, bottom},
                            .children = {toggle}});
  }
  return row;
}

// The first page of Settings: nested containers, a search bar, a list of rows.
inline std::vector<Widget> settings_screen(int rows = 10) {
  Widget list{.class_name = "androidx.recyclerview.widget.RecyclerView",
              .id = "com.android.settings:id/recycler_view",
              .bounds = {0, 300, 1080, 2400},
              .scrollable = true};
  for (int i = 0; i < rows; ++i) {
    const std::string number = std::to_string(i);
    list.children.push_back(settings_row(300 + 200 * i, "Network & internet " + number,
                                         "Mobile, Wi-Fi, hotspot " + number, i % 4 == 1));
  }
  Widget search_text{.class_name = "android.widget.TextView",
                     .id = "com.android.settings:id/search_action_bar_title",
                     .text = "Search settings",
                     .bounds = {180, 140, 700, 220}};
  Widget search{.class_name = "android.view.ViewGroup",
                .id = "com.android.settings:id/search_action_bar",
                .bounds = {48, 120, 1032, 240},
                .clickable = true,
                .children = {search_text}};
  Widget content{.id = "android:id/content", .children = {search, list}};
  Widget root{.children = {{.class_name = "android.widget.LinearLayout", .children = {content}}}};
  return {root};
}

// A sign-in form: few containers, much to do.
inline std::vector<Widget> form_screen() {
  const std::string p = "com.example.shop";
  const std::string id = p + ":id/";
  Widget back{.class_name = "android.widget.ImageButton",
              .desc = "Navigate up",
              .bounds = {0, 80, 150, 230},
              .clickable = true,
              .package = p};
  Widget title{.class_name = "android.widget.TextView",
               .text = "Sign in",
               .bounds = {190, 120, 500, 190},
               .package = p};
  Widget bar{.class_name = "android.view.ViewGroup",
             .id = id + "toolbar",
             .bounds = {0, 80, 1080, 230},
             .package = p,
             .children = {back, title}};
  Widget user{.class_name = "android.widget.EditText",
              .id = id + "username",
              .text = "Email",
              .bounds = {60, 400, 1020, 520},
              .clickable = true,
              .focused = true,
              .package = p};
  Widget secret{.class_name = "android.widget.EditText",
                .id = id + "password",
                .text = "•••••",
                .bounds = {60, 560, 1020, 680},
                .clickable = true,
                .password = true,
                .package = p};
  Widget keep{.class_name = "android.widget.CheckBox",
              .id = id + "keep",
              .text = "Keep me signed in",
              .bounds = {60, 720, 1020, 820},
              .clickable = true,
              .checkable = true,
              .package = p};
  Widget go{.class_name = "android.widget.Button",
            .id = id + "submit",
            .text = "Sign in",
            .bounds = {60, 900, 1020, 1040},
            .clickable = true,
            .enabled = false,
            .package = p};
  Widget form{.class_name = "android.widget.LinearLayout",
              .id = id + "form",
              .bounds = {0, 230, 1080, 2400},
              .package = p,
              .children = {user, secret, keep, go}};
  Widget scroll{.class_name = "android.widget.ScrollView",
                .bounds = {0, 230, 1080, 2400},
                .scrollable = true,
                .package = p,
                .children = {form}};
  Widget content{.id = "android:id/content", .package = p, .children = {bar, scroll}};
  Widget outer{.class_name = "android.widget.LinearLayout", .package = p, .children = {content}};
  return {Widget{.package = p, .children = {outer}}};
}

inline UiTree tree_of(const std::vector<Widget>& windows) {
  auto tree = parse_hierarchy(to_xml(windows));
  REQUIRE(tree);
  return *std::move(tree);
}

}  // namespace clawperator::test
