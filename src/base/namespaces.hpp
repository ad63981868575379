#pragma once
// Who sees whose names without saying so: everybody base's, the runtime and the simulated phone the
// protocol library's.

namespace base {}
namespace adbproto {
using namespace base;
}
namespace clawperator {
using namespace adbproto;
}
namespace simdroid {
using namespace adbproto;
}
