#include "runtime/serve/route_table.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/json_document.hpp"
#include "base/json_text.hpp"
#include "base/text.hpp"
#include "runtime/contract/action_row.hpp"
#include "runtime/serve/errc.hpp"

namespace clawperator::serve {
namespace {

constexpr std::string_view kAbout =
    "What `clawperator serve` answers. An execution that reached its end on the device is 200, "
    "also when its envelope has failed; everything else is an error with a code.";

JsonObject reference(std::string_view schema) {
  return JsonObject().text("$ref", "#/components/schemas/" + std::string(schema));
}

JsonObject content(std::string_view type, std::string_view schema) {
  return JsonObject().object(type, JsonObject().object("schema", reference(schema)));
}

// "/devices/:serial/stats" -> "/devices/{serial}/stats"; the names go to `names`.
std::string templated(std::string_view path, std::vector<std::string>* names) {
  std::string text;
  for (std::size_t at = 0; at < path.size(); ++at) {
    if (path[at] != ':') {
      text += path[at];
      continue;
    }
    names->emplace_back(path.substr(at + 1, path.find('/', at) - at - 1));
    text += "{" + names->back() + "}";
    at += names->back().size();
  }
  return text;
}

// "GET /devices/:serial/stats" -> "getDevicesSerialStats"
std::string operation_id(const RouteRow& row) {
  std::string id = ascii_lower(row.method);
  bool begins_word = true;
  for (const char c : row.path) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (is_letter) id += begins_word && c >= 'a' ? static_cast<char>(c - 'a' + 'A') : c;
    begins_word = !is_letter;
  }
  return row.path == "/" ? id + "Index" : id;
}

std::string parameters_json(const RouteRow& row, const std::vector<std::string>& path_names) {
  std::string list;
  const auto add = [&](const JsonObject& parameter) {
    list += (list.empty() ? "" : ",") + parameter.str();
  };
  for (const std::string& name : path_names) {
    add(JsonObject()
            .text("name", name)
            .text("in", "path")
            .boolean("required", true)
            .object("schema", JsonObject().text("type", "string")));
  }
  for (const Parameter& parameter : row.request.query) {
    add(JsonObject()
            .text("name", parameter.name)
            .text("in", "query")
            .text("description", parameter.meaning)
            .json("schema", parameter.schema));
  }
  return "[" + list + "]";
}

// The answers of one status: the codes of errors, the forms of other answers.
struct StatusAnswers {
  std::string description{};
  JsonObject content{};
};

void add_answer(std::map<int, StatusAnswers>* answers_by_status, const AnswerForm& form) {
  StatusAnswers& status = (*answers_by_status)[form.status];
  status.description = form.status == 200 ? "Success." : "An answer with this status.";
  status.content.object(form.type, JsonObject().object("schema", reference(form.schema)));
}

void add_error(std::map<int, StatusAnswers>* answers_by_status, std::string_view published,
               int http_status) {
  StatusAnswers& status = (*answers_by_status)[http_status];
  if (status.content.empty()) status.content = content("application/json", "Error");
  status.description.append(status.description.empty() ? "" : ", ").append(published);
}

JsonObject responses(const RouteRow& row) {
  std::map<int, StatusAnswers> answers_by_status;
  if (!row.json_schema.empty())
    add_answer(&answers_by_status, {200, "application/json", row.json_schema});
  for (const AnswerForm& form : row.other_answers) add_answer(&answers_by_status, form);
  add_error(&answers_by_status, "UNAUTHORIZED", 401);
  for (const auto* code : {"FORBIDDEN_HOST", "FORBIDDEN_ORIGIN"})
    add_error(&answers_by_status, code, 403);
  if (std::ranges::find(row.errors, Errc(errc::too_many_requests)) == row.errors.end()) {
    add_error(&answers_by_status, "TOO_MANY_REQUESTS", 429);
  }
  for (const Errc code : row.errors) {
    add_error(&answers_by_status, code->published, code->http_status);
  }
  JsonObject json;
  for (const auto& [status, answer] : answers_by_status) {
    JsonObject response;
    response.text("description", answer.description).object("content", answer.content);
    json.object(std::to_string(status), response);
  }
  return json.object("default", JsonObject().text("$ref", "#/components/responses/Error"));
}

JsonObject operation(const RouteRow& row, const std::vector<std::string>& path_names) {
  JsonObject json;
  json.text("operationId", operation_id(row)).text("summary", row.summary);
  if (row.is_old_name) json.boolean("deprecated", true);
  json.json("parameters", parameters_json(row, path_names));
  if (!row.request.body_schema.empty()) {
    json.object("requestBody",
                JsonObject()
                    .boolean("required", !row.request.may_lack_body)
                    .object("content", content("application/json", row.request.body_schema)));
  }
  if (row.entry == http::Entry::open) json.json("security", "[]");
  return json.object("responses", responses(row));
}

// Rows of one path need not stand together.
JsonObject paths(std::span<const RouteRow> routes) {
  std::vector<std::pair<std::string, JsonObject>> by_path;
  for (const RouteRow& row : routes) {
    std::vector<std::string> names;
    std::string path = templated(row.path, &names);
    auto at = std::ranges::find(by_path, path, [](const auto& entry) { return entry.first; });
    if (at == by_path.end()) at = by_path.insert(at, {std::move(path), JsonObject()});
    at->second.object(ascii_lower(row.method), operation(row, names));
  }
  JsonObject json;
  for (const auto& [path, operations] : by_path) json.object(path, operations);
  return json;
}

JsonObject text_schema(std::size_t longest) {
  return JsonObject()
      .text("type", "string")
      .number("minLength", 1)
      .number("maxLength", static_cast<std::int64_t>(longest));
}

std::string action_schema() {
  std::vector<std::string> types;
  for (const ActionRow* row : action_rows()) types.emplace_back(row->name);
  JsonObject members;
  members.object("id", text_schema(kMaxIdLength));
  members.object("type", JsonObject().text("type", "string").strings("examples", types));
  members.object("params", JsonObject().text("type", "object"));
  return JsonObject()
      .text("type", "object")
      .json("required", R"(["id","type"])")
      .object("properties", members)
      .str();
}

// The names that are written; older spellings are taken, too.
std::string execution_schema() {
  const auto timeout = JsonObject()
                           .text("type", "number")
                           .real("minimum", kMinTimeoutMs)
                           .real("maximum", kMaxTimeoutMs);
  const auto actions = JsonObject()
                           .text("type", "array")
                           .number("minItems", 1)
                           .number("maxItems", std::int64_t{kMaxActions})
                           .json("items", action_schema());
  JsonObject members;
  members.object("commandId", text_schema(kMaxIdLength));
  members.object("taskId", text_schema(kMaxIdLength));
  members.object("source", text_schema(kMaxSourceLength));
  members.object("expectedFormat", JsonObject().text("const", kExpectedFormat));
  members.object("timeoutMs", timeout).object("actions", actions);
  return JsonObject().text("type", "object").object("properties", members).str();
}

JsonObject components(std::span<const MoreRoutes> more) {
  JsonObject schemas;
  schemas.json("Execution", execution_schema());
  const Json all = all_schemas(more);
  for (const auto& [name, schema] : all.items()) schemas.json(name, write_json(schema));
  const auto error = JsonObject()
                         .text("description", "an error; docs/reference/errors.md lists the codes")
                         .object("content", content("application/json", "Error"));
  const auto token = JsonObject().text("type", "http").text("scheme", "bearer");
  const auto cookie =
      JsonObject().text("type", "apiKey").text("in", "cookie").text("name", http::kSessionCookie);
  return JsonObject()
      .object("schemas", schemas)
      .object("responses", JsonObject().object("Error", error))
      .object("securitySchemes", JsonObject().object("token", token).object("session", cookie));
}

}  // namespace

Json all_schemas(std::span<const MoreRoutes> more) {
  Json all = Json::object();
  std::vector<std::string_view> files{kOpenApiSchemas};
  for (const MoreRoutes& each : more) files.push_back(each.schemas);
  for (const std::string_view file : files) {
    const auto read = read_json(file, file.size());
    if (!read) continue;
    for (const auto& [name, schema] : read->items()) all[name] = schema;
  }
  return all;
}

std::string openapi_document(std::span<const RouteRow> routes, std::span<const MoreRoutes> more) {
  const auto licence = JsonObject().text("name", "Apache 2.0").text("identifier", "Apache-2.0");
  const auto info = JsonObject()
                        .text("title", "clawperator serve")
                        .text("version", "1")
                        .text("description", kAbout)
                        .object("license", licence);
  // A client that is proven to be the server's user needs neither.
  return JsonObject()
      .text("openapi", "3.1.0")
      .object("info", info)
      .json("servers", R"([{"url":"/","description":"this server"}])")
      .json("security", R"([{},{"token":[]},{"session":[]}])")
      .object("paths", paths(routes))
      .object("components", components(more))
      .str();
}

}  // namespace clawperator::serve
