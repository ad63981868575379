#pragma once
// Times and events in words, for the page. Plain text: whoever puts it into HTML escapes it.

#include <string>

#include "runtime/host/recording/recording.hpp"

namespace clawperator {

// "0.4 s", "1 min 05 s", "2 h 03 min"; a negative span begins with "-".
std::string span_in_words(double milliseconds);

// "2026-01-01 00:00:00 UTC"; the number itself where there is no such day.
std::string time_in_words(double epoch_ms);

// "Click “Wi-Fi”", "Scroll #list to 0, 1200 of 0, 4000", ... `inside` is what the screen shows
// within a touched node that has no text of its own.
std::string event_in_words(const RecordedEvent& event, bool opens_app,
                           const std::string& inside = {});

}  // namespace clawperator
