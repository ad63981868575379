#pragma once
// What of a service's name may stand in a log or a trace.

#include <string>
#include <string_view>

namespace clawperator {

// Everything but the payload of a broadcast, a text that is typed, and a URI that is opened.
std::string redacted_service(std::string_view service);

}  // namespace clawperator
