#include "cli/pretty/boxed_table.hpp"

#include <algorithm>
#include <numeric>

#include "base/utf8.hpp"
#include "cli/grammar/option.hpp"

namespace clawperator::cli {
namespace {

constexpr std::size_t kPadding = 2;  // a blank on both sides

// The first `count` characters.
std::string_view first_characters(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  while (at < text.size() && count-- > 0) {
    at += std::max<std::size_t>(1, sequence_length(text.substr(at)));
  }
  return text.substr(0, at);
}

void wrap_line(std::string_view line, std::size_t width, std::vector<std::string>* out) {
  std::size_t left = character_count(line);
  while (left > width) {
    std::string_view piece = first_characters(line, width);
    const auto gap = piece.find_last_of(" \t/-_.");
    if (gap != piece.npos) piece = piece.substr(0, gap + 1);
    left -= character_count(piece);
    line.remove_prefix(piece.size());
    const auto end = piece.find_last_not_of(' ');
    if (end != piece.npos) out->emplace_back(piece.substr(0, end + 1));
    const std::size_t blanks = std::min(line.find_first_not_of(' '), line.size());
    line.remove_prefix(blanks);
    left -= blanks;
  }
  if (line.find_first_not_of(" \t") != line.npos) out->emplace_back(line);
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  for_each_part(text, [&](std::string_view line) { wrap_line(line, width, &lines); }, '\n');
  if (lines.empty()) lines.emplace_back();
  return lines;
}

class Layout {
 public:
  Layout(const std::vector<Column>& columns, const std::vector<std::vector<std::string>>& rows)
      : columns_(columns) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      std::size_t widest = character_count(columns[i].header);
      for (const auto& row : rows) {
        const auto measure = [&](std::string_view line) {
          widest = std::max(widest, character_count(line));
        };
        for_each_part(row[i], measure, '\n');
      }
      widths_.push_back(std::max(widest + kPadding, columns[i].least));
    }
  }

  std::vector<std::size_t> fitted(std::size_t width) {
    const std::size_t lines = columns_.size() + 1;
    const std::size_t room = width > lines ? width - lines : 0;
    const auto header = [this](std::size_t i) {
      return character_count(columns_[i].header) + kPadding;
    };
    shrink(room, true, [&](std::size_t i) { return std::max(columns_[i].least, header(i)); });
    shrink(room, true, header);
    shrink(room, false, header);
    grow(room);
    return widths_;
  }

 private:
  [[nodiscard]] std::size_t total() const {
    return std::accumulate(widths_.begin(), widths_.end(), std::size_t{0});
  }

  // Takes one character from each column that may shrink, the widest first, until the table fits.
  template <class Least>
  void shrink(std::size_t room, bool flexible, Least least) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i].is_flexible == flexible) order.push_back(i);
    }
    std::ranges::sort(order, [this](std::size_t a, std::size_t b) {
      return widths_[a] != widths_[b] ? widths_[a] > widths_[b] : a < b;
    });
    for (bool did = true; did && total() > room;) {
      did = false;
      for (const std::size_t i : order) {
        if (total() <= room || widths_[i] <= least(i)) continue;
        --widths_[i];
        did = true;
      }
    }
  }

  void grow(std::size_t room) {
    const bool can = std::ranges::any_of(columns_, &Column::is_flexible);
    while (can && total() < room) {
      for (std::size_t i = 0; i < columns_.size() && total() < room; ++i) {
        if (columns_[i].is_flexible) ++widths_[i];
      }
    }
  }

  const std::vector<Column>& columns_;
  std::vector<std::size_t> widths_;
};

std::string rule(const std::vector<std::size_t>& widths, std::string_view left,
                 std::string_view middle, std::string_view right) {
  std::string line(left);
  for (std::size_t i = 0; i < widths.size(); ++i) {
    if (i > 0) line += middle;
    for (std::size_t count = widths[i]; count > 0; --count) line += "─";
  }
  return line + std::string(right) + "\n";
}

std::string row_text(const std::vector<std::string>& cells,
                     const std::vector<std::size_t>& widths) {
  std::vector<std::vector<std::string>> columns;
  std::size_t height = 1;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    columns.push_back(wrapped(cells[i], widths[i] - kPadding));
    height = std::max(height, columns.back().size());
  }
  std::string out;
  for (std::size_t line = 0; line < height; ++line) {
    out += "│";
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::string text = line < columns[i].size() ? columns[i][line] : "";
      const std::size_t used = character_count(text) + 1;
      out += " " + text + std::string(widths[i] > used ? widths[i] - used : 0, ' ') + "│";
    }
    out += "\n";
  }
  return out;
}

}  // namespace

std::string boxed_table(const std::vector<Column>& columns,
                        const std::vector<std::vector<std::string>>& rows, std::size_t width) {
  const std::vector<std::size_t> widths = Layout(columns, rows).fitted(width);
  std::vector<std::string> headers(columns.size());
  std::ranges::transform(columns, headers.begin(), &Column::header);
  std::string out = rule(widths, "┌", "┬", "┐") + row_text(headers, widths);
  out += rule(widths, "├", "┼", "┤");
  for (const auto& row : rows) out += row_text(row, widths);
  return out + rule(widths, "└", "┴", "┘");
}

}  // namespace clawperator::cli
