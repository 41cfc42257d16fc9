# Sourced by tests of probes that fire inside other programs, which the kernel skips: that is told, and is no fault of theirs.
but_skipped() { grep -v -e 'the kernel does not run a probe that fires inside another one' -e '^dtrace: lost: [0-9,]* firings* (the kernel' "$1" || true; } # FILE
