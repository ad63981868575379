// The Markdown around the YAML.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "skills/phone/recipe/errc.hpp"
#include "skills/phone/recipe/recipe.hpp"

namespace clawperator::recipe {
namespace {

constexpr std::string_view kDashes = "---";

struct TextLine {
  std::string_view text{};      // without its end
  std::string_view and_rest{};  // of the file, from this line on
  std::size_t number = 0;       // from 1
};

// Reads lines, with LF or CR LF behind them.
class Lines {
 public:
  explicit Lines(std::string_view file) : rest_(file) {}

  std::optional<TextLine> next() {
    if (rest_.empty()) return std::nullopt;
    const std::string_view from = rest_;
    const auto end = rest_.find('\n');
    rest_ = end == rest_.npos ? std::string_view() : rest_.substr(end + 1);
    const std::string_view line = from.substr(0, end);
    return TextLine{line.ends_with('\r') ? line.substr(0, line.size() - 1) : line, from, ++number_};
  }

 private:
  std::string_view rest_;
  std::size_t number_ = 0;
};

// The text from the beginning of one line to that of another.
std::string_view between(const TextLine& first, const TextLine& end) {
  return first.and_rest.substr(0, first.and_rest.size() - end.and_rest.size());
}

// ``` or more, ~~~ or more: the mark of a fenced block, and the word behind it.
struct Fence {
  std::string_view mark{};
  std::string_view word{};
};
std::optional<Fence> fence_of(std::string_view line) {
  constexpr std::size_t kMostBlanks = 3;  // CommonMark: with four it is indented code
  const auto blanks = std::min(line.find_first_not_of(' '), line.size());
  line.remove_prefix(blanks);
  if (line.empty() || blanks > kMostBlanks || (line[0] != '`' && line[0] != '~')) {
    return std::nullopt;
  }
  const auto length = std::min(line.find_first_not_of(line[0]), line.size());
  if (length < 3) return std::nullopt;
  const std::string_view word = trimmed(line.substr(length));
  if (line[0] == '`' && word.contains('`')) return std::nullopt;  // code within a line
  return Fence{line.substr(0, length), word};
}

bool ends(const Fence& open, const Fence& fence) {
  return fence.word.empty() && fence.mark[0] == open.mark[0] &&
         fence.mark.size() >= open.mark.size();
}

class Parser {
 public:
  Parser(std::string_view file, Faults* faults) : lines_(file), faults_(faults) {}

  Recipe parse() {
    read_frontmatter();
    while (const auto line = lines_.next()) {
      if (const auto fence = fence_of(line->text)) {
        read_fenced(*line, *fence);
      } else if (line->text.starts_with("# ") || line->text.starts_with("## ")) {
        begin_section(*line);
      }
    }
    end_section();
    if (recipe_.steps.empty() && !has_steps_) {
      wrong(errc::recipe_step_block_invalid, {},
            "there is no `## Step` heading: a recipe has steps");
    }
    return std::move(recipe_);
  }

 private:
  void wrong(Errc code, TextPlace place, std::string message) {
    faults_->add(code, place, std::move(message));
  }

  void read_frontmatter() {
    const auto open = lines_.next();
    if (!open || open->text != kDashes) {
      return wrong(errc::recipe_yaml_invalid, {},
                   "a recipe begins with a line of three hyphens (---) and its frontmatter");
    }
    std::optional<TextLine> first;
    while (const auto line = lines_.next()) {
      if (!first) first = line;
      if (trimmed_end(line->text) != kDashes) continue;
      return read_block(between(*first, *line), open->number + 1, errc::recipe_yaml_invalid,
                        &recipe_.frontmatter);
    }
    wrong(errc::recipe_yaml_invalid, {}, "the frontmatter has no end (---)");
  }

  void read_block(std::string_view text, std::size_t line, Errc code, Block* into) {
    Block& block = *into;
    block.place.line = line;
    block.text = text;
    auto json = read_placed_yaml(text, line, &block.places);
    if (!json) {
      const auto& [error, place] = json.error();
      if (error.code() == errc::limit) code = errc::recipe_limit_exceeded;
      return wrong(error.code() == errc::unsupported ? error.code() : code, place, error.message());
    }
    if (!json->is_object()) return wrong(code, block.place, "a YAML mapping is required");
    block.json = std::make_shared<const Json>(*std::move(json));
  }

  void begin_section(const TextLine& heading) {
    end_section();
    const std::string_view title = heading.text.substr(heading.text.find(' ') + 1);
    const std::string_view behind = title.substr(std::min<std::size_t>(4, title.size()));
    const bool is_step =
        heading.text.starts_with("## Step") && (behind.empty() || !is_letter_or_digit(behind[0]));
    if (!is_step) return;
    has_steps_ = true;
    heading_ = heading.number;
  }

  void end_section() {
    if (heading_ && !has_block_) {
      wrong(errc::recipe_step_block_invalid, {.line = *heading_}, "this step has no ```yaml block");
      recipe_.steps.emplace_back();
    }
    heading_.reset();
    has_block_ = false;
  }

  void read_fenced(const TextLine& opening, const Fence& open) {
    const bool is_yaml = open.word == "yaml";
    std::optional<TextLine> first;
    while (const auto line = lines_.next()) {
      if (!first) first = line;
      const auto fence = fence_of(line->text);
      if (!fence || !ends(open, *fence)) continue;
      if (is_yaml) take_step(between(*first, *line), opening.number);
      return;
    }
    wrong(errc::recipe_step_block_invalid, {.line = opening.number},
          "this block has no end (" + std::string(open.mark) + ")");
    if (is_yaml) recipe_.steps.emplace_back();
    has_block_ = true;
  }

  void take_step(std::string_view text, std::size_t opening) {
    const char* const problem = !heading_ ? "this ```yaml block stands below no `## Step` heading"
                                : has_block_ ? "a step has one ```yaml block; this is another one"
                                             : nullptr;
    has_block_ = true;
    if (problem != nullptr) wrong(errc::recipe_step_block_invalid, {.line = opening}, problem);
    // A block in a wrong place is checked, too, so that its absence is no further fault.
    read_block(text, opening + 1, errc::recipe_step_block_invalid, &recipe_.steps.emplace_back());
  }

  Lines lines_;
  Faults* faults_;
  Recipe recipe_;
  bool has_steps_ = false;
  std::optional<std::size_t> heading_;  // the line of the step that is being read
  bool has_block_ = false;
};

TextPlace place_of(std::string_view file, std::size_t offset) {
  const std::string_view before = file.substr(0, offset);
  const auto line = before.rfind('\n');
  const std::string_view start = line == before.npos ? before : before.substr(line + 1);
  return {.line = static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1,
          .column = character_count(start) + 1};
}

}  // namespace

std::optional<Part> Part::member(std::string_view name) const {
  if (!json->is_object()) return std::nullopt;
  std::size_t at = 0;
  for (const auto& [each, value] : json->get_ref<const Json::object_t&>()) {
    if (each == name) return Part{&value, &places->inside[at]};
    ++at;
  }
  return std::nullopt;
}

const std::string* Part::text(std::string_view name) const {
  const auto found = member(name);
  return found ? string_value(found->json) : nullptr;
}

void Part::each(const std::function<void(const std::string&, Part)>& take) const {
  std::size_t at = 0;
  if (json->is_object()) {
    for (const auto& [name, value] : json->get_ref<const Json::object_t&>()) {
      take(name, {&value, &places->inside[at++]});
    }
  } else if (json->is_array()) {
    for (const Json& value : *json) take({}, {&value, &places->inside[at++]});
  }
}

Part part_of(const Block& block) { return {block.json.get(), &block.places}; }

Recipe parse_recipe(std::string_view file, Faults* faults) {
  if (file.size() > kMaxRecipe) {
    faults->add(errc::recipe_limit_exceeded, {}, "the recipe is longer than 1 MiB");
    return {};
  }
  const std::string valid = valid_utf8(file);
  if (valid != file) {
    const auto at = std::ranges::mismatch(valid, file).in2 - file.begin();
    faults->add(errc::recipe_yaml_invalid, place_of(file, static_cast<std::size_t>(at)),
                "the file is no valid UTF-8");
    return {};
  }
  return Parser(file, faults).parse();
}

bool is_named_recipe(std::string_view file) {
  Lines lines(file);
  const auto open = lines.next();
  if (!open || open->text != kDashes) return false;
  while (const auto line = lines.next()) {
    if (trimmed_end(line->text) == kDashes) return false;
    if (line->text.starts_with("recipe_id:")) return true;
  }
  return false;
}

}  // namespace clawperator::recipe
