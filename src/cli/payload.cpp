#include "cli/payload.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/file_handle.hpp"
#include "base/files.hpp"
#include "base/js_string.hpp"
#include "base/suggest.hpp"
#include "base/text.hpp"
#include "cli/argument_checks.hpp"
#include "runtime/contract/errc.hpp"
#include "runtime/contract/secrets.hpp"
#include "runtime/ui/hierarchy.hpp"

namespace clawperator::cli {
namespace {

// Far above the 64000 bytes of an execution, to leave room for white space and escapes.
constexpr std::size_t kMaxPayloadText = std::size_t{4} << 20;

// The reference's form: ENOENT: no such file or directory, open 'plan.json'
std::unexpected<Error> unreadable(int reason, std::string_view call) {
  std::string text = std::strerror(reason);
  if (!text.empty()) text[0] = lower_char(text[0]);
  const char* name = strerrorname_np(reason);
  return validation_error(
      "Failed to read execution file: " + std::string(name ? name : "EUNKNOWN") + ": " + text +
      ", " + std::string(call));
}

Result<std::string> read_to_end(int fd) {
  std::string text;
  std::array<char, 16384> piece;
  for (;;) {
    const ssize_t got = ::read(fd, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return unreadable(errno, "read");
    if (got == 0) return text;
    text.append(piece.data(), static_cast<std::size_t>(got));
    if (text.size() > kMaxPayloadText) {
      return fail(errc::payload_too_large, "Payload exceeds 64000 bytes (got more than " +
                                               std::to_string(kMaxPayloadText) + ")");
    }
  }
}

Result<std::string> checked_file(std::string text) {
  if (const std::string fault = json_fault(text); !fault.empty()) {
    return validation_error("Invalid JSON content in execution file: " + masked_fault(fault, text));
  }
  return text;
}

// Skips every JSON event; derived classes override those that they need.
class Passer : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool key(string_t&) override { return true; }
  bool parse_error(std::size_t, const std::string&,
                   const nlohmann::json::exception& error) override {
    fault = error.what();
    return false;
  }

  std::string fault{};
};

// The parser's position: the current member of each open object, an empty name for each open array.
class TextFinder final : public Passer {
 public:
  bool start_object(std::size_t) override { return enter(Level{.name = {}, .is_array = false}); }
  bool start_array(std::size_t) override { return enter(Level{.name = {}, .is_array = true}); }
  bool end_object() override { return leave(); }
  bool end_array() override { return leave(); }
  bool key(string_t& name) override {
    path_.back().name = name.substr(0, kLongestName + 1);
    return true;
  }
  bool string(string_t& value) override {
    if (!found && is_wanted()) found = std::move(value);
    return true;
  }

  std::optional<std::string> found{};

 private:
  struct Level {
    std::string name;
    bool is_array;
  };
  static constexpr std::size_t kLongestName = 11;  // stepResults

  bool enter(Level level) {
    path_.push_back(std::move(level));
    return true;
  }
  bool leave() {
    path_.pop_back();
    return true;
  }
  [[nodiscard]] bool is_wanted() const {
    constexpr std::array<std::string_view, 5> kPath = {"envelope", "stepResults", "", "data",
                                                       "text"};
    if (path_.size() != kPath.size()) return false;
    for (std::size_t i = 0; i < kPath.size(); ++i) {
      if (path_[i].name != kPath[i] || path_[i].is_array != kPath[i].empty()) return false;
    }
    return true;
  }

  std::vector<Level> path_{};
};

// JSON around the XML escapes every quote.
constexpr std::size_t kMaxSinceFile = 2 * kMaxHierarchyBytes;

Result<UiTree> tree_of_file(const std::string& path, std::string text) {
  const auto start = text.find_first_not_of(" \t\r\n");
  if (start != text.npos && text[start] == '{') text = snapshot_text_in(text);
  auto tree = parse_hierarchy(text);
  if (tree) return tree;
  return fail(errc::file_unreadable,
              "--since: " + path + " contains neither hierarchy XML nor a snapshot result");
}

}  // namespace

Result<std::string> read_payload(std::string_view source) {
  const std::string_view trimmed = trim_js(source);
  if (trimmed == "-") {
    return read_to_end(STDIN_FILENO);
  }
  if (trimmed.starts_with('{')) return std::string(trimmed);
  const std::string path(trimmed);
  const FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0 && errno == ENOENT && trimmed.starts_with('[')) return std::string(trimmed);
  if (file.get() < 0) return unreadable(errno, "open '" + clipped(path) + "'");
  TRY(std::string text, read_to_end(file.get()));
  return checked_file(std::move(text));
}

std::string json_fault(std::string_view text) {
  Passer passer;
  if (nlohmann::json::sax_parse(text, &passer)) return {};
  const auto end = passer.fault.find("] ");
  return end == passer.fault.npos ? passer.fault : passer.fault.substr(end + 2);
}

std::string snapshot_text_in(std::string_view json) {
  TextFinder finder;
  if (!nlohmann::json::sax_parse(json, &finder)) return {};
  return std::move(finder.found).value_or("");
}

Result<act::Since> read_since(const std::string& value, const act::SnapshotStore& store) {
  auto file = read_file(value, kMaxSinceFile);
  if (file) {
    TRY(auto tree, tree_of_file(value, *std::move(file)));
    return act::Since{std::move(tree)};
  }
  if (!act::is_tree_hash(value)) {
    return fail(errc::file_unreadable, "--since: " + file.error().message());
  }
  const auto xml = store.find(value);
  if (!xml) return act::Since{};
  TRY(auto tree, parse_hierarchy(*xml));
  return act::Since{std::move(tree)};
}

}  // namespace clawperator::cli
