#include "simdroid/userland/commands/intent.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace simdroid {
namespace {

constexpr std::uint32_t kReceiverForeground = 0x10000000;
constexpr std::uint32_t kIncludeStoppedPackages = 0x20;

// Options whose value has no effect here.
constexpr std::string_view kSkipOne[] = {"--user",
                                         "--display",
                                         "-t",
                                         "-i",
                                         "--windowingMode",
                                         "--receiver-permission",
                                         "--grant-uri-permission"};
constexpr std::string_view kTypedExtras[] = {"--es", "-e",    "--ez",  "--ei",  "--el",  "--ef",
                                             "--eu", "--ecn", "--eia", "--ela", "--efa", "--esa"};

template <class Range>
bool contains(const Range& range, std::string_view value) {
  return std::ranges::find(range, value) != std::end(range);
}

class IntentParser {
 public:
  IntentParser(const std::vector<std::string>& args, std::size_t from) : args_(args), at_(from) {}

  Result<Intent> run() {
    for (; at_ < args_.size(); ++at_) {
      TRY_VOID(option(args_[at_]));
    }
    return intent_;
  }

 private:
  Result<std::string> value() {
    if (at_ + 1 >= args_.size()) {
      return fail(errc::invalid_argument, "Argument expected after \"" + args_[at_] + "\"");
    }
    return args_[++at_];
  }

  Result<void> option(const std::string& name) {
    if (contains(kTypedExtras, name)) return extra();
    if (name == "-a") return take(&intent_.action);
    if (name == "-d") return take(&intent_.data);
    if (name == "-p") return take(&intent_.package);
    if (name == "-n") return take(&intent_.component);
    if (name == "-c") {
      TRY(std::string category, value());
      intent_.categories.push_back(std::move(category));
      return ok();
    }
    if (name == "-f") {
      TRY(const std::string flags, value());
      intent_.flags |= static_cast<std::uint32_t>(std::strtoul(flags.c_str(), nullptr, 0));
      return ok();
    }
    if (contains(kSkipOne, name)) {
      std::string ignored;
      return take(&ignored);
    }
    if (name == "--receiver-foreground") intent_.flags |= kReceiverForeground;
    if (name == "--include-stopped-packages") intent_.flags |= kIncludeStoppedPackages;
    if (name == "-W") intent_.wait = true;
    if (name.starts_with("--") || name == "-W" || name == "-S" || name == "-D" || name == "-N") {
      return ok();
    }
    if (name.starts_with('-')) return fail(errc::invalid_argument, "Unknown option: " + name);
    return positional(name);
  }

  Result<void> take(std::string* to) {
    TRY(*to, value());
    return ok();
  }

  Result<void> extra() {
    TRY(std::string key, value());
    TRY(std::string text, value());
    intent_.extras[key] = std::move(text);
    return ok();
  }

  // A URI, a component or a package.
  Result<void> positional(const std::string& word) {
    if (word.contains(':')) {
      intent_.data = word;
    } else if (word.contains('/')) {
      intent_.component = word;
    } else {
      intent_.package = word;
    }
    return ok();
  }

  const std::vector<std::string>& args_;
  std::size_t at_;
  Intent intent_;
};

}  // namespace

std::string Intent::to_string() const {
  std::string text = "Intent {";
  if (!action.empty()) text += " act=" + action;
  if (!categories.empty()) {
    text += " cat=[";
    for (const std::string& category : categories) {
      text += (text.ends_with('[') ? "" : ",") + category;
    }
    text += "]";
  }
  if (!data.empty()) text += " dat=" + data;
  if (flags != 0) {
    char number[16];
    std::snprintf(number, sizeof number, "0x%x", flags);
    text.append(" flg=").append(number);
  }
  if (!package.empty()) text += " pkg=" + package;
  if (!component.empty()) text += " cmp=" + component;
  if (!extras.empty()) text += " (has extras)";
  return text + " }";
}

Result<Intent> parse_intent(const std::vector<std::string>& args, std::size_t from) {
  return IntentParser(args, from).run();
}

}  // namespace simdroid
