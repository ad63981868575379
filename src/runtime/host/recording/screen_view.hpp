#pragma once
// One observed screen in the page: drawn from its tree, or photographed; and the tree as text. What
// was touched stands out in both.

#include <optional>
#include <string>

#include "runtime/host/recording/export_json.hpp"

namespace clawperator {

// The node that a click event speaks of: same bounds, then as much else as agrees; kNoNode if none.
std::size_t find_touched(const UiTree& tree, const RecordedEvent& event);

// The first text or description of the node and what is in it; empty when there is none.
std::string text_within(const UiTree& tree, std::size_t node);

// SVG, of device pixels. Empty when there is neither a picture nor a tree with an area.
std::string screen_svg(const UiTree* tree, const RecordedPicture* picture,
                       const std::optional<Bounds>& touched);

// The lines of to_pretty() as HTML for a <pre>, the node `touched` marked.
std::string tree_html(const UiTree& tree, std::size_t touched);

}  // namespace clawperator
