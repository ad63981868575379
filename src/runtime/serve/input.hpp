#pragma once
// POST /devices/:serial/input: what a hand would do, by the device's own `input`, without the app.

#include "runtime/serve/service.hpp"

namespace clawperator::serve {

// {"ok":true,"deviceId","backend":"shell","effect":"unobserved"}: it was sent, and nobody has
// looked at what came of it. Told to the events as clawperator:input, before it is answered.
Task<http::Response> answer_input(Service* service, Call call);

}  // namespace clawperator::serve
