// interrupted MS [still]: computes for MS ms between close(-1) and close(-2), and is interrupted every 8 ms for about 4
// ms. For this, twenty clocks of perf_event_open(2) fire together, and each runs a BPF program that reads the clock
// until 200 us have passed. Prints the kernel's own times of the thread, and "interrupt took NANOSECONDS TIMES": the
// total time of the BPF programs by their own clock, and their number. Exits with 2 if that is impossible here. With
// "still" there are no interrupts.
#include "progs.h"

#include "moment.h"

#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

enum { kPeriod = 8000000, kClocks = 20, kSpin = 200000, kMaxLooks = 8000, kTime = 5 /* bpf_ktime_get_ns() */ };

struct taken {
    uint64_t time, times;
};

static int bpf(int command, union bpf_attr *attributes) { return (int)syscall(SYS_bpf, command, attributes, sizeof *attributes); }

static struct bpf_insn insn(int code, int to, int from, int offset, int number)
{
    return (struct bpf_insn){.code = (uint8_t)code, .dst_reg = (uint8_t)to & 15, .src_reg = (uint8_t)from & 15, .off = (int16_t)offset, .imm = number};
}

// BPF program: reads the clock until kSpin has passed, and adds that time to `taken` in the map. The verifier accepts
// no loops of more than 8,192 rounds, so the number of rounds is bounded.
static int load_program(int map)
{
    const struct bpf_insn code[] = {
        insn(BPF_JMP | BPF_CALL, 0, 0, 0, kTime),
        insn(BPF_ALU64 | BPF_MOV | BPF_X, 7, 0, 0, 0),
        insn(BPF_ALU64 | BPF_MOV | BPF_K, 6, 0, 0, 0),
        insn(BPF_JMP | BPF_CALL, 0, 0, 0, kTime), // reads the clock
        insn(BPF_ALU64 | BPF_SUB | BPF_X, 0, 7, 0, 0),
        insn(BPF_JMP | BPF_JGE | BPF_K, 0, 0, 2, kSpin),
        insn(BPF_ALU64 | BPF_ADD | BPF_K, 6, 0, 0, 1),
        insn(BPF_JMP | BPF_JLT | BPF_K, 6, 0, -5, kMaxLooks),
        insn(BPF_LD | BPF_IMM | BPF_DW, 1, BPF_PSEUDO_MAP_VALUE, 0, map),
        insn(0, 0, 0, 0, 0),
        insn(BPF_STX | BPF_ATOMIC | BPF_DW, 1, 0, 0, BPF_ADD),
        insn(BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 1),
        insn(BPF_STX | BPF_ATOMIC | BPF_DW, 1, 0, 8, BPF_ADD),
        // with the result 0, the kernel writes no sample for the perf event
        insn(BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, 0),
        insn(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
    };
    union bpf_attr load;
    memset(&load, 0, sizeof load);
    load.prog_type = BPF_PROG_TYPE_PERF_EVENT;
    load.insns = (uintptr_t)code;
    load.insn_cnt = sizeof code / sizeof code[0];
    load.license = (uintptr_t) "GPL";
    return bpf(BPF_PROG_LOAD, &load);
}

// Creates the clocks, disabled, and attaches the BPF program to each. Maps the value in the program's map into memory
// and returns it: total time and number of the program's runs. Returns NULL on failure.
static const volatile struct taken *make_clocks(int clocks[])
{
    struct perf_event_attr clock = {
        .type = PERF_TYPE_SOFTWARE, .size = sizeof clock, .config = PERF_COUNT_SW_CPU_CLOCK, .sample_period = kPeriod, .disabled = 1};
    union bpf_attr make;
    memset(&make, 0, sizeof make);
    make.map_type = BPF_MAP_TYPE_ARRAY;
    make.key_size = 4;
    make.value_size = sizeof(struct taken);
    make.max_entries = 1;
    make.map_flags = BPF_F_MMAPABLE;
    const int map = bpf(BPF_MAP_CREATE, &make), program = load_program(map);
    const void *shown = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, map, 0);
    if (program < 0 || shown == MAP_FAILED)
        return NULL;
    for (int i = 0; i < kClocks; ++i) {
        clocks[i] = (int)syscall(SYS_perf_event_open, &clock, 0, -1, i ? clocks[0] : -1, PERF_FLAG_FD_CLOEXEC);
        if (clocks[i] < 0 || ioctl(clocks[i], PERF_EVENT_IOC_SET_BPF, program))
            return NULL;
    }
    return shown;
}

int main(int argc, char **argv)
{
    int clocks[kClocks];
    if (argc != 2 && argc != 3)
        return usage("interrupted MS [still]");
    const long wanted = number(argv[1]) * 1000000;
    const volatile struct taken *taken = make_clocks(clocks);
    if (!taken)
        return 2;
    close(-1);
    const struct moment from = moment();
    if (argc == 2 && ioctl(clocks[0], PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP))
        return 2;
    while (clock_ns(CLOCK_THREAD_CPUTIME_ID) - from.on_cpu < wanted)
        ;
    ioctl(clocks[0], PERF_EVENT_IOC_DISABLE, PERF_IOC_FLAG_GROUP);
    const struct moment took = since(from);
    close(-2);
    const char *name = argc == 2 ? "interrupt" : "still";
    say_truth(name, took);
    printf("%s took %lu %lu\n", name, (unsigned long)taken->time, (unsigned long)taken->times);
    return 0;
}
