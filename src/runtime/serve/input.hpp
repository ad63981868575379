#pragma once
// POST /devices/:serial/input: what a hand would do, by the device's own `input`, without the app.

#include "runtime/act/input_body.hpp"
#include "runtime/host/verbs/device_keys.hpp"
#include "runtime/serve/service.hpp"

namespace clawperator::serve {

// The device that took it: counted, and told to the events as
// clawperator:input. What the tools of POST /mcp give is such, too.
Task<InputDone> give_and_tell(Service* service, TargetOptions target, act::InputBody input);

// {"ok":true,"deviceId","backend":"shell","effect":"unobserved"}: it was sent, and nobody has
// looked at what came of it, unless the body says `verify`.
Task<http::Response> answer_input(Service* service, Call call);

}  // namespace clawperator::serve
