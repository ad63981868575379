#include "simdroid/ui/screen_set.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "simdroid/ui/geometry.hpp"

namespace simdroid {
namespace {

using nlohmann::json;

constexpr int kMaxDepth = 64;
constexpr int kMaxJsonDepth = 256;
constexpr int kMaxNodes = 20000;  // twice the largest screens that tests show
constexpr int kMaxRepeat = 200;
constexpr int kMaxDp = 4000;

using Templates = std::map<std::string, json, std::less<>>;

// The classes that come without a package in the files.
std::string full_class(const std::string& name) {
  static const std::map<std::string, std::string, std::less<>> packages{
      {"View", "android.view."},
      {"ViewGroup", "android.view."},
      {"WebView", "android.webkit."},
      {"RecyclerView", "androidx.recyclerview.widget."}};
  if (name.find('.') != std::string::npos) return name;
  const auto found = packages.find(name);
  return (found == packages.end() ? "android.widget." : found->second) + name;
}

int pixels(double dp) { return static_cast<int>(std::lround(dp * kScreenDensity / 160.0)); }

// Builds the node trees of one screen; the first mistake is kept and everything after it is moot.
class ScreenBuilder {
 public:
  ScreenBuilder(const Templates& templates, std::string package)
      : templates_(templates), package_(std::move(package)) {}

  NodeSpec build(const json& node, const json& arguments, int depth);
  [[nodiscard]] const std::string& mistake() const { return mistake_; }

 private:
  void append(std::vector<NodeSpec>& to, const json& node, const json& arguments, int depth);
  void append_children(NodeSpec& spec, const json& children, const json& arguments, int depth);
  void set_defaults(NodeSpec& spec);
  void set(NodeSpec& spec, const std::string& key, const json& value);
  void set_appearance(NodeSpec& spec, const std::string& key, const json& value);
  void set_flags(NodeSpec& spec, const std::string& words);
  [[nodiscard]] json filled(const json& value, const json& arguments) const;

  std::string text(const std::string& key, const json& value);
  int number(const std::string& key, const json& value, int low, int high);
  int length(const std::string& key, const json& value);
  std::uint32_t colour(const std::string& key, const json& value);
  void wrong(const std::string& what) {
    if (mistake_.empty()) mistake_ = what;
  }

  const Templates& templates_;
  std::string package_;
  std::string mistake_;
  int nodes_ = 0;
};

// "$name" is the argument itself, "{i}" inside a string the turn of a repetition.
json ScreenBuilder::filled(const json& value, const json& arguments) const {
  if (value.is_string()) {
    auto word = value.get<std::string>();
    if (word.size() > 1 && word[0] == '$') return arguments.value(word.substr(1), json());
    const auto turn = arguments.find("i");
    if (turn == arguments.end() || !turn->is_number_integer()) return word;
    for (std::size_t at; (at = word.find("{i}")) != std::string::npos;) {
      word.replace(at, 3, std::to_string(turn->get<int>()));
    }
    return word;
  }
  if (!value.is_structured()) return value;
  json copy = value;
  for (json& part : copy) part = filled(part, arguments);
  return copy;
}

NodeSpec ScreenBuilder::build(const json& node, const json& arguments, int depth) {
  NodeSpec spec;
  if (!node.is_object()) wrong("a node must be an object");
  if (depth > kMaxDepth) wrong("nodes or templates are nested too deeply");
  if (++nodes_ > kMaxNodes) wrong("too many nodes");
  if (!mistake_.empty()) return spec;

  if (const auto use = node.find("use"); use != node.end()) {
    const auto found = templates_.find(use->is_string() ? use->get<std::string>() : "");
    if (found == templates_.end()) {
      wrong("unknown template " + use->dump());
      return spec;
    }
    json inner = filled(node, arguments);
    if (arguments.contains("i") && !inner.contains("i")) inner["i"] = arguments["i"];
    spec = build(found->second, inner, depth + 1);
    for (const char* key : {"after_ms", "until_ms", "filter", "when"}) {
      if (inner.contains(key)) set(spec, key, inner[key]);
    }
    return spec;
  }
  spec.number = nodes_;
  spec.class_name = full_class(text("class", node.value("class", json("FrameLayout"))));
  set_defaults(spec);
  for (const auto& [key, value] : node.items()) {
    if (key == "children" || key == "class" || key == "if" || key == "repeat") continue;
    const json argument = filled(value, arguments);
    if (!argument.is_null()) set(spec, key, argument);
  }
  if (node.contains("children")) append_children(spec, node["children"], arguments, depth);
  return spec;
}

void ScreenBuilder::append_children(NodeSpec& spec, const json& children, const json& arguments,
                                    int depth) {
  // Children handed to a template are complete already: their own arguments were filled in.
  const bool argument = children.is_string();
  const json list = argument ? filled(children, arguments) : children;
  if (list.is_null()) return;
  if (!list.is_array()) return wrong("children must be a list");
  for (const json& child : list) append(spec.children, child, arguments, depth + 1);
}

void ScreenBuilder::append(std::vector<NodeSpec>& to, const json& node, const json& arguments,
                           int depth) {
  if (!mistake_.empty()) return;
  if (!node.is_object()) return wrong("a node must be an object");
  if (const auto condition = node.find("if"); condition != node.end()) {
    const json value = filled(*condition, arguments);
    if (value.is_null() || value == "" || value == false) return;
  }
  const auto repeat = node.find("repeat");
  if (repeat == node.end()) return to.push_back(build(node, arguments, depth));
  const int turns = number("repeat", *repeat, 0, kMaxRepeat);
  for (int turn = 1; turn <= turns && mistake_.empty(); ++turn) {
    json inner = arguments;
    inner["i"] = turn;
    to.push_back(build(node, inner, depth));
  }
}

void ScreenBuilder::set_defaults(NodeSpec& spec) {
  const std::string_view name =
      std::string_view(spec.class_name).substr(spec.class_name.rfind('.') + 1);
  const auto ends = [name](std::string_view tail) { return name.ends_with(tail); };
  spec.flow = name == "LinearLayout" || ends("RecyclerView") || ends("ScrollView") ||
                      name == "RelativeLayout" || name == "WebView"
                  ? Flow::column
                  : Flow::stack;
  spec.scrollable = ends("RecyclerView") || ends("ScrollView");
  if (name == "HorizontalScrollView") spec.flow = Flow::row, spec.horizontal = true;
  spec.editable = ends("EditText");
  spec.checkable = name == "Switch" || name == "CheckBox" || name == "RadioButton";
  spec.clickable = spec.editable || ends("Button") || spec.checkable;
  spec.long_clickable = spec.editable;
  spec.focusable = spec.clickable || spec.scrollable;
  if (ends("TextView") || ends("EditText") || name == "Button" || spec.checkable) {
    spec.text_scale = 4;
    spec.width = spec.editable ? kFill : kWrap;
  }
  if (ends("EditText") || name == "Button") {
    const int side = pixels(12);
    for (int& pad : spec.padding) pad = side;
  }
  if (name == "ImageView") spec.width = spec.height = pixels(24);
  if (name == "ImageButton") spec.width = spec.height = pixels(48);
  if (name == "Switch") spec.width = pixels(52), spec.height = pixels(32), spec.text_scale = 0;
}

void ScreenBuilder::set(NodeSpec& spec, const std::string& key, const json& value) {
  using Member = std::string NodeSpec::*;
  static const std::map<std::string, Member, std::less<>> texts{
      {"text", &NodeSpec::text},        {"hint", &NodeSpec::hint},
      {"desc", &NodeSpec::description}, {"click", &NodeSpec::on_click},
      {"submit", &NodeSpec::on_submit}, {"long_click", &NodeSpec::on_long_click}};
  if (const auto member = texts.find(key); member != texts.end()) {
    spec.*member->second = text(key, value);
    if (key == "click" && !spec.on_click.empty()) spec.clickable = spec.focusable = true;
    if (key == "long_click" && !spec.on_long_click.empty()) spec.long_clickable = true;
  } else if (key == "id" || key == "filter") {
    const std::string id = text(key, value);
    (key == "id" ? spec.resource_id : spec.filter) =
        id.empty() || id.find(':') != std::string::npos ? id : package_ + ":id/" + id;
  } else if (key == "when") {
    spec.when = text(key, value);
  } else if (key == "flags") {
    set_flags(spec, text(key, value));
  } else if (key == "after_ms") {
    spec.appears_after_ms = number(key, value, 0, 3600000);
  } else if (key == "until_ms") {
    spec.disappears_after_ms = number(key, value, 0, 3600000);
  } else {
    set_appearance(spec, key, value);
  }
}

void ScreenBuilder::set_appearance(NodeSpec& spec, const std::string& key, const json& value) {
  if (key == "flow") {
    const std::string word = text(key, value);
    if (word != "row" && word != "column" && word != "stack") wrong("unknown flow " + word);
    spec.flow = word == "row" ? Flow::row : word == "column" ? Flow::column : Flow::stack;
    spec.horizontal = spec.scrollable && spec.flow == Flow::row;
  } else if (key == "align") {
    const std::string word = text(key, value);
    if (word != "start" && word != "centre" && word != "end") wrong("unknown align " + word);
    spec.align = word == "centre" ? Align::centre : word == "end" ? Align::end : Align::start;
  } else if (key == "unseen") {
    const std::string word = text(key, value);
    if (word != "none" && word != "clipped" && word != "placed") wrong("unknown unseen " + word);
    spec.unseen = word == "clipped"  ? Unseen::clipped
                  : word == "placed" ? Unseen::placed
                                     : Unseen::none;
  } else if (key == "w") {
    spec.width = length(key, value);
  } else if (key == "h") {
    spec.height = length(key, value);
  } else if (key == "weight") {
    spec.weight = number(key, value, 0, 1000);
  } else if (key == "pad") {
    const bool list = value.is_array() && value.size() == 4;
    if (!list && !value.is_number()) return wrong("pad must be one number or four");
    for (std::size_t i = 0; i < 4; ++i) {
      spec.padding[i] = pixels(number(key, list ? value[i] : value, 0, kMaxDp));
    }
  } else if (key == "size") {
    spec.text_scale = number(key, value, 0, 40);
  } else if (key == "colour") {
    spec.colour = colour(key, value);
  } else if (key == "text_colour") {
    spec.text_colour = colour(key, value);
  } else {
    wrong("unknown key " + key);
  }
}

void ScreenBuilder::set_flags(NodeSpec& spec, const std::string& words) {
  static const std::map<std::string, bool NodeSpec::*, std::less<>> flags{
      {"clickable", &NodeSpec::clickable}, {"long-clickable", &NodeSpec::long_clickable},
      {"focusable", &NodeSpec::focusable}, {"scrollable", &NodeSpec::scrollable},
      {"checkable", &NodeSpec::checkable}, {"checked", &NodeSpec::checked},
      {"editable", &NodeSpec::editable},   {"password", &NodeSpec::password},
      {"enabled", &NodeSpec::enabled},     {"selected", &NodeSpec::selected}};
  for (std::size_t from = 0; from < words.size();) {
    const std::size_t end = std::min(words.find(' ', from), words.size());
    std::string word = words.substr(from, end - from);
    from = end + 1;
    const bool negated = word.starts_with('!');
    if (negated) word.erase(0, 1);
    const auto flag = flags.find(word);
    if (flag == flags.end()) return wrong("unknown flag " + word);
    spec.*flag->second = !negated;
  }
  spec.horizontal = spec.scrollable && spec.flow == Flow::row;
}

std::string ScreenBuilder::text(const std::string& key, const json& value) {
  if (value.is_string()) return value.get<std::string>();
  wrong(key + " must be a string");
  return {};
}

int ScreenBuilder::number(const std::string& key, const json& value, int low, int high) {
  const double wanted = value.is_number() ? value.get<double>() : low - 1.0;
  if (wanted >= low && wanted <= high) return static_cast<int>(wanted);
  wrong(key + " must be a number from " + std::to_string(low) + " to " + std::to_string(high));
  return low;
}

int ScreenBuilder::length(const std::string& key, const json& value) {
  if (value == "fill") return kFill;
  if (value == "wrap") return kWrap;
  return pixels(number(key, value, 0, kMaxDp));
}

// #RRGGBB or #RRGGBBAA
std::uint32_t ScreenBuilder::colour(const std::string& key, const json& value) {
  const std::string word = text(key, value);
  std::uint32_t rgba = 0;
  const bool shaped = (word.size() == 7 || word.size() == 9) && word[0] == '#';
  const auto end = word.data() + word.size();
  if (!shaped || std::from_chars(word.data() + 1, end, rgba, 16).ptr != end) {
    wrong(key + " must be #RRGGBB or #RRGGBBAA");
  }
  return word.size() == 7 ? rgba << 8 | 0xff : rgba;
}

std::string word_of(const json& object, const char* key, const std::string& fallback = {}) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : fallback;
}

Result<Screen> parse_screen(const App& app, const std::string& name, const json& value,
                            const Templates& templates) {
  Screen screen;
  screen.name = name;
  if (!value.is_object() || !value.contains("root")) {
    return fail(errc::invalid_argument, "screen " + name + " has no root");
  }
  screen.package = word_of(value, "package", app.package);
  screen.activity = word_of(value, "activity", "." + name);
  if (screen.activity.starts_with('.')) screen.activity = app.package + screen.activity;
  screen.title = word_of(value, "title", app.label);
  screen.window = word_of(value, "window");
  screen.turns = value.value("turns", json(false)) == true;
  screen.keyboard_covers = word_of(value, "keyboard") == "covers";
  const std::string kind = word_of(value, "kind", "activity");
  if (kind != "activity" && kind != "dialog" && kind != "overlay") {
    return fail(errc::invalid_argument, "screen " + name + ": unknown kind " + kind);
  }
  screen.kind = kind == "dialog"    ? ScreenKind::dialog
                : kind == "overlay" ? ScreenKind::overlay
                                    : ScreenKind::activity;
  ScreenBuilder builder(templates, screen.package);
  screen.root = builder.build(value["root"], json::object(), 0);
  if (!builder.mistake().empty()) {
    return fail(errc::invalid_argument, "screen " + name + ": " + builder.mistake());
  }
  return screen;
}

Result<App> parse_app(const json& file, const Templates& templates) {
  App app;
  app.package = word_of(file, "package");
  if (app.package.empty()) return fail(errc::invalid_argument, "package must be a string");
  app.label = word_of(file, "label", app.package);
  app.version_name = word_of(file, "versionName", "1.0");
  const json code = file.value("versionCode", json(1));
  if (code.is_number_integer()) app.version_code = code.get<int>();
  app.system = file.value("system", json(false)) == true;
  app.installed = file.value("installed", json(true)) == true;
  app.launch = word_of(file, "launch");
  const json screens = file.value("screens", json::object());
  if (!screens.is_object()) return fail(errc::invalid_argument, "screens must be an object");
  for (const auto& [name, value] : screens.items()) {
    TRY(Screen screen, parse_screen(app, name, value, templates));
    app.screens.emplace(name, std::move(screen));
  }
  const json uris = file.value("uris", json::object());
  for (const auto& [prefix, screen] : uris.items()) {
    if (!screen.is_string() || !app.screens.contains(screen.get<std::string>())) {
      return fail(errc::invalid_argument, "uris: no screen for " + prefix);
    }
    app.uris.emplace_back(prefix, screen.get<std::string>());
  }
  if (!app.launch.empty() && !app.screens.contains(app.launch)) {
    return fail(errc::invalid_argument, "launch: no screen " + app.launch);
  }
  return app;
}

}  // namespace

Result<ScreenSet> ScreenSet::parse(const std::vector<ScreenFile>& files) {
  std::vector<std::pair<std::string, json>> parsed;
  Templates templates;
  for (const ScreenFile& file : files) {
    bool too_deep = false;
    const auto shallow = [&too_deep](int depth, json::parse_event_t, json&) {
      too_deep = too_deep || depth > kMaxJsonDepth;
      return !too_deep;
    };
    json value = json::parse(file.text, shallow, false, true);
    if (too_deep) return fail(errc::limit, file.name + ": JSON is nested too deeply");
    if (!value.is_object()) {
      return fail(errc::invalid_argument, file.name + ": not a JSON object");
    }
    if (const auto own = value.find("templates"); own != value.end() && own->is_object()) {
      for (const auto& [name, node] : own->items()) templates[name] = node;
    }
    parsed.emplace_back(file.name, std::move(value));
  }
  ScreenSet set;
  for (const auto& [name, value] : parsed) {
    if (!value.contains("package")) continue;
    auto app = parse_app(value, templates);
    if (!app) return fail(app.error().code(), name + ": " + app.error().message());
    const std::string package = app->package;
    set.apps_[package] = *std::move(app);
  }
  return set;
}

}  // namespace simdroid
