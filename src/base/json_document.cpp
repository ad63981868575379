#include "base/json_document.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/json_text.hpp"

namespace base {
namespace {

constexpr std::size_t kMaxReasonBytes = 200;  // an endless token would add more
constexpr std::size_t kFewMembers = 4;        // growing by one each copies the names

class DocumentBuilder final : public nlohmann::json_sax<Json> {
 public:
  explicit DocumentBuilder(std::size_t max_members) : max_members_(max_members) {}

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(static_cast<double>(value)); }
  bool number_unsigned(number_unsigned_t value) override { return put(static_cast<double>(value)); }
  bool number_float(number_float_t value, const string_t&) override { return put(value); }
  bool string(string_t& value) override { return put(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    if (open_.back()->size() >= max_members_) {
      return refuse("an object has over " + std::to_string(max_members_) + " members");
    }
    auto& members = open_.back()->get_ref<Json::object_t&>();
    if (members.empty()) members.reserve(kFewMembers);
    slot_ = &members[name];
    return true;
  }

  bool parse_error(std::size_t, const std::string&,
                   const nlohmann::detail::exception& error) override {
    error_ = Error(errc::protocol, parser_text(error.what()));
    return false;
  }

  Result<Json> take(bool parsed) {
    if (!parsed) return std::unexpected(std::move(error_));
    return std::move(root_);
  }

 private:
  bool refuse(std::string why) {
    error_ = Error(errc::limit, std::move(why));
    return false;
  }

  Json& place(Json value) {
    if (open_.empty()) return root_ = std::move(value);
    if (open_.back()->is_object()) return *slot_ = std::move(value);
    open_.back()->push_back(std::move(value));
    return open_.back()->back();
  }

  bool put(Json value) {
    place(std::move(value));
    return true;
  }

  bool open(Json container) {
    if (open_.size() >= kMaxJsonDepth) return refuse("nested deeper than 128 levels");
    open_.push_back(&place(std::move(container)));
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  std::size_t max_members_;
  Json root_;
  std::vector<Json*> open_;  // a container does not grow while one of its children is open
  Json* slot_ = nullptr;     // the value that the last key announced
  Error error_{errc::protocol, "not JSON"};
};

void append_json(std::string& out, const Json& value);

void append_array(std::string& out, const Json& value) {
  out += '[';
  bool first = true;
  for (const Json& element : value) {
    if (!std::exchange(first, false)) out += ',';
    append_json(out, element);
  }
  out += ']';
}

void append_object(std::string& out, const Json& value) {
  out += '{';
  bool first = true;
  for (const auto& [name, member] : value.get_ref<const Json::object_t&>()) {
    if (!std::exchange(first, false)) out += ',';
    append_quoted(out, name);
    out += ':';
    append_json(out, member);
  }
  out += '}';
}

void append_json(std::string& out, const Json& value) {
  if (value.is_object()) return append_object(out, value);
  if (value.is_array()) return append_array(out, value);
  if (value.is_string()) {
    append_quoted(out, value.get_ref<const std::string&>());
  } else if (value.is_number()) {
    out += number_json(value.get<double>());
  } else {
    out += value.is_null() ? "null" : value.get<bool>() ? "true" : "false";
  }
}

}  // namespace

std::string parser_text(std::string_view what) {
  if (const std::size_t end = what.find("] "); what.starts_with('[') && end != what.npos)
    what.remove_prefix(end + 2);
  return std::string(what.substr(0, kMaxReasonBytes));
}

Result<Json> read_json(std::string_view text, std::size_t max_bytes, std::size_t max_members) {
  if (text.size() > max_bytes)
    return fail(errc::limit, "longer than " + std::to_string(max_bytes) + " bytes");
  DocumentBuilder builder(max_members);
  const bool parsed = Json::sax_parse(text, &builder);
  return builder.take(parsed);
}

Result<Json> read_callers_json(std::string_view text, std::size_t max_bytes,
                               std::size_t max_members) {
  auto json = read_json(text, max_bytes, max_members);
  if (json || json.error().code() != errc::protocol) return json;
  const std::string repaired = with_whole_escapes(text);
  return repaired == text ? json : read_json(repaired, max_bytes, max_members);
}

std::string write_json(const Json& value) {
  std::string out;
  append_json(out, value);
  return out;
}

std::string indent_json(std::string_view json) {
  const Json parsed = Json::parse(json, nullptr, false);
  if (parsed.is_discarded()) return std::string(json);
  return parsed.dump(2, ' ', false, Json::error_handler_t::replace);
}

const Json* find_member(const Json& value, std::string_view name) {
  if (!value.is_object()) return nullptr;
  const auto found = value.find(name);
  return found == value.end() ? nullptr : &*found;
}

bool for_each_entry(std::string_view text, std::string_view member,
                    const std::function<void(const Json& entry)>& take) {
  const auto json = read_json(text, text.size());
  const Json* entries = json ? find_member(*json, member) : nullptr;
  if (!entries || !entries->is_array()) return false;
  for (const Json& entry : *entries) take(entry);
  return true;
}

std::optional<std::int64_t> whole_value(const Json* value, std::int64_t least, std::int64_t most) {
  if (!value || !value->is_number()) return std::nullopt;
  const double given = value->get<double>();
  const bool fits = given >= static_cast<double>(least) && given <= static_cast<double>(most);
  if (!fits || given != std::floor(given)) return std::nullopt;
  return static_cast<std::int64_t>(given);
}

const std::string* string_value(const Json* value) {
  return value != nullptr && value->is_string() ? &value->get_ref<const std::string&>() : nullptr;
}

const std::string* string_member(const Json& value, std::string_view name) {
  return string_value(find_member(value, name));
}

std::string js_text(const Json& value) {
  const std::string* text = string_value(&value);
  return text ? *text : write_json(value);
}

bool is_truthy(const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number()) {
    const double number = value.get<double>();
    return number != 0 && !std::isnan(number);
  }
  const std::string* text = string_value(&value);
  return text ? !text->empty() : !value.is_null();
}

bool is_true_member(const Json& value, std::string_view name) {
  const Json* member = find_member(value, name);
  return member != nullptr && member->is_boolean() && member->get<bool>();
}

}  // namespace base
