#include "skills/hub/fingerprint.hpp"

#include <algorithm>
#include <array>

#include "adbproto/crypto/sha256.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"

namespace clawperator::hub {
namespace {

constexpr std::string_view kOrder =
    "\t\n\v\f\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789abcdefghijklmnopqrstuvwxyz";
constexpr int kIgnored = -1;

// How far from the start each byte stands.
constexpr auto kPrimary = [] {
  std::array<int, 256> weights{};
  for (std::size_t byte = 0; byte < weights.size(); ++byte) {
    weights[byte] = byte < 0x80 ? kIgnored : static_cast<int>(byte);
  }
  for (std::size_t at = 0; at < kOrder.size(); ++at) {
    const auto byte = static_cast<unsigned char>(kOrder[at]);
    weights[byte] = static_cast<int>(at);
    if (byte >= 'a' && byte <= 'z') weights[byte - std::size_t{'a' - 'A'}] = static_cast<int>(at);
  }
  return weights;
}();
static_assert(kOrder.size() < 0x80);

int weight(char c) { return kPrimary[static_cast<unsigned char>(c)]; }

// The next character that counts, from `*at` on.
bool next_weight(std::string_view text, std::size_t* at, int* found) {
  for (; *at < text.size(); ++*at) {
    *found = weight(text[*at]);
    if (*found != kIgnored) return true;
  }
  return false;
}

int compare_primary(std::string_view a, std::string_view b) {
  std::size_t in_a = 0;
  std::size_t in_b = 0;
  for (;; ++in_a, ++in_b) {
    int left = 0;
    int right = 0;
    const bool more_a = next_weight(a, &in_a, &left);
    const bool more_b = next_weight(b, &in_b, &right);
    if (!more_a || !more_b) return static_cast<int>(more_a) - static_cast<int>(more_b);
    if (left != right) return left - right;
  }
}

// Where the primaries are the same; lower case is smaller.
int compare_case(std::string_view a, std::string_view b) {
  std::size_t in_a = 0;
  std::size_t in_b = 0;
  int ignored = 0;
  for (; next_weight(a, &in_a, &ignored) && next_weight(b, &in_b, &ignored); ++in_a, ++in_b) {
    if (a[in_a] != b[in_b]) return lower_char(a[in_a]) == a[in_a] ? -1 : 1;
  }
  return 0;
}

std::string hex_sha256(std::string_view text) {
  adbproto::Sha256 hash;
  hash.update(std::as_bytes(std::span(text)));
  return hash.finish();
}

constexpr std::string_view kTextExtensions =
    " md mdx txt json json5 yaml yml toml js cjs mjs ts tsx jsx py sh rb go rs swift kt java cs "
    "cpp "
    "c h hpp sql csv ini cfg env xml html css scss sass svg ";

}  // namespace

int compare_paths(std::string_view a, std::string_view b) {
  if (const int order = compare_primary(a, b); order != 0) return order;
  if (const int order = compare_case(a, b); order != 0) return order;
  return a.compare(b);
}

void sort_by_path(std::vector<HashedFile>* files) {
  std::ranges::sort(*files, [](const HashedFile& a, const HashedFile& b) {
    return compare_paths(a.path, b.path) < 0;
  });
}

std::string fingerprint_of(std::vector<HashedFile> files) {
  for (HashedFile& file : files) file.path = valid_utf8(file.path);
  sort_by_path(&files);
  std::string lines;
  for (const HashedFile& file : files) {
    if (file.path.empty()) continue;
    if (!lines.empty()) lines += '\n';
    lines += file.path + ":" + file.sha256;
  }
  return hex_sha256(lines);
}

bool is_text_path(std::string_view path) {
  const std::string ending = ascii_lower(path.substr(path.rfind('.') + 1));
  return !ending.empty() && ending.find(' ') == ending.npos &&
         kTextExtensions.contains(" " + ending + " ");
}

}  // namespace clawperator::hub
