#pragma once
// Inside the module only: pieces of JSON that tree_json.cpp and diff.cpp share.

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "runtime/ui/ui_tree.hpp"

namespace clawperator {

using Json = nlohmann::ordered_json;

// `parent_ref` 0: none. `package`: the screen's.
Json node_json(const UiNode& node, int parent_ref, const std::string& package);

// UTF-8 that is none becomes U+FFFD, so this never throws.
std::string dumped(const Json& json);

std::string ref_text(int ref);
Json flags_json(const NodeFlags& flags);
Json bounds_json(const Bounds& bounds);

}  // namespace clawperator
