// adbd ends its USB worker by calling pthread_kill until that says ESRCH, which bionic does for a
// thread that has ended. glibc from 2.34 on says 0 until the thread is joined: Debian's adbd would
// loop for ever after the first disconnect. Preloaded, this gives it the answer of Android.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

int pthread_kill(pthread_t thread, int signal) {
  clockid_t clock;
  if (pthread_getcpuclockid(thread, &clock) == ESRCH) return ESRCH;
  int (*next)(pthread_t, int) = (int (*)(pthread_t, int))dlsym(RTLD_NEXT, "pthread_kill");
  return next(thread, signal);
}
