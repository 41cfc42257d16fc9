/* What every runtime function includes: types, helpers, and how a function is exported.
 *
 * A function with scalar parameters is left global: the kernel verifies it once, by itself, however often a script calls it. */
#ifndef DT_RUNTIME_H
#define DT_RUNTIME_H

#include "bpf-runtime/abi.h"

#define DT_EXPORT __attribute__((noinline, used))

#endif
