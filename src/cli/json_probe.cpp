#include "cli/json_probe.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

namespace clawperator::cli {
namespace {

// Passes over everything; what derives from it looks at what it wants.
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

// Where the parser is: for each open object the member it is at, for each open array an empty name.
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

}  // namespace

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

}  // namespace clawperator::cli
