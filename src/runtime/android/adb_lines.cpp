#include "runtime/android/adb_lines.hpp"

namespace clawperator {

std::string quote_as_adb(std::string_view word) {
  std::string out = "'";
  for (const char c : word) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + '\'';
}

std::string adb_logcat_line(std::string_view tags, std::span<const std::string> words) {
  std::string line = "export ANDROID_LOG_TAGS=\"" + quote_as_adb(tags) + "\"; exec logcat";
  for (const std::string& word : words) line += " " + quote_as_adb(word);
  return line;
}

std::string bugreport_version_line() { return "bugreportz -v"; }

std::string bugreport_line(BugreportForm form) {
  switch (form) {
    case BugreportForm::text: return "bugreport";
    case BugreportForm::zip: return "bugreportz";
    case BugreportForm::zip_with_progress: return "bugreportz -p";
    default: return "bugreportz -s";
  }
}

}  // namespace clawperator
