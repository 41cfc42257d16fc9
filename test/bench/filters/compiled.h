/* Declares the filters of compiled.c. Each returns 1 if an event passes. */
#ifndef DT_BENCH_FILTERS_COMPILED_H
#define DT_BENCH_FILTERS_COMPILED_H

#ifdef __cplusplus
extern "C" {
#endif

int dt_compiled_chain_1(const void* event);
int dt_compiled_chain_2(const void* event);
int dt_compiled_chain_4(const void* event);
int dt_compiled_chain_8(const void* event);
int dt_compiled_chain_16(const void* event);
int dt_compiled_packet(const void* event);
int dt_compiled_switch(const void* event);

#ifdef __cplusplus
}
#endif

#endif
