#include "runtime/host/recording/recording_files.hpp"

#include <algorithm>

#include "adbproto/wire/base64.hpp"
#include "adbproto/wire/screencap.hpp"
#include "base/files.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/js_string.hpp"
#include "runtime/contract/json_text.hpp"
#include "runtime/device/environment.hpp"

namespace clawperator {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".ndjson";
constexpr std::size_t kMaxPicture = std::size_t{16} << 20;
constexpr std::size_t kMaxPictures = std::size_t{128} << 20;  // all of them

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

std::vector<fs::path> recordings_in(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (entry->path().extension() == kEnding && is_file(entry->path())) found.push_back(*entry);
  }
  std::ranges::sort(found);
  return found;
}

Result<RecordedPicture> read_picture(const fs::path& path, double seq) {
  TRY(const std::string bytes, read_file(path, kMaxPicture));
  adbproto::PngChecker check;
  check.feed(as_bytes(bytes));
  TRY_VOID(check.finish());
  return RecordedPicture{seq, path.filename().string(), check.width(), check.height(),
                         adbproto::encode_base64(as_bytes(bytes))};
}

}  // namespace

Result<fs::path> find_recording(const fs::path& input) {
  std::error_code ignored;
  if (!fs::is_directory(input, ignored)) return input;
  if (const auto latest = read_file(input / "latest", 4096)) {
    const std::string id(trim_js(*latest));
    fs::path named = input / (id + std::string(kEnding));
    if (is_session_id(id) && is_file(named)) return named;
  }
  const auto found = recordings_in(input);
  if (found.size() == 1) return found.front();
  if (found.empty()) {
    return fail(errc::recording_export_failed, "There is no recording in " + input.string());
  }
  std::vector<std::string> names;
  names.reserve(found.size());
  for (const fs::path& path : found) names.push_back(path.filename().string());
  return fail(errc::recording_export_failed,
              "There are several recordings in " + input.string() + ": name one",
              JsonObject().object("details", JsonObject().strings("recordings", names)).str());
}

RecordedPictures read_pictures(const Recording& recording, const fs::path& recording_file) {
  RecordedPictures read;
  if (!is_session_id(recording.session_id)) return read;
  std::size_t total = 0;
  std::optional<double> last;  // two events may share a seq
  for (const RecordedEvent& event : recording.events) {
    if (std::exchange(last, event.seq) == event.seq) continue;
    const std::string name = recording.session_id + "-" + number_json(event.seq) + ".png";
    const fs::path path = recording_file.parent_path() / name;
    if (!is_file(path)) continue;
    auto picture = read_picture(path, event.seq);
    if (picture && total + picture->base64.size() <= kMaxPictures) {
      total += picture->base64.size();
      read.pictures.push_back(*std::move(picture));
      continue;
    }
    read.warnings.push_back(
        "screenshot " + name +
        " left out: " + (picture ? "all together they are too large" : picture.error().message()));
  }
  return read;
}

fs::path output_beside(const fs::path& recording_file, std::string_view ending) {
  fs::path output = recording_file;
  if (output.extension() == kEnding) output.replace_extension();
  output += ending;
  return output;
}

}  // namespace clawperator
