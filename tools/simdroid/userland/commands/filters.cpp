#include <algorithm>
#include <regex>

#include "base/number.hpp"
#include "simdroid/userland/commands/commands.hpp"

namespace simdroid {
namespace {

constexpr std::size_t kMaxInput = 256 * 1024 * 1024;

// The input of a filter: a file, or stdin when nothing is named.
Task<std::shared_ptr<PushbackInput>> input(Process* process, std::vector<std::string> names) {
  if (names.empty()) co_return std::make_shared<PushbackInput>(process->io.in);
  if (names.size() > 1) co_return not_known(*process, "several files");
  const auto content = process->phone->files.read(process->path(names.front()));
  if (!content) {
    co_return fail(errc::io,
                   process->arg(0) + ": " + names.front() + ": " + error_text(content.error()));
  }
  co_return std::make_shared<PushbackInput>(text_source(std::string(*content)));
}

struct CountOptions {
  std::size_t number = 10;
  bool bytes = false;
  std::vector<std::string> names;
};

// -n N, -nN, -N, -c N
Result<CountOptions> parse_count_options(const Process& process) {
  CountOptions options;
  std::size_t at = 1;
  for (; process.arg(at).size() > 1 && process.arg(at).front() == '-'; ++at) {
    const std::string& arg = process.arg(at);
    const bool letter = arg[1] == 'n' || arg[1] == 'c';
    std::string value = arg.substr(letter ? 2 : 1);
    if (letter && value.empty()) value = process.arg(++at);
    options.bytes = arg[1] == 'c';
    const auto number = whole_number<std::size_t>(value);
    if (!number) return not_known(process, arg);
    options.number = *number;
  }
  for (; at < process.count(); ++at) options.names.push_back(process.arg(at));
  return options;
}

Task<int> head_bytes(Process* process, ByteStream* from, std::size_t left) {
  Bytes chunk(64 * 1024);
  while (left > 0) {
    const auto size =
        co_await from->read_some(std::span(chunk).first(std::min(left, chunk.size())));
    if (!size) break;
    CO_TRY_VOID(co_await print(process, std::string(as_text(ByteView(chunk).first(*size)))));
    left -= *size;
  }
  co_return 0;
}

Task<int> run_head(Process* process) {
  CO_TRY(const CountOptions options, parse_count_options(*process));
  CO_TRY(const auto from, co_await input(process, options.names));
  if (options.bytes) co_return co_await head_bytes(process, from.get(), options.number);
  for (std::size_t i = 0; i < options.number; ++i) {
    CO_TRY(auto line, co_await from->read_line());
    if (!line) break;
    CO_TRY_VOID(co_await print(process, *std::move(line)));
  }
  co_return 0;
}

Task<int> run_tail(Process* process) {
  CO_TRY(const CountOptions options, parse_count_options(*process));
  CO_TRY(const auto from, co_await input(process, options.names));
  CO_TRY(const std::string all, co_await read_to_end(from.get(), kMaxInput));
  std::size_t start = all.size();
  if (options.bytes) {
    start -= std::min(start, options.number);
  } else {
    for (std::size_t lines = 0; start > 0 && options.number > 0; --start) {
      if (all[start - 1] == '\n' && start != all.size() && ++lines == options.number) break;
    }
  }
  CO_TRY_VOID(co_await print(process, all.substr(start)));
  co_return 0;
}

Task<int> run_wc(Process* process) {
  CO_TRY(const Options options, parse_options(*process, "clw"));
  CO_TRY(const auto from, co_await input(process, options.names));
  std::size_t lines = 0, words = 0, bytes = 0;
  bool in_word = false;
  Bytes chunk(64 * 1024);
  while (const auto size = co_await from->read_some(chunk)) {
    bytes += *size;
    for (const char c : as_text(ByteView(chunk).first(*size))) {
      lines += c == '\n' ? 1 : 0;
      const bool blank = std::string_view(" \t\n\r\v\f").contains(c);
      words += in_word || blank ? 0 : 1;
      in_word = !blank;
    }
  }
  std::vector<std::string> numbers;
  if (options.letters.empty() || options.has('l')) numbers.push_back(std::to_string(lines));
  if (options.letters.empty() || options.has('w')) numbers.push_back(std::to_string(words));
  if (options.letters.empty() || options.has('c')) numbers.push_back(std::to_string(bytes));
  std::string text;
  for (const std::string& number : numbers) text.append(text.empty() ? "" : " ").append(number);
  if (!options.names.empty()) text.append(" ").append(options.names.front());
  CO_TRY_VOID(co_await print(process, text + "\n"));
  co_return 0;
}

std::optional<std::regex> compile(const Options& options, std::string_view pattern) {
  std::string text;
  for (const char c : pattern) {
    if (options.has('F') && std::string_view("\\^$.|?*+()[]{}").contains(c)) text += '\\';
    text += c;
  }
  auto flags = std::regex::ECMAScript;
  if (options.has('i')) flags |= std::regex::icase;
  try {
    return std::regex(text, flags);
  } catch (const std::regex_error&) {
    return std::nullopt;
  }
}

std::string matches_of(const std::regex& regex, const std::string& line) {
  std::string text;
  for (std::sregex_iterator at(line.begin(), line.end(), regex), end; at != end; ++at) {
    if (at->length() > 0) text += at->str() + "\n";
  }
  return text;
}

Task<int> run_grep(Process* process) {
  CO_TRY(Options options, parse_options(*process, "EFcioqv"));
  if (options.names.empty()) co_return co_await give_up(process, "grep: Needs 1 argument\n", 2);
  const std::string pattern = options.names.front();
  options.names.erase(options.names.begin());
  const auto regex = compile(options, pattern);
  if (!regex) co_return co_await give_up(process, "grep: bad regex '" + pattern + "'\n", 2);
  const auto opened = co_await input(process, options.names);
  if (!opened) co_return co_await give_up(process, opened.error().message() + "\n", 2);
  const auto& from = *opened;
  std::size_t found = 0;
  while (true) {
    CO_TRY(auto line, co_await from->read_line());
    if (!line) break;
    const std::string text = line->substr(0, line->find('\n'));
    if (std::regex_search(text, *regex) == options.has('v')) continue;
    ++found;
    if (options.has('q')) break;
    if (options.has('c')) continue;
    CO_TRY_VOID(co_await print(process, options.has('o') ? matches_of(*regex, text) : text + "\n"));
  }
  if (options.has('c')) CO_TRY_VOID(co_await print(process, std::to_string(found) + "\n"));
  co_return found > 0 ? 0 : 1;
}

Task<int> run_sort(Process* process) {
  CO_TRY(const Options options, parse_options(*process, "ru"));
  CO_TRY(const auto from, co_await input(process, options.names));
  std::vector<std::string> lines;
  while (true) {
    CO_TRY(auto line, co_await from->read_line());
    if (!line) break;
    if (!line->ends_with('\n')) *line += '\n';
    lines.push_back(*std::move(line));
  }
  std::ranges::sort(lines);
  if (options.has('u')) lines.erase(std::ranges::unique(lines).begin(), lines.end());
  if (options.has('r')) std::ranges::reverse(lines);
  std::string text;
  for (const std::string& line : lines) text += line;
  CO_TRY_VOID(co_await print(process, text));
  co_return 0;
}

constexpr CommandEntry kFiltersCommands[] = {
    {"head", run_head}, {"tail", run_tail}, {"wc", run_wc}, {"grep", run_grep}, {"sort", run_sort},
};

}  // namespace

std::span<const CommandEntry> filter_commands() { return kFiltersCommands; }

}  // namespace simdroid
