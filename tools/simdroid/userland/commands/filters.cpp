#include <zlib.h>

#include <algorithm>
#include <charconv>
#include <deque>
#include <regex>

#include "simdroid/userland/commands/commands.hpp"

namespace simdroid {
namespace {

constexpr std::size_t kMaxInput = 256 * 1024 * 1024;

// The input of a filter: its file arguments from `from` on, else stdin.
Task<std::shared_ptr<PushbackInput>> input(Process* process, std::size_t from) {
  if (from >= process->count()) co_return std::make_shared<PushbackInput>(process->io.in);
  std::string text;
  for (std::size_t i = from; i < process->count(); ++i) {
    const auto content = process->phone->files.read(process->path(process->arg(i)));
    if (!content) {
      co_return fail(errc::io,
                     process->arg(0) + ": " + process->arg(i) + ": " + error_text(content.error()));
    }
    text += *content;
  }
  co_return std::make_shared<PushbackInput>(text_source(std::move(text)));
}

std::size_t to_count(std::string_view text) {
  std::size_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

struct CountOptions {
  std::size_t lines = 10;
  std::optional<std::size_t> bytes;
  std::size_t files_from = 1;
};

// -n N, -nN, -N, -c N
CountOptions parse_count_options(const Process& process) {
  CountOptions options;
  std::size_t at = 1;
  while (at < process.count() && process.arg(at).size() > 1 && process.arg(at).front() == '-') {
    const std::string& arg = process.arg(at);
    const bool letter = arg[1] == 'n' || arg[1] == 'c';
    std::string value = arg.substr(letter ? 2 : 1);
    if (letter && value.empty()) value = process.arg(++at);
    if (arg[1] == 'c') {
      options.bytes = to_count(value);
    } else {
      options.lines = to_count(value);
    }
    ++at;
  }
  options.files_from = at;
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
  const CountOptions options = parse_count_options(*process);
  CO_TRY(const auto from, co_await input(process, options.files_from));
  if (options.bytes) co_return co_await head_bytes(process, from.get(), *options.bytes);
  for (std::size_t i = 0; i < options.lines; ++i) {
    CO_TRY(auto line, co_await from->read_line());
    if (!line) break;
    CO_TRY_VOID(co_await print(process, *std::move(line)));
  }
  co_return 0;
}

Task<int> run_tail(Process* process) {
  const CountOptions options = parse_count_options(*process);
  CO_TRY(const auto from, co_await input(process, options.files_from));
  CO_TRY(const std::string all, co_await read_to_end(from.get(), kMaxInput));
  std::size_t start = all.size();
  if (options.bytes) {
    start -= std::min(start, *options.bytes);
  } else {
    for (std::size_t lines = 0; start > 0; --start) {
      if (all[start - 1] == '\n' && start != all.size() && ++lines == options.lines) break;
      if (options.lines == 0) break;
    }
  }
  CO_TRY_VOID(co_await print(process, all.substr(start)));
  co_return 0;
}

Task<int> run_wc(Process* process) {
  std::string letters;
  std::size_t at = 1;
  for (; process->arg(at).starts_with('-'); ++at) letters += process->arg(at).substr(1);
  CO_TRY(const auto from, co_await input(process, at));
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
  if (letters.empty() || letters.contains('l')) numbers.push_back(std::to_string(lines));
  if (letters.empty() || letters.contains('w')) numbers.push_back(std::to_string(words));
  if (letters.empty() || letters.contains('c')) numbers.push_back(std::to_string(bytes));
  std::string text;
  for (const std::string& number : numbers) text.append(text.empty() ? "" : " ").append(number);
  if (at < process->count()) text.append(" ").append(process->arg(at));
  CO_TRY_VOID(co_await print(process, text + "\n"));
  co_return 0;
}

struct GrepOptions {
  bool invert = false, count = false, quiet = false, fixed = false, ignore_case = false;
  bool matches_only = false;
  std::string pattern;
  std::size_t files_from = 1;
};

GrepOptions parse_grep(const Process& process) {
  GrepOptions options;
  std::size_t at = 1;
  bool pattern_given = false;
  for (; at < process.count() && process.arg(at).size() > 1 && process.arg(at).front() == '-';
       ++at) {
    const std::string& letters = process.arg(at);
    options.invert |= letters.contains('v');
    options.count |= letters.contains('c');
    options.matches_only |= letters.contains('o');
    options.quiet |= letters.contains('q');
    options.fixed |= letters.contains('F');
    options.ignore_case |= letters.contains('i');
    if (letters.ends_with('e')) {
      options.pattern = process.arg(++at);
      pattern_given = true;
    }
  }
  if (!pattern_given) options.pattern = process.arg(at++);
  options.files_from = at;
  return options;
}

std::optional<std::regex> compile(const GrepOptions& options) {
  std::string pattern = options.pattern;
  if (options.fixed) {
    std::string escaped;
    for (const char c : pattern) {
      if (std::string_view("\\^$.|?*+()[]{}").contains(c)) escaped += '\\';
      escaped += c;
    }
    pattern = escaped;
  }
  auto flags = std::regex::ECMAScript;
  if (options.ignore_case) flags |= std::regex::icase;
  try {
    return std::regex(pattern, flags);
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
  const GrepOptions options = parse_grep(*process);
  const auto regex = compile(options);
  if (!regex) co_return co_await give_up(process, "grep: bad regex '" + options.pattern + "'\n", 2);
  const auto opened = co_await input(process, options.files_from);
  if (!opened) co_return co_await give_up(process, opened.error().message() + "\n", 2);
  const auto& from = *opened;
  std::size_t found = 0;
  while (true) {
    CO_TRY(auto line, co_await from->read_line());
    if (!line) break;
    const std::string_view text = std::string_view(*line).substr(0, line->find('\n'));
    const bool hit = std::regex_search(text.begin(), text.end(), *regex);
    if (hit == options.invert) continue;
    ++found;
    if (options.quiet) break;
    if (options.count) continue;
    const std::string shown(text);
    CO_TRY_VOID(
        co_await print(process, options.matches_only ? matches_of(*regex, shown) : shown + "\n"));
  }
  if (options.count) CO_TRY_VOID(co_await print(process, std::to_string(found) + "\n"));
  co_return found > 0 ? 0 : 1;
}

Task<int> run_sort(Process* process) {
  CO_TRY(const auto from, co_await input(process, process->arg(1).starts_with('-') ? 2 : 1));
  std::vector<std::string> lines;
  while (true) {
    CO_TRY(auto line, co_await from->read_line());
    if (!line) break;
    if (!line->ends_with('\n')) *line += '\n';
    lines.push_back(*std::move(line));
  }
  std::ranges::sort(lines);
  if (process->arg(1) == "-r") std::ranges::reverse(lines);
  std::string text;
  for (const std::string& line : lines) text += line;
  CO_TRY_VOID(co_await print(process, text));
  co_return 0;
}

// One deflate stream in gzip's envelope.
class Compressor {
 public:
  explicit Compressor(int level) {
    constexpr int kGzipEnvelope = 16 + MAX_WBITS;
    ready_ =
        deflateInit2(&stream_, level, Z_DEFLATED, kGzipEnvelope, 8, Z_DEFAULT_STRATEGY) == Z_OK;
  }
  ~Compressor() {
    if (ready_) deflateEnd(&stream_);
  }
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;

  Bytes run(ByteView piece, int flush) {
    Bytes out;
    if (!ready_) return out;
    Bytes room(64 * 1024);
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(piece.data()));
    stream_.avail_in = static_cast<uInt>(piece.size());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(room.data());
      stream_.avail_out = static_cast<uInt>(room.size());
      deflate(&stream_, flush);
      append(out, ByteView(room).first(room.size() - stream_.avail_out));
    } while (stream_.avail_out == 0);
    return out;
  }

 private:
  z_stream stream_{};
  bool ready_ = false;
};

Task<int> run_gzip(Process* process) {
  int level = Z_DEFAULT_COMPRESSION;
  for (const std::string& arg : process->args) {
    if (arg.size() == 2 && arg[0] == '-' && arg[1] >= '1' && arg[1] <= '9') level = arg[1] - '0';
  }
  Compressor compressor(level);
  const Io io = process->io;
  Bytes chunk(256 * 1024);
  while (const auto size = co_await io.in->read_some(chunk)) {
    const Bytes out = compressor.run(ByteView(chunk).first(*size), Z_NO_FLUSH);
    if (!out.empty()) CO_TRY_VOID(co_await io.out->write_all(out));
  }
  const Bytes rest = compressor.run({}, Z_FINISH);
  CO_TRY_VOID(co_await io.out->write_all(rest));
  co_return 0;
}

constexpr CommandEntry kCommands[] = {
    {"head", run_head},  {"tail", run_tail}, {"wc", run_wc},     {"grep", run_grep},
    {"egrep", run_grep}, {"sort", run_sort}, {"gzip", run_gzip},
};

}  // namespace

std::span<const CommandEntry> filter_commands() { return kCommands; }

}  // namespace simdroid
