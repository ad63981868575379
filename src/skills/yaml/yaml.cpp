#include "skills/yaml/yaml.hpp"

#include <libfyaml.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "base/loaded_library.hpp"
#include "base/number.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"

// clang-format off
#define CLAWPERATOR_LIBFYAML(X)                                                             \
  X(fy_diag_create) X(fy_diag_destroy) X(fy_diag_set_collect_errors) X(fy_diag_errors_iterate) \
  X(fy_document_build_from_string) X(fy_document_destroy) X(fy_document_root)               \
  X(fy_node_get_type) X(fy_node_get_style) X(fy_node_get_tag) X(fy_node_get_scalar)         \
  X(fy_node_resolve_alias) X(fy_node_mapping_iterate) X(fy_node_pair_key)                   \
  X(fy_node_pair_value) X(fy_node_sequence_iterate) X(fy_node_get_scalar_token)             \
  X(fy_token_start_mark)
// clang-format on

namespace clawperator {
namespace {

CLAWPERATOR_LIBFYAML(LOADED_DEFINE)

constexpr std::size_t kMaxDepth = 64;  // frontmatter nests about five deep; the converter recurses
constexpr std::size_t kMaxNodes = 10'000;     // including the expansion of aliases
constexpr std::size_t kMaxScalars = 1 << 20;  // bytes of all texts, also with aliases

Result<void> bind_fyaml() {
  LoadedLibrary library("libfyaml.so.0");
  CLAWPERATOR_LIBFYAML(LOADED_BIND)
  return library.complete("libfyaml0");
}

Result<void> load_fyaml() {
  static const Result<void> kLoaded = bind_fyaml();
  return kLoaded;
}

using Document = std::unique_ptr<fy_document, void (*)(fy_document*)>;
using Diagnostics = std::unique_ptr<fy_diag, void (*)(fy_diag*)>;

Diagnostics make_diagnostics() {
  fy_diag_cfg settings{};
  settings.level = FYET_ERROR;
  settings.module_mask = ~0U;
  Diagnostics made(fy_diag_create(&settings), fy_diag_destroy);
  if (made) fy_diag_set_collect_errors(made.get(), true);
  return made;
}

std::unexpected<YamlFault> fault(Errc code, std::string message, TextPlace place) {
  return std::unexpected(YamlFault{Error(code, std::move(message)), place});
}

std::unexpected<YamlFault> complaint(fy_diag* diagnostics, std::size_t first_line) {
  void* at = nullptr;
  const fy_diag_error* error = fy_diag_errors_iterate(diagnostics, &at);
  if (error == nullptr || error->msg == nullptr) {
    return fault(errc::protocol, "no YAML", {.line = first_line});
  }
  const auto line = static_cast<std::size_t>(std::max(error->line, 1)) - 1 + first_line;
  const auto column = static_cast<std::size_t>(std::max(error->column, 1));
  return fault(errc::protocol, harmless_text(error->msg, "?"), {line, column});
}

std::string_view view_of(const char* text, std::size_t length) {
  return text == nullptr ? std::string_view() : std::string_view(text, length);
}

bool is_number_start(std::string_view text) {
  return !text.empty() && (is_digit(text[0]) || std::string_view("+-.").contains(text[0]));
}

// 12, +3, 0o17, 0x1F, 1.5, -.5e3, .inf, .nan; absent for anything else.
std::optional<double> number_of(std::string_view text) {
  if (!is_number_start(text)) return std::nullopt;
  const bool is_negative = text[0] == '-';
  std::string_view digits = text.substr(is_negative || text[0] == '+' ? 1 : 0);
  const std::string lower = ascii_lower(digits);
  const double sign = is_negative ? -1 : 1;
  if (lower == ".inf" && (digits == ".inf" || digits == ".Inf" || digits == ".INF")) {
    return sign * std::numeric_limits<double>::infinity();
  }
  if (text == ".nan" || text == ".NaN" || text == ".NAN") {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const int base = text.starts_with("0x") ? 16 : text.starts_with("0o") ? 8 : 10;
  if (base != 10) {
    const auto whole = whole_number<std::uint64_t>(text.substr(2), base);
    return whole ? std::optional(static_cast<double>(*whole)) : std::nullopt;
  }
  if (digits.find_first_not_of("0123456789.eE+-") != digits.npos) return std::nullopt;
  if (digits.find_first_of("0123456789") == digits.npos) return std::nullopt;
  if (digits[0] != '.' && !is_digit(digits[0])) return std::nullopt;
  const auto exponent = digits.find_first_of("eE");
  std::string spelled(digits);
  if (exponent != digits.npos && digits.substr(exponent + 1).starts_with('+')) {
    spelled.erase(exponent + 1, 1);
  }
  double value = 0;
  const auto [end, error] = std::from_chars(spelled.data(), spelled.data() + spelled.size(), value);
  if (end != spelled.data() + spelled.size()) return std::nullopt;
  if (error != std::errc()) value = std::numeric_limits<double>::infinity();
  return sign * value;
}

Json plain_scalar(std::string_view text) {
  if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL") {
    return nullptr;
  }
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "False" || text == "FALSE") return false;
  if (const auto number = number_of(text)) return *number;
  return std::string(text);
}

enum class Aliases : std::uint8_t { followed, refused };

class Converter {
 public:
  Converter(Aliases aliases, std::size_t first_line)
      : aliases_(aliases), first_line_(first_line), place_{.line = first_line} {}

  // `places` has the place of the name, or of what is around it, until the value's own is known.
  std::expected<Json, YamlFault> json_of(fy_node* node, std::size_t depth, YamlPlaces* places) {
    find_place(node, places);
    if (depth > kMaxDepth || ++nodes_ > kMaxNodes) return wrong(errc::limit, "too much YAML");
    if (node == nullptr) return Json(nullptr);
    if (fy_node_get_style(node) == FYNS_ALIAS) {
      if (aliases_ == Aliases::refused) return wrong(errc::protocol, "an alias (*) is not allowed");
      fy_node* meant = fy_node_resolve_alias(node);
      if (meant == nullptr) return wrong(errc::protocol, "an alias of nothing, or of itself");
      return json_of(meant, depth + 1, places);
    }
    switch (fy_node_get_type(node)) {
      case FYNT_SEQUENCE: return array_of(node, depth, places);
      case FYNT_MAPPING: return object_of(node, depth, places);
      case FYNT_SCALAR: break;
    }
    return scalar_of(node);
  }

 private:
  std::unexpected<YamlFault> wrong(Errc code, std::string message) const {
    return fault(code, std::move(message), place_);
  }

  // Only scalars have a token; a list or a mapping begins with its first part.
  void find_place(fy_node* node, YamlPlaces* places) {
    fy_token* token = node == nullptr ? nullptr : fy_node_get_scalar_token(node);
    const fy_mark* mark = token == nullptr ? nullptr : fy_token_start_mark(token);
    if (mark != nullptr) {
      // The token of a quoted text begins behind its quote, that of an alias behind its star.
      const fy_node_style style = fy_node_get_style(node);
      const bool is_behind =
          style == FYNS_DOUBLE_QUOTED || style == FYNS_SINGLE_QUOTED || style == FYNS_ALIAS;
      place_ = {first_line_ + static_cast<std::size_t>(mark->line),
                static_cast<std::size_t>(mark->column) + (is_behind ? 0 : 1)};
    }
    *places = {.name = place_, .value = place_};
  }

  std::expected<Json, YamlFault> scalar_of(fy_node* node) {
    std::size_t length = 0;
    const char* scalar = fy_node_get_scalar(node, &length);
    const std::string text(view_of(scalar, length));
    bytes_ += text.size();
    if (bytes_ > kMaxScalars) return wrong(errc::limit, "too much YAML");
    const char* tag = fy_node_get_tag(node, &length);
    const bool is_text = view_of(tag, length) == "tag:yaml.org,2002:str";
    if (is_text || fy_node_get_style(node) != FYNS_PLAIN) return Json(text);
    return plain_scalar(text);
  }

  std::expected<Json, YamlFault> array_of(fy_node* node, std::size_t depth, YamlPlaces* places) {
    Json array = Json::array();
    void* at = nullptr;
    while (fy_node* item = fy_node_sequence_iterate(node, &at)) {
      TRY(Json element, json_of(item, depth + 1, &places->inside.emplace_back()));
      array.push_back(std::move(element));
    }
    if (!places->inside.empty()) places->value = places->inside.front().name;
    return array;
  }

  std::expected<Json, YamlFault> object_of(fy_node* node, std::size_t depth, YamlPlaces* places) {
    Json object = Json::object();
    auto& members = object.get_ref<Json::object_t&>();
    std::unordered_set<std::string> names;
    void* at = nullptr;
    while (fy_node_pair* pair = fy_node_mapping_iterate(node, &at)) {
      YamlPlaces name_place;
      TRY(const Json key, json_of(fy_node_pair_key(pair), depth + 1, &name_place));
      const TextPlace name_at = place_ = name_place.value;
      const std::string* text = string_value(&key);
      std::string name = text ? *text : write_json(key);
      if (!names.insert(name).second) {
        return wrong(errc::protocol, "map keys must be unique: " + name);
      }
      YamlPlaces* value_places = &places->inside.emplace_back();
      TRY(Json value, json_of(fy_node_pair_value(pair), depth + 1, value_places));
      value_places->name = name_at;
      members.emplace_back(std::move(name), std::move(value));
    }
    if (!places->inside.empty()) places->value = places->inside.front().name;
    return object;
  }

  Aliases aliases_;
  std::size_t first_line_;
  TextPlace place_;  // of the scalar that was read last
  std::size_t nodes_ = 0;
  std::size_t bytes_ = 0;
};

std::expected<Json, YamlFault> read_document(std::string_view text, Aliases aliases,
                                             std::size_t first_line, YamlPlaces* places) {
  const TextPlace start{.line = first_line};
  if (text.size() > kMaxYaml) return fault(errc::limit, "over 64 KiB of YAML", start);
  if (text.contains('\0')) return fault(errc::protocol, "a NUL in YAML", start);
  if (auto loaded = load_fyaml(); !loaded) return std::unexpected(YamlFault{loaded.error(), start});
  const std::string valid = valid_utf8(text);
  // Kept until it has an error: making one takes as long as a small document.
  static thread_local Diagnostics diagnostics(nullptr, fy_diag_destroy);
  if (!diagnostics) diagnostics = make_diagnostics();
  if (!diagnostics) return fault(errc::limit, "no memory for YAML", start);
  fy_parse_cfg config{};
  config.flags = static_cast<fy_parse_cfg_flags>(
      FYPCF_QUIET | FYPCF_COLLECT_DIAG | FYPCF_SLOPPY_FLOW_INDENTATION | FYPCF_DEFAULT_VERSION_1_2 |
      FYPCF_ALLOW_DUPLICATE_KEYS);  // libfyaml's own check is slow; we check afterwards
  config.diag = diagnostics.get();
  const Document document(fy_document_build_from_string(&config, valid.data(), valid.size()),
                          fy_document_destroy);
  if (!document) {
    const Diagnostics failed = std::exchange(diagnostics, Diagnostics(nullptr, fy_diag_destroy));
    return complaint(failed.get(), first_line);
  }
  return Converter(aliases, first_line).json_of(fy_document_root(document.get()), 0, places);
}

}  // namespace

Result<Json> read_yaml(std::string_view text) {
  constexpr std::size_t kBehindDashes = 2;
  YamlPlaces places;
  auto read = read_document(text, Aliases::followed, kBehindDashes, &places);
  if (read) return *std::move(read);
  const auto& [error, place] = read.error();
  if (error.code() != errc::protocol) return std::unexpected(error);
  return fail(errc::protocol, "line " + std::to_string(place.line) + ", column " +
                                  std::to_string(place.column) + ": " + error.message());
}

std::expected<Json, YamlFault> read_placed_yaml(std::string_view text, std::size_t first_line,
                                                YamlPlaces* places) {
  return read_document(text, Aliases::refused, first_line, places);
}

}  // namespace clawperator
