#pragma once
// The files of web/dist, as embed.cmake makes them part of this program.

#include <string_view>

namespace clawperator::serve {

extern const std::string_view kPageHtml;
extern const std::string_view kPageScriptGzip;
extern const std::string_view kPageStyleGzip;
extern const std::string_view kPageIcon;

}  // namespace clawperator::serve
