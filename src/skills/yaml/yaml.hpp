#pragma once
// YAML 1.2 (core schema) as JSON, by libfyaml, which is loaded with the first document. A name is
// always a text; a plain scalar that looks like null, true or a number is one. Duplicate names are
// an error.

#include "base/error.hpp"
#include "base/json_document.hpp"
#include "base/text_place.hpp"

namespace clawperator {

// Frontmatter takes a few KiB; libfyaml builds a tree of it.
inline constexpr std::size_t kMaxYaml = 64 << 10;

// `protocol`: "line 2, column 5: ...", counted in a file whose first line is `---`; `limit`: too
// large, too deep, or aliases that expand too far.
Result<Json> read_yaml(std::string_view text);

// Where the parts of a document are: a tree of its shape, the members and elements in order.
struct YamlPlaces {
  TextPlace name{};  // of a member; else as `value`
  TextPlace value{};
  std::vector<YamlPlaces> inside{};
};

struct YamlFault {
  Error error;
  TextPlace place{};
};

// For a document whose faults are reported at their places. `first_line`: the number of its first
// line. An alias is a fault.
std::expected<Json, YamlFault> read_placed_yaml(std::string_view text, std::size_t first_line,
                                                YamlPlaces* places);

}  // namespace clawperator
