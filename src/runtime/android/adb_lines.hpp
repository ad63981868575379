#pragma once
// Lines that `clawperator adb` sends on its own, the same as the real adb's.

#include <span>
#include <string>
#include <string_view>

namespace clawperator {

// In single quotes, as adb writes them: `it'\''s`.
std::string quote_as_adb(std::string_view word);

// `tags` is the host's ANDROID_LOG_TAGS; the double quotes around the quoted tags are adb's own.
std::string adb_logcat_line(std::string_view tags, std::span<const std::string> words);

// Android 7 and newer have bugreportz and tell its version on stderr.
std::string bugreport_version_line();
// text: of Android 6 and before; zip: bugreportz 1.0; zip_with_progress: 1.1; stream: 1.2.
enum class BugreportForm { text, zip, zip_with_progress, stream };
std::string bugreport_line(BugreportForm form);

}  // namespace clawperator
