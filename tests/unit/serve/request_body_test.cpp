#include "runtime/serve/request_body.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "runtime/serve/errc.hpp"

using namespace clawperator;
using namespace clawperator::serve;

namespace {

http::Request request(std::string body, const std::string& type = "application/json") {
  http::Request made;
  made.body = std::move(body);
  made.headers.emplace_back("content-type", type);
  return made;
}

Json object(std::string_view text) { return read_json(text, 1000).value(); }

}  // namespace

TEST_CASE("request body: it counts as JSON only where it is called so", "[serve]") {
  for (const char* type :
       {"application/json", "APPLICATION/JSON; charset=utf-8", " application/json ;x=y"}) {
    CAPTURE(type);
    CHECK(read_body(request("{}", type)).has_value());
  }
  for (const char* type : {"text/plain", "application/json5", "", "application/vnd.api+json"}) {
    CAPTURE(type);
    const auto body = read_body(request("{}", type));
    REQUIRE_FALSE(body);
    CHECK(body.error() == Error(errc::invalid_body, "Invalid or missing JSON body"));
  }
  CHECK(read_body(request("")).error().code() == errc::invalid_body);
}

TEST_CASE("request body: an array passes only where the route looks into it", "[serve]") {
  CHECK(read_body(request("[]")).has_value());
  CHECK(read_object_body(request("[]")).error().code() == errc::invalid_body);
  CHECK(read_body(request("3")).error().code() == errc::invalid_json);
}

TEST_CASE("request body: a route that needs none still refuses a broken one", "[serve]") {
  CHECK(read_optional_body(request(""))->empty());
  CHECK(read_optional_body(request("{", "text/plain"))->empty());
  CHECK(read_optional_body(request("{")).error().code() == errc::invalid_json);
}

TEST_CASE("request body: the device and the package", "[serve]") {
  const auto target = read_target(object(R"({"deviceId":"A","receiverPackage":"old"})"));
  REQUIRE(target);
  CHECK(target->device == "A");
  CHECK(target->operator_package == "old");
  const auto both = read_target(object(R"({"receiverPackage":"old","operatorPackage":"new"})"));
  REQUIRE(both);
  CHECK(both->operator_package == "new");
  CHECK_FALSE(read_target(object(R"({"deviceId":""})"))->device);
}

TEST_CASE("request body: waiting in line is requested, with a time or without", "[serve]") {
  using namespace std::chrono_literals;
  const auto limit = [](std::string_view text) { return read_target(object(text))->queue_limit; };
  CHECK(limit("{}") == 0ms);
  CHECK(limit(R"({"queue":false})") == 0ms);
  CHECK(limit(R"({"queue":false,"queueTimeoutMs":5})") == 0ms);
  CHECK(limit(R"({"queue":true})") == 60000ms);
  CHECK(limit(R"({"queue":true,"queueTimeoutMs":1})") == 1ms);
  CHECK(limit(R"({"queue":true,"queueTimeoutMs":3600000})") == 3600000ms);
  for (const char* text :
       {R"({"queue":1})", R"({"queue":"true"})", R"({"queue":null})", R"({"queueTimeoutMs":5})",
        R"({"queue":true,"queueTimeoutMs":0})", R"({"queue":true,"queueTimeoutMs":3600001})",
        R"({"queue":true,"queueTimeoutMs":1.5})", R"({"queue":true,"queueTimeoutMs":"5"})",
        R"({"queue":true,"queueTimeoutMs":-5})", R"({"queue":true,"queueTimeoutMs":null})"}) {
    CAPTURE(text);
    const auto target = read_target(object(text));
    REQUIRE_FALSE(target);
    CHECK(target.error().code() == errc::invalid_body);
    CHECK_THAT(target.error().message(), Catch::Contains("'queue"));
  }
}

TEST_CASE("request body: patience is a time of up to ten seconds", "[serve][D4]") {
  CHECK(*read_patience(object("{}")) == std::nullopt);
  CHECK(*read_patience(object(R"({"patience":0})")) == std::chrono::milliseconds(0));
  CHECK(*read_patience(object(R"({"patience":10000})")) == std::chrono::milliseconds(10000));
  for (const char* bad : {R"({"patience":10001})", R"({"patience":-1})", R"({"patience":"5"})"}) {
    CHECK(read_patience(object(bad)).error().code() == errc::invalid_body);
  }
}

TEST_CASE("request body: what JavaScript takes for false is no execution", "[serve]") {
  for (const char* text :
       {"{}", R"({"execution":null})", R"({"execution":0})", R"({"execution":-0.0})",
        R"({"execution":""})", R"({"execution":false})", "[]"}) {
    CAPTURE(text);
    const auto execution = read_execution(object(text));
    REQUIRE_FALSE(execution);
    CHECK(execution.error().code() == errc::missing_execution);
  }
  CHECK(read_execution(object(R"({"execution":[]})")) == "[]");
  CHECK(read_execution(object(R"({"execution":{"a":1e3}})")) == R"({"a":1000})");
}
