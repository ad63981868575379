#include "simdroid/operator/node_json.hpp"

#include <nlohmann/json.hpp>

#include "simdroid/operator/matcher.hpp"

namespace simdroid {
namespace {

using Json = nlohmann::ordered_json;

std::string path_text(const std::vector<const View*>& path) {
  std::string text = "0";
  for (std::size_t i = 1; i < path.size(); ++i) {
    (text += '.') += std::to_string(path[i] - path[i - 1]->children.data());
  }
  return text;
}

Json bounds_json(const Rect& bounds) {
  return {{"left", static_cast<double>(bounds.left)},
          {"top", static_cast<double>(bounds.top)},
          {"right", static_cast<double>(bounds.right)},
          {"bottom", static_cast<double>(bounds.bottom)}};
}

}  // namespace

Json node_json(const View& root, const View& view) {
  auto path = path_to(root, &view);
  Json json{{"nodePath", path_text(path)}};
  path.pop_back();
  json["parentPath"] = path.empty() ? Json(nullptr) : Json(path_text(path));
  json["resourceId"] = view.spec->resource_id;
  json["className"] = view.spec->class_name;
  json["role"] = role_of(view);
  json["label"] = label_of(view);
  json["contentDescription"] = view.spec->description;
  json["bounds"] = bounds_json(view.reported);
  json["visibleToUser"] = view.visible;
  json["onScreen"] = true;  // the app finds no others
  json["enabled"] = view.spec->enabled;
  json["clickable"] = view.spec->clickable;
  json["checkable"] = view.spec->checkable;
  json["checked"] = view.checked;
  json["selected"] = view.spec->selected;
  json["scrollable"] = view.scrollable;
  json["accessibilityDataSensitive"] = false;
  return json;
}

std::string json_text(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace simdroid
