#include "runtime/engine/password_fields.hpp"

#include <catch2/catch.hpp>

#include "runtime/contract/parse.hpp"

using namespace clawperator;

namespace {

std::string node(std::string_view id, std::string_view text, bool password, bool focused = false) {
  const auto flag = [](bool value) { return value ? "true" : "false"; };
  return "<node index=\"0\" text=\"" + std::string(text) + "\" resource-id=\"a:id/" +
         std::string(id) + "\" class=\"android.widget.EditText\" package=\"a\" content-desc=\"\" " +
         "focused=\"" + flag(focused) + "\" password=\"" + flag(password) +
         "\" bounds=\"[0,0][10,10]\" />";
}

std::string screen(const std::string& nodes) {
  return "<hierarchy rotation=\"0\">" + nodes + "</hierarchy>";
}

Execution types(std::string_view matcher, std::string_view then = "") {
  return parse_execution(
             R"({"commandId":"c","taskId":"t","source":"s","timeoutMs":2000,)"
             R"("expectedFormat":"android-ui-automator","actions":[{"id":"a","type":"enter_text",)"
             R"("params":{"text":"hunter2","matcher":)" +
             std::string(matcher) + "}}" + std::string(then) + "]}")
      .value();
}

bool is_marked(Execution execution, const std::string& xml, SeenWhen when = SeenWhen::after) {
  mark_passwords(execution, xml, when);
  return execution.actions.front().as<EnterText>()->secret;
}

constexpr std::string_view kById = R"({"resourceId":"a:id/pw"})";
constexpr std::string_view kByHint = R"({"textEquals":"Password"})";

}  // namespace

TEST_CASE("password fields: what the matcher fits decides", "[secrets]") {
  CHECK(is_marked(types(kById), screen(node("pw", "", true))));
  CHECK_FALSE(is_marked(types(kById), screen(node("pw", "", false))));
  CHECK_FALSE(is_marked(types(kById), screen(node("pw", "", false) + node("other", "", true))));
  CHECK(is_marked(types(kById), screen(node("pw", "", false) + node("pw", "", true))));
  CHECK_FALSE(is_marked(types(kById), "no tree: password=\"true\""));
}

TEST_CASE("password fields: a hint that is gone leaves the cursor", "[secrets]") {
  const std::string typed = screen(node("pw", "\u2022\u2022", true, true));
  CHECK(is_marked(types(kByHint), typed));
  CHECK_FALSE(is_marked(types(kByHint), typed, SeenWhen::before));
  CHECK_FALSE(is_marked(types(kByHint), screen(node("pw", "\u2022\u2022", true, false))));
}

TEST_CASE("password fields: the cursor is in the field that was typed into last", "[secrets]") {
  constexpr std::string_view kThen =
      R"(,{"id":"b","type":"enter_text","params":{"text":"x","matcher":{"textEquals":"y"}}})";
  Execution plan = types(kByHint, kThen);
  mark_passwords(plan, screen(node("pw", "\u2022", true, true)), SeenWhen::after);
  CHECK_FALSE(plan.actions[0].as<EnterText>()->secret);
  CHECK(plan.actions[1].as<EnterText>()->secret);
}

TEST_CASE("password fields: what is known to be secret stays so", "[secrets]") {
  Execution plan = types(kById);
  plan.actions.front().as<EnterText>()->secret = true;
  CHECK(is_marked(plan, screen(node("pw", "", false) + node("other", "", true))));
}
