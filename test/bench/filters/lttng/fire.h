/* Declares the function that fires the tracepoint for each event in an array. */
#ifndef DT_BENCH_FILTERS_LTTNG_FIRE_H
#define DT_BENCH_FILTERS_LTTNG_FIRE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

void dt_fire_chain(const void* events, size_t count);
void dt_fire_packet(const void* events, size_t count);
void dt_fire_switch(const void* events, size_t count);

#ifdef __cplusplus
}
#endif

#endif
