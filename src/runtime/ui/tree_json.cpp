#include "runtime/ui/tree_json.hpp"

#include <nlohmann/json.hpp>

namespace clawperator {

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string ref_text(int ref) { return '@' + std::to_string(ref); }

Json flags_json(const NodeFlags& flags) {
  Json json = Json::array();
  for (const auto& [attribute, flag] : node_flag_names())
    if (flag != &NodeFlags::enabled && flags.*flag) json.push_back(attribute);
  if (flags.editable) json.push_back("editable");
  if (!flags.enabled) json.push_back("disabled");
  return json;
}

Json bounds_json(const Bounds& bounds) {
  return {bounds.left, bounds.top, bounds.right, bounds.bottom};
}

Json node_json(const UiNode& node, int parent_ref, const std::string& package) {
  Json json;
  const auto put = [&](const char* key, const std::string& value) {
    if (!value.empty()) json[key] = value;
  };
  json["ref"] = ref_text(node.ref);
  if (parent_ref != 0) json["parent"] = ref_text(parent_ref);
  json["role"] = node.role;
  put("text", node.text);
  put("desc", node.description);
  put("hint", node.hint);
  put("id", node.resource_id);
  put("class", node.class_name);
  if (node.package != package) put("package", node.package);
  json["bounds"] = bounds_json(node.bounds);
  const Point centre = node.bounds.centre();
  json["center"] = {centre.x, centre.y};
  if (Json flags = flags_json(node.flags); !flags.empty()) json["flags"] = std::move(flags);
  return json;
}

namespace {

// Of the nearest interesting node around it; 0: there is none.
int ref_around(const UiTree& tree, std::size_t node) {
  std::size_t above = tree.nodes[node].parent;
  while (above != kNoNode && tree.nodes[above].ref == 0) above = tree.nodes[above].parent;
  return above == kNoNode ? 0 : tree.nodes[above].ref;
}

}  // namespace

std::string to_json(const UiTree& tree) {
  const std::string package = main_package(tree);
  Json json;
  json["hash"] = tree.hash;
  json["package"] = package;
  json["rotation"] = tree.rotation;
  Json& nodes = json["nodes"] = Json::array();
  for (const std::size_t node : tree.interesting)
    nodes.push_back(node_json(tree.nodes[node], ref_around(tree, node), package));
  return dumped(json);
}

}  // namespace clawperator
