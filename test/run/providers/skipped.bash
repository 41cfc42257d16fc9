# Sourced by tests whose probes can fire inside other programs. The kernel skips such hits and the tracer reports them; but_skipped removes these messages.
but_skipped() { grep -v -e 'the kernel skips a probe that fires while the program of a probe is running' -e '^dtrace: lost: [0-9,]* firings* (the kernel' "$1" || true; } # FILE
