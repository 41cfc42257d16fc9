// Checks whether this process may trace this kernel. Ends with status 0, or with status 1 and one line with the reason.
//
// It loads a program of two instructions and attaches it to a raw tracepoint, as dtrace itself does. In a container or
// a locked-down kernel, the kernel refuses to load or to attach it.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static long bpf(enum bpf_cmd command, union bpf_attr* attr)
{
    return syscall(SYS_bpf, command, attr, sizeof(*attr));
}

static int refuse(const char* what)
{
    printf("%s: %s\n", what, strerror(errno));
    return 1;
}

int main(void)
{
    // r0 = 0; exit
    static const struct bpf_insn code[] = {
        {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = 0},
        {.code = BPF_JMP | BPF_EXIT},
    };
    union bpf_attr attr;

    memset(&attr, 0, sizeof(attr));
    attr.prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT;
    attr.insns = (uintptr_t)code;
    attr.insn_cnt = sizeof(code) / sizeof(code[0]);
    attr.license = (uintptr_t) "Dual BSD/GPL";
    long program = bpf(BPF_PROG_LOAD, &attr);
    if (program < 0)
        return refuse("BPF program refused");

    memset(&attr, 0, sizeof(attr));
    attr.raw_tracepoint.name = (uintptr_t) "sys_enter";
    attr.raw_tracepoint.prog_fd = (uint32_t)program;
    if (bpf(BPF_RAW_TRACEPOINT_OPEN, &attr) < 0)
        return refuse("attaching to a tracepoint refused");

    if (access("/sys/kernel/btf/vmlinux", R_OK) != 0)
        return refuse("no type information in /sys/kernel/btf/vmlinux");
    return 0;
}
