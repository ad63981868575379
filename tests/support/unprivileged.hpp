#pragma once
// File permissions that count, although the tests may be run by root: who a file is opened as.

#include <sys/fsuid.h>
#include <unistd.h>

namespace adbproto::testing {

class Unprivileged {
 public:
  Unprivileged() {
    if (::geteuid() == 0) ::setfsuid(kPlainUser);  // of this thread; takes root's file rights, too
  }
  ~Unprivileged() {
    if (::geteuid() == 0) ::setfsuid(0);
  }
  Unprivileged(const Unprivileged&) = delete;
  Unprivileged& operator=(const Unprivileged&) = delete;

 private:
  static constexpr uid_t kPlainUser = 65534;
};

}  // namespace adbproto::testing
