#pragma once
// A node in the results of the app 0.10 and newer.

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "simdroid/ui/view.hpp"

namespace simdroid {

// `view` lies in the tree of `root`. A path is the child numbers from the root, with dots.
nlohmann::ordered_json node_json(const View& root, const View& view);
// As one line of text.
std::string json_text(const nlohmann::ordered_json& json);

}  // namespace simdroid
