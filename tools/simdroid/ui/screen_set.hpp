#pragma once
// Apps and their screens as the screen files describe them (the format: screens/README.md).
//
//   ScreenSet -> App (package) -> Screen (name) -> NodeSpec tree
//
// Templates are expanded while loading, so a NodeSpec tree is complete. Every node has a number
// unique in its screen (preorder), which is what state (typed text, switches, scroll) hangs on.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace simdroid {

enum class Flow : std::uint8_t { column, row, stack };
enum class Align : std::uint8_t { start, centre, end };
// How the tree lists children without a place on the screen: not at all; with the place that
// remains after every ancestor has clipped it, as Android's views report it (none or an inverted
// one); or with their unclipped place, reported as visible, as some web pages and frameworks do.
enum class Unseen : std::uint8_t { none, clipped, placed };

// Sizes are pixels; the two negative values are the usual words.
inline constexpr int kFill = -1;
inline constexpr int kWrap = -2;

struct NodeSpec {
  int number = 0;
  std::string class_name;   // full: android.widget.TextView
  std::string resource_id;  // full: android:id/title, or empty
  std::string text;         // {uri} stands for the address that opened the screen
  std::string hint;         // shown as text while a field is empty
  std::string description;
  std::string on_click;       // go:S  app:P  uri:U  toggle  back  home  or empty
  std::string on_long_click;  // the same verbs
  std::string on_submit;      // enter pressed in this field: the same verbs
  // Id of a field: the node is there while one of the node's texts contains the field's text.
  std::string filter;
  std::string when;  // a word of UiWorld: the node is there while it is set; `!word`: while not
  bool clickable = false, long_clickable = false, focusable = false, scrollable = false;
  bool horizontal = false;  // the axis of a scrollable
  bool checkable = false, checked = false, editable = false, password = false;
  bool enabled = true, selected = false;
  int appears_after_ms = 0;     // after the screen was opened
  int disappears_after_ms = 0;  // 0 = stays

  Flow flow = Flow::stack;
  Align align = Align::start;    // children across the flow; both axes in a stack
  Unseen unseen = Unseen::none;  // of what lies below it; also of its children's children
  int width = kFill, height = kWrap;
  int weight = 0;                 // share of the rest along the parent's flow
  int padding[4] = {0, 0, 0, 0};  // left, top, right, bottom
  int text_scale = 0;             // pixels per font unit; 0 = no text drawn
  std::uint32_t colour = 0;       // 0xRRGGBBAA background; 0 = none
  std::uint32_t text_colour = 0x1f1f1fff;
  std::vector<NodeSpec> children;
};

enum class ScreenKind : std::uint8_t { activity, dialog, overlay };

struct Screen {
  std::string name;
  std::string activity;  // full class name
  std::string package;   // the app's, unless the window belongs to another package
  std::string title;
  std::string window{};          // the window's title; empty: it is the activity's own window
  bool turns = false;            // its app follows the display to landscape
  bool keyboard_covers = false;  // the window keeps its size when the keyboard lies over it
  ScreenKind kind = ScreenKind::activity;
  NodeSpec root;
};

struct App {
  std::string package;
  std::string label;
  std::string version_name;
  int version_code = 1;
  bool system = false;
  bool installed = true;  // false: known, so that it can be installed
  std::string launch;     // screen name; empty: no launcher entry
  std::vector<std::pair<std::string, std::string>> uris;  // prefix -> screen name
  std::map<std::string, Screen, std::less<>> screens;
};

// One file's name (for messages) and its JSON text.
struct ScreenFile {
  std::string name;
  std::string text;
};

class ScreenSet {
 public:
  // All files together, templates visible in all of them; the first mistake is the error, its
  // message naming file, screen and key.
  static Result<ScreenSet> parse(const std::vector<ScreenFile>& files);
  // Every *.json of a directory on top of the bundled files; a package described again replaces
  // the bundled one.
  static Result<ScreenSet> load_directory(const std::string& path);

  [[nodiscard]] const App* find(std::string_view package) const;
  [[nodiscard]] const std::map<std::string, App, std::less<>>& apps() const { return apps_; }

 private:
  std::map<std::string, App, std::less<>> apps_;
};

// The files under screens/, as they were at build time.
const std::vector<ScreenFile>& bundled_screen_files();
// Parsed once; never fails (a test proves it).
std::shared_ptr<const ScreenSet> bundled_screens();

inline constexpr std::string_view kLauncherPackage = "com.google.android.apps.nexuslauncher";
inline constexpr std::string_view kSystemUiPackage = "com.android.systemui";

}  // namespace simdroid
