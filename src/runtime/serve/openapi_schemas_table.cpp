// The shapes of bodies and answers, as JSON Schema.
#include "runtime/serve/route_table.hpp"

namespace clawperator::serve {
namespace {

constexpr auto kSchemas = std::to_array<OpenApiSchema>({
    {"Text", R"({"type":"string"})"},
    {"Binary", R"({"type":"string","format":"binary"})"},
    {"OpenApi", R"({"type":"object","required":["openapi","info","paths"]})"},
    {"Ok", R"({"type":"object","required":["ok"],"properties":{"ok":{"const":true}},)"
           R"("additionalProperties":false})"},
    {"Error", R"({"type":"object","required":["ok","error"],"properties":{"ok":{"const":false},)"
              R"("error":{"type":"object","required":["code","message"],"properties":{)"
              R"("code":{"type":"string"},"message":{"type":"string"},"hint":{"type":"string"},)"
              R"("details":{"type":"object"}}},"deviceId":{"type":"string"}}})"},
    {"Index",
     R"({"type":"object","required":["ok","name","routes"],"properties":{"ok":{"const":true},)"
     R"("name":{"const":"clawperator"},"routes":{"type":"array","items":{"type":"object",)"
     R"("required":["method","path","summary"],"properties":{"method":{"type":"string"},)"
     R"("path":{"type":"string"},"summary":{"type":"string"}}}}}})"},
    {"SessionRequest",
     R"({"type":"object","required":["token"],"properties":{"token":{"type":"string"}}})"},
    {"SessionBegun",
     R"({"type":"object","required":["ok","tokenRequired"],"properties":{"ok":{"const":true},)"
     R"("tokenRequired":{"type":"boolean"}}})"},
    {"Devices",
     R"({"type":"object","required":["ok","devices"],"properties":{"ok":{"const":true},)"
     R"("devices":{"type":"array","items":{"type":"object",)"
     R"("required":["serial","state","transport"],"properties":{"serial":{"type":"string"},)"
     R"("state":{"type":"string"},"transport":{"type":"string"}}}}}})"},
    {"Tree", R"({"type":"object"})"},
    {"Micros", R"({"type":"object","required":["p50","p95","p99","max"],)"
               R"("additionalProperties":{"type":"integer","minimum":0}})"},
    {"Stats",
     R"({"type":"object","required":["ok","deviceId","verbs"],"properties":{"ok":{"const":true},)"
     R"("deviceId":{"type":"string"},"verbs":{"type":"object","additionalProperties":{)"
     R"("type":"object","required":["count","errors","micros"],"properties":{)"
     R"("count":{"type":"integer"},"errors":{"type":"integer"},"micros":{"type":"object",)"
     R"("additionalProperties":{"$ref":"#/components/schemas/Micros"}}}}}}})"},
    {"InputRequest",
     R"({"oneOf":[)"
     R"({"type":"object","required":["type","x","y"],"additionalProperties":false,"properties":{)"
     R"("verify":{"$ref":"#/components/schemas/Verify"},"settleMs":{"$ref":"#/components/schemas/SettleMs"},)"
     R"("type":{"const":"tap"},"x":{"$ref":"#/components/schemas/Coordinate"},)"
     R"("y":{"$ref":"#/components/schemas/Coordinate"}}},)"
     R"({"type":"object","required":["type","x1","y1","x2","y2"],"additionalProperties":false,)"
     R"("properties":{)"
     R"("verify":{"$ref":"#/components/schemas/Verify"},"settleMs":{"$ref":"#/components/schemas/SettleMs"},)"
     R"("type":{"const":"swipe"},"x1":{"$ref":"#/components/schemas/Coordinate"},)"
     R"("y1":{"$ref":"#/components/schemas/Coordinate"},)"
     R"("x2":{"$ref":"#/components/schemas/Coordinate"},)"
     R"("y2":{"$ref":"#/components/schemas/Coordinate"},)"
     R"("durationMs":{"type":"integer","minimum":0,"maximum":10000}}},)"
     R"({"type":"object","required":["type","key"],"additionalProperties":false,"properties":{)"
     R"("verify":{"$ref":"#/components/schemas/Verify"},"settleMs":{"$ref":"#/components/schemas/SettleMs"},)"
     R"("type":{"const":"key"},"key":{"oneOf":[{"type":"integer","minimum":1,"maximum":288},)"
     R"({"type":"string","pattern":"^(KEYCODE_[A-Z0-9_]+|[0-9]{1,3})$"}]}}},)"
     R"({"type":"object","required":["type","text"],"additionalProperties":false,"properties":{)"
     R"("verify":{"$ref":"#/components/schemas/Verify"},"settleMs":{"$ref":"#/components/schemas/SettleMs"},)"
     R"("type":{"const":"text"},"text":{"type":"string","minLength":1,"maxLength":1000,)"
     R"("pattern":"^[ -~]+$"}}}]})"},
    {"Backend", R"({"enum":["app","shell"]})"},
    {"Verify", R"({"enum":["changed","settled"]})"},
    {"SettleMs", R"({"type":"integer","minimum":0,"maximum":10000,"default":300})"},
    {"Effect", R"({"enum":["changed","unchanged","unknown","unobserved"]})"},
    {"Proof", R"({"enum":["tree","pixels"]})"},
    {"Settled", R"({"type":["boolean","null"]})"},
    {"Coordinate", R"({"type":"integer","minimum":0,"maximum":32767})"},
    {"InputSent",
     R"({"type":"object","required":["ok","deviceId","backend","effect"],"properties":{)"
     R"("ok":{"const":true},"deviceId":{"type":"string"},"backend":{"const":"shell"},)"
     R"("effect":{"$ref":"#/components/schemas/Effect"},"proof":{"$ref":"#/components/schemas/Proof"},)"
     R"("settled":{"$ref":"#/components/schemas/Settled"}}})"},
    {"ExecuteRequest",
     R"({"type":"object","required":["execution"],"properties":{)"
     R"("execution":{"$ref":"#/components/schemas/Execution"},)"
     R"("verify":{"$ref":"#/components/schemas/Verify"},"settleMs":{"$ref":"#/components/schemas/SettleMs"},)"
     R"("miss":{"type":"boolean","default":false},"nth":{"type":"integer","minimum":1,"maximum":65535},)"
     R"("queue":{"type":"boolean"},"queueTimeoutMs":{"type":"integer","minimum":1,"maximum":3600000},)"
     R"("backend":{"$ref":"#/components/schemas/Backend"},)"
     R"("deviceId":{"type":"string"},"operatorPackage":{"type":"string","minLength":1}}})"},
    {"SnapshotRequest",
     R"({"type":"object","properties":{"deviceId":{"type":"string"},)"
     R"("queue":{"type":"boolean"},"queueTimeoutMs":{"type":"integer","minimum":1,"maximum":3600000},)"
     R"("backend":{"$ref":"#/components/schemas/Backend"},)"
     R"("operatorPackage":{"type":"string","minLength":1}}})"},
    {"ScreenshotRequest",
     R"({"type":"object","properties":{"deviceId":{"type":"string"},)"
     R"("queue":{"type":"boolean"},"queueTimeoutMs":{"type":"integer","minimum":1,"maximum":3600000},)"
     R"("backend":{"$ref":"#/components/schemas/Backend"},)"
     R"("operatorPackage":{"type":"string","minLength":1},)"
     R"("path":{"type":"string","minLength":1}}})"},
    {"Envelope",
     R"({"type":"object","required":["commandId","taskId","status","stepResults","error"],)"
     R"("properties":{"commandId":{"type":"string"},"taskId":{"type":"string"},)"
     R"("status":{"enum":["success","failed"]},"stepResults":{"type":"array","items":{)"
     R"("type":"object","required":["id","actionType","success","data"],"properties":{)"
     R"("id":{"type":"string"},"actionType":{"type":"string"},"success":{"type":"boolean"},)"
     R"("data":{"type":"object","additionalProperties":{"type":"string"}}}}},)"
     R"("error":{"type":["string","null"]},"errorCode":{"type":"string"},)"
     R"("hint":{"type":"string"}}})"},
    {"Executed",
     R"({"type":"object","required":["ok","envelope","deviceId","terminalSource"],)"
     R"("properties":{"ok":{"const":true},"envelope":{"$ref":"#/components/schemas/Envelope"},)"
     R"("deviceId":{"type":"string"},"terminalSource":{"const":"clawperator_result"},)"
     R"("backend":{"const":"shell"},"effect":{"$ref":"#/components/schemas/Effect"},)"
     R"("proof":{"$ref":"#/components/schemas/Proof"},"settled":{"$ref":"#/components/schemas/Settled"},)"
     R"("matches":{"type":"integer"},"taken":{"type":"string"},"miss":{"type":"object"}}})"},
    {"McpMessage",
     R"({"type":"object","required":["jsonrpc","method"],"properties":{"jsonrpc":{"const":"2.0"},)"
     R"("id":{"type":["string","integer"]},"method":{"type":"string"},"params":{"type":"object"}}})"},
    {"McpReply",
     R"({"type":"object","required":["jsonrpc","id"],"properties":{"jsonrpc":{"const":"2.0"},)"
     R"("id":{"type":["string","integer","null"]},"result":{"type":"object"},)"
     R"("error":{"type":"object","required":["code","message"],"properties":{)"
     R"("code":{"type":"integer"},"message":{"type":"string"}}}}})"},
    {"NameRequest", R"({"type":"object","properties":{"name":{"type":"string"}}})"},
    {"CreateAvdRequest",
     R"({"type":"object","properties":{"name":{"type":"string"},)"
     R"("apiLevel":{"type":"integer","minimum":21,"maximum":99},"deviceProfile":{"type":"string"},)"
     R"("abi":{"enum":["arm64-v8a","x86_64"]},"playStore":{"type":"boolean"},)"
     R"("force":{"type":"boolean","default":false}}})"},
    {"Avd",
     R"({"type":"object","required":["name","exists","running","apiLevel","abi","playStore",)"
     R"("deviceProfile","systemImage","supported","unsupportedReasons"],"properties":{)"
     R"("ok":{"const":true},"name":{"type":"string"},"exists":{"type":"boolean"},)"
     R"("running":{"type":"boolean"},"apiLevel":{"type":["integer","null"]},)"
     R"("abi":{"type":["string","null"]},"playStore":{"type":"boolean"},)"
     R"("deviceProfile":{"type":["string","null"]},"systemImage":{"type":["string","null"]},)"
     R"("supported":{"type":"boolean"},"unsupportedReasons":{"type":"array",)"
     R"("items":{"type":"string"}}}})"},
    {"Avds", R"({"type":"object","required":["ok","avds"],"properties":{"ok":{"const":true},)"
             R"("avds":{"type":"array","items":{"$ref":"#/components/schemas/Avd"}}}})"},
    {"AvdDeleted", R"({"type":"object","required":["ok","avdName","deleted"],"properties":{)"
                   R"("ok":{"const":true},"avdName":{"type":"string"},"deleted":{"const":true}}})"},
    {"RunningEmulators",
     R"({"type":"object","required":["ok","devices"],"properties":{"ok":{"const":true},)"
     R"("devices":{"type":"array","items":{"type":"object",)"
     R"("required":["type","avdName","serial","booted","supported"]}}}})"},
    {"EmulatorStarted",
     R"({"type":"object","required":["ok","type","avdName","serial","booted"],"properties":{)"
     R"("ok":{"const":true},"type":{"const":"emulator"},"avdName":{"type":"string"},)"
     R"("serial":{"type":"string"},"booted":{"type":"boolean"}}})"},
    {"EmulatorStopped",
     R"({"type":"object","required":["ok","avdName","stopped"],"properties":{)"
     R"("ok":{"const":true},"avdName":{"type":"string"},"serial":{"type":"string"},)"
     R"("stopped":{"const":true}}})"},
    {"Provisioned",
     R"({"type":"object","required":["ok","type","avdName","serial","booted","created",)"
     R"("started","reused"],"properties":{"ok":{"const":true}}})"},
});

}  // namespace

std::span<const OpenApiSchema> openapi_schemas() { return kSchemas; }

}  // namespace clawperator::serve
