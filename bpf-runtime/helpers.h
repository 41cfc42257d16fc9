/* Kernel helpers by number (enum bpf_func_id, linux/bpf.h), and the macro for map definitions. */
#ifndef DT_HELPERS_H
#define DT_HELPERS_H

#include "bpf-runtime/abi.h"

static void *(*const bpf_map_lookup_elem)(void *map, const void *key) = (void *)1;
static long (*const bpf_map_update_elem)(void *map, const void *key, const void *value, dt_u64 flags) = (void *)2;
static dt_u64 (*const bpf_ktime_get_ns)(void) = (void *)5;
static dt_u32 (*const bpf_get_prandom_u32)(void) = (void *)7;
static dt_u64 (*const bpf_get_current_pid_tgid)(void) = (void *)14;
static long (*const bpf_get_current_comm)(void *buffer, dt_u32 size) = (void *)16;
static dt_u64 (*const bpf_get_current_task)(void) = (void *)35;
static long (*const bpf_probe_write_user)(void *dst, const void *src, dt_u32 size) = (void *)36;
static long (*const bpf_probe_read_user)(void *dst, dt_u32 size, const void *src) = (void *)112;
static long (*const bpf_probe_read_kernel)(void *dst, dt_u32 size, const void *src) = (void *)113;
static long (*const bpf_probe_read_kernel_str)(void *dst, dt_u32 size, const void *src) = (void *)115;
static long (*const bpf_send_signal_thread)(dt_u32 signal) = (void *)117;
static dt_u64 (*const bpf_ktime_get_boot_ns)(void) = (void *)125;
static void *(*const bpf_task_storage_get)(void *map, void *task, void *value, dt_u64 flags) = (void *)156;
static void *(*const bpf_get_current_task_btf)(void) = (void *)158;
static dt_u64 (*const bpf_get_attach_cookie)(void *context) = (void *)174;
static long (*const bpf_task_pt_regs)(dt_u64 task) = (void *)175;
static long (*const bpf_loop)(dt_u32 count, void *callback, void *context, dt_u64 flags) = (void *)181;

/* Member of a map definition: libbpf reads numbers from the types of such pointers. */
#define MAP(kind, value) int(*kind)[value]

#endif
