#include "skills/result/shape.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace clawperator::skills {
namespace {

constexpr std::size_t kMostIssues = 20;

std::string choices_text(std::span<const std::string_view> choices) {
  std::string text;
  for (const std::string_view choice : choices) {
    text += (text.empty() ? "'" : " | '") + std::string(choice) + "'";
  }
  return text;
}

class ShapeCheck {
 public:
  explicit ShapeCheck(std::vector<std::string>* issues) : issues_(issues) {}

  Json value(const std::string& at, const Json* value, const Shape& shape) {
    if (value == nullptr) return refuse(at, "Required");
    if (value->is_null() && shape.nullable) return nullptr;
    switch (shape.kind) {
      case Shape::Kind::any: return *value;
      case Shape::Kind::text:
      case Shape::Kind::some_text: return text(at, *value, shape);
      case Shape::Kind::boolean:
        return value->is_boolean() ? *value : wrong_type(at, "boolean", *value);
      case Shape::Kind::whole: return whole(at, *value);
      case Shape::Kind::choice: return choice(at, *value, shape);
      case Shape::Kind::object: return object(at, *value, shape);
      case Shape::Kind::list: return list(at, *value, *shape.element);
      case Shape::Kind::map_of_any:
        return value->is_object() ? *value : wrong_type(at, "object", *value);
      case Shape::Kind::map_of_text: return texts(at, *value);
      case Shape::Kind::tagged: return tagged(at, *value, shape);
    }
    return nullptr;
  }

 private:
  Json refuse(const std::string& at, const std::string& message) {
    if (issues_->size() < kMostIssues) {
      issues_->push_back((at.empty() ? "<root>" : at) + ": " + message);
    }
    return nullptr;
  }

  Json wrong_type(const std::string& at, std::string_view expected, const Json& got) {
    return refuse(at, "Expected " + std::string(expected) + ", received " + got.type_name());
  }

  static std::string below(const std::string& at, std::string_view name) {
    return at.empty() ? std::string(name) : at + "." + std::string(name);
  }

  Json text(const std::string& at, const Json& value, const Shape& shape) {
    if (!value.is_string()) return wrong_type(at, "string", value);
    const bool blank = value.get_ref<const std::string&>().empty();
    if (shape.kind == Shape::Kind::some_text && blank) {
      return refuse(at, "String must contain at least 1 character(s)");
    }
    return value;
  }

  Json whole(const std::string& at, const Json& value) {
    if (!value.is_number()) return wrong_type(at, "number", value);
    const double number = value.get<double>();
    if (number != std::floor(number)) return refuse(at, "Expected integer, received float");
    if (number < 0) return refuse(at, "Number must be greater than or equal to 0");
    return value;
  }

  Json choice(const std::string& at, const Json& value, const Shape& shape) {
    if (!value.is_string()) return wrong_type(at, choices_text(shape.choices), value);
    const auto& chosen = value.get_ref<const std::string&>();
    if (std::ranges::find(shape.choices, chosen) != shape.choices.end()) return value;
    return refuse(at, "Invalid enum value. Expected " + choices_text(shape.choices) +
                          ", received '" + chosen.substr(0, 60) + "'");
  }

  Json object(const std::string& at, const Json& value, const Shape& shape) {
    if (!value.is_object()) return wrong_type(at, "object", value);
    Json kept = Json::object();
    for (const auto& [name, member] : value.get_ref<const Json::object_t&>()) {
      const auto field = std::ranges::find(shape.fields, name, &Field::name);
      if (field != shape.fields.end()) {
        kept[name] = this->value(below(at, name), &member, *field->shape);
      } else if (shape.keeps_unknown) {
        kept[name] = member;
      }
    }
    for (const Field& field : shape.fields) {
      if (field.required && !value.contains(field.name)) refuse(below(at, field.name), "Required");
    }
    return kept;
  }

  Json list(const std::string& at, const Json& value, const Shape& element) {
    if (!value.is_array()) return wrong_type(at, "array", value);
    Json kept = Json::array();
    for (std::size_t i = 0; i < value.size(); ++i) {
      kept.push_back(this->value(below(at, std::to_string(i)), &value[i], element));
    }
    return kept;
  }

  Json texts(const std::string& at, const Json& value) {
    if (!value.is_object()) return wrong_type(at, "object", value);
    for (const auto& [name, member] : value.get_ref<const Json::object_t&>()) {
      if (!member.is_string()) wrong_type(below(at, name), "string", member);
    }
    return value;
  }

  Json tagged(const std::string& at, const Json& value, const Shape& shape) {
    if (!value.is_object()) return wrong_type(at, "object", value);
    const std::string* kind = string_value(find_member(value, "kind"));
    const auto variant = std::ranges::find(shape.variants, kind ? *kind : "", &Field::name);
    if (variant != shape.variants.end()) return this->value(at, &value, *variant->shape);
    std::vector<std::string_view> names;
    for (const Field& each : shape.variants) names.push_back(each.name);
    return refuse(below(at, "kind"),
                  "Invalid discriminator value. Expected " + choices_text(names));
  }

  std::vector<std::string>* issues_;
};

}  // namespace

Json checked(const Json& value, const Shape& shape, std::vector<std::string>* issues) {
  return ShapeCheck(issues).value("", &value, shape);
}

}  // namespace clawperator::skills
