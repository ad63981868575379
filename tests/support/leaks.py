"""LeakSanitizer searches a process's memory when it ends, which takes longer than most commands do. In the black-box
tests it searches the processes that stay: serve, the daemon, mcp. The tests that link the library search all of it."""
NOT_SEARCHED = {"ASAN_OPTIONS": "detect_leaks=0"}
SEARCHED = {"ASAN_OPTIONS": "detect_leaks=1"}
