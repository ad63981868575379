#pragma once
// The pieces of the page: foreign text in it, which stays text whatever it says; times and events
// in words; the screens; and its frame and style.

#include "runtime/host/recording/export_json.hpp"

namespace clawperator {

// For content and for attribute values in double quotes. What is not harmless_text (base/utf8.hpp)
// becomes U+FFFD.
std::string escape_html(std::string_view text);

struct Place {
  std::string_view name;
  std::string_view content;  // HTML
};

// `frame` with each {{name}} replaced; content is not looked at again. Unknown names become empty.
std::string fill_places(std::string_view frame, std::span<const Place> places);

// From web/recording, by embed.cmake.
extern const std::string_view kPageFrame;      // with {{places}} to fill
extern const std::string_view kPageStyle;      // what stands between <style> and </style>
extern const std::string_view kPageStyleHash;  // "sha256-..."

// Times and events in plain text: whoever puts it into HTML escapes it.

// "0.4 s", "1 min 05 s", "2 h 03 min"; a negative span begins with "-".
std::string span_in_words(double milliseconds);

// "2026-01-01 00:00:00 UTC"; the number itself where there is no such day.
std::string time_in_words(double epoch_ms);

// "Click “Wi-Fi”", "Scroll #list to 0, 1200 of 0, 4000", ... `inside` is what the screen shows
// within a touched node that has no text of its own.
std::string event_in_words(const RecordedEvent& event, bool opens_app,
                           const std::string& inside = {});

// One observed screen in the page: drawn from its tree, or photographed; and the tree as text. What
// was touched stands out in both.

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
