// Detects features by trying them. Kernel versions are not reliable: distributions back-port, and configurations
// differ. The last section detects whether uprobes damage the red zone.
#include "libdtrace/kernel/features.hpp"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <link.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <span>
#include <string>

#include "base/kernel_abi.hpp"
#include "machine/machine.hpp"
#include "probes/attach/uprobe.hpp"

namespace dt {
namespace {

/// Returns whether the kernel accepts the program.
bool loads(bpf_prog_type type, std::span<const bpf_insn> program)
{
    const int fd = bpf_prog_load(type, "dt_feature", "GPL", program.data(), program.size(), nullptr);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

bool try_task_pt_regs()
{
    const bpf_insn program[] = {
        call(BPF_FUNC_get_current_task_btf),
        copy(BPF_REG_1, BPF_REG_0),
        call(BPF_FUNC_task_pt_regs),
        mov(BPF_REG_0, 0),
        kExit,
    };
    return loads(BPF_PROG_TYPE_RAW_TRACEPOINT, program);
}

/// Tests the instructions of BPF cpu v4 that the compiler uses: signed division (offset 1), sign-extending moves
/// (offset is the width), and sign-extending loads (a mode of their own).
bool try_isa_v4()
{
    const bpf_insn program[] = {
        insn(BPF_ST | BPF_MEM | BPF_DW, BPF_REG_10, 0, -8, -6),
        insn(BPF_LDX | abi::kModeMemSx | BPF_W, BPF_REG_0, BPF_REG_10, -8, 0),
        insn(BPF_ALU64 | BPF_DIV | BPF_K, BPF_REG_0, 0, 1, 2),
        insn(BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_0, BPF_REG_0, 32, 0),
        kExit,
    };
    return loads(BPF_PROG_TYPE_RAW_TRACEPOINT, program);
}

/// Tests hash maps that allocate on demand. The test uses a perf event program: such programs run in NMI and were the
/// last kind to be allowed these maps.
bool try_hash_no_prealloc()
{
    LIBBPF_OPTS(bpf_map_create_opts, options);
    options.map_flags = BPF_F_NO_PREALLOC;
    const int map = bpf_map_create(BPF_MAP_TYPE_HASH, "dt_feature", 8, 8, 1, &options);
    if (map < 0)
        return false;
    const bpf_insn program[] = {
        insn(BPF_ST | BPF_MEM | BPF_DW, BPF_REG_10, 0, -8, 0),
        copy(BPF_REG_2, BPF_REG_10),
        insn(BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_2, 0, 0, -8),
        insn(BPF_LD | BPF_DW | BPF_IMM, BPF_REG_1, BPF_PSEUDO_MAP_FD, 0, map),
        kSecondHalf,
        call(BPF_FUNC_map_lookup_elem),
        mov(BPF_REG_0, 0),
        kExit,
    };
    const bool accepted = loads(BPF_PROG_TYPE_PERF_EVENT, program);
    close(map);
    return accepted;
}

} // namespace

Features find_features()
{
    Features features;
    const bpf_insn nothing[] = {mov(BPF_REG_0, 0), kExit};
    if (!loads(BPF_PROG_TYPE_RAW_TRACEPOINT, nothing))
        return features; // without permission nothing can be tried
    features.task_pt_regs = try_task_pt_regs();
    features.isa_v4 = try_isa_v4();
    features.hash_no_prealloc = try_hash_no_prealloc();
    return features;
}

bool can_override_return()
{
    const bpf_insn program[] = {mov(BPF_REG_2, 0), call(BPF_FUNC_override_return), mov(BPF_REG_0, 0), kExit};
    return loads(BPF_PROG_TYPE_KPROBE, program);
}

bool can_read_anywhere(uint32_t cast)
{
    const bpf_insn program[] = {
        mov(BPF_REG_1, 0),
        mov(BPF_REG_2, 0),
        insn(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_KFUNC_CALL, 0, static_cast<int32_t>(cast)),
        insn(BPF_LDX | BPF_MEM | BPF_DW, BPF_REG_0, BPF_REG_0, 8, 0),
        mov(BPF_REG_0, 0),
        kExit,
    };
    return loads(BPF_PROG_TYPE_PERF_EVENT, program);
}

bool can_write_user_memory()
{
    const bpf_insn program[] = {
        mov(BPF_REG_1, 0),
        copy(BPF_REG_2, BPF_REG_10),
        insn(BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_2, 0, 0, -8),
        insn(BPF_ST | BPF_MEM | BPF_DW, BPF_REG_10, 0, -8, 0),
        mov(BPF_REG_3, 4),
        call(BPF_FUNC_probe_write_user),
        mov(BPF_REG_0, 0),
        kExit,
    };
    return loads(BPF_PROG_TYPE_KPROBE, program);
}

std::string missing_kernel_feature()
{
    const bpf_insn nothing[] = {mov(BPF_REG_0, 0), kExit};
    if (!loads(BPF_PROG_TYPE_RAW_TRACEPOINT, nothing))
        return {}; // without permission nothing can be tried
    if (libbpf_probe_bpf_helper(BPF_PROG_TYPE_RAW_TRACEPOINT, BPF_FUNC_loop, nullptr) != 0)
        return {};
    utsname kernel{};
    uname(&kernel);
    return std::string("Linux 5.17 or later is needed: this kernel (") + kernel.release + ") lacks bpf_loop()";
}

std::string missing_capability(int code)
{
    if (access("/sys/kernel/btf/vmlinux", R_OK) != 0)
        return "this kernel has no BTF (/sys/kernel/btf/vmlinux): use a kernel built with CONFIG_DEBUG_INFO_BTF=y";
    switch (code) {
    case ENOSYS:
        return "this kernel has no bpf(2) system call: use a kernel built with CONFIG_BPF_SYSCALL=y";
    case EPERM:
    case EACCES:
        return "no permission to use bpf(2): CAP_BPF and CAP_PERFMON, or CAP_SYS_ADMIN, are needed (in a container, "
               "run on the host or "
               "with --privileged; kernel lockdown must not be \"confidentiality\")";
    default:
        return {};
    }
}

// Detects whether uprobes damage the red zone. Since 6.18, kernels replace a probed five-byte nop by a call after its
// first hit. The call pushes its return address, but a leaf function of the System V ABI may keep data there. The test
// calls a function that stores a number below its stack pointer around such a nop, with a probe on the nop.

namespace {

constexpr int kTrialCalls = 8;

/// Returns the file offset of the byte at `address` in this program.
std::optional<uint64_t> file_offset(uintptr_t address)
{
    struct Search {
        uintptr_t address;
        std::optional<uint64_t> offset;
    } search{address, {}};
    dl_iterate_phdr(
        [](dl_phdr_info* program, std::size_t, void* data) {
            auto& search = *static_cast<Search*>(data);
            for (int i = 0; i < program->dlpi_phnum; ++i) {
                const ElfW(Phdr)& segment = program->dlpi_phdr[i];
                const uintptr_t into = search.address - program->dlpi_addr - segment.p_vaddr;
                if (segment.p_type == PT_LOAD && into < segment.p_filesz)
                    search.offset = into + segment.p_offset;
            }
            return 1; // stop after the first object, which is the program itself
        },
        &search);
    return search.offset;
}

} // namespace

bool uprobes_clobber_red_zone()
{
    const auto trial = machine::red_zone_trial();
    if (!trial)
        return false;
    const bpf_insn nothing[] = {mov(BPF_REG_0, 0), kExit};
    LIBBPF_OPTS(bpf_prog_load_opts, options);
    options.expected_attach_type = static_cast<bpf_attach_type>(abi::kTraceUprobeMulti);
    const int program =
        bpf_prog_load(BPF_PROG_TYPE_KPROBE, "dt_red_zone", "GPL", nothing, std::size(nothing), &options);
    if (program < 0)
        return false;
    const auto offset = file_offset(reinterpret_cast<uintptr_t>(trial->nop));
    const auto probe = offset ? probes::attach_uprobe(program, "/proc/self/exe", *offset, getpid()) : nullptr;
    close(program);
    bool kept = true;
    for (int i = 0; probe && i < kTrialCalls; ++i)
        kept &= trial->kept() == 1;
    return !kept;
}

} // namespace dt
