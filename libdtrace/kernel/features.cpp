// Detects kernel features by trying them. Kernel versions are not reliable: distributions back-port, and configurations
// differ. The last section detects whether uprobes damage the red zone.
#include "libdtrace/kernel/features.hpp"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <link.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/kernel_abi.hpp"
#include "machine/machine.hpp"
#include "probes/attach/attach.hpp"
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

using TrialCode = std::vector<bpf_insn>;

/// Part of a trial program, which tests one feature. The part's instructions may change every register except R6, which
/// holds the program's context.
struct Trial {
    bool Features::*feature;
    TrialCode code;
};

/// Types that trial programs need: a map of task storage needs the BTF types of its key and value, and functions need
/// BTF types too.
class TrialTypes {
public:
    TrialTypes() : btf_(btf__new_empty())
    {
        number_ = btf__add_int(btf_, "int", sizeof(int), BTF_INT_SIGNED);
        const int plain = btf__add_func_proto(btf_, number_);
        const int pointer = btf__add_ptr(btf_, number_);
        const int with_memory = btf__add_func_proto(btf_, number_);
        btf__add_func_param(btf_, "memory", pointer);
        main_ = btf__add_func(btf_, "dt_feature", BTF_FUNC_STATIC, plain);
        callback_ = btf__add_func(btf_, "dt_callback", BTF_FUNC_STATIC, plain);
        memory_function_ = btf__add_func(btf_, "dt_memory", BTF_FUNC_GLOBAL, with_memory);
        // a failure is not reported here: without the types, the trials that need them will fail
        btf__load_into_kernel(btf_);
    }
    ~TrialTypes() { btf__free(btf_); }
    TrialTypes(const TrialTypes&) = delete;
    TrialTypes& operator=(const TrialTypes&) = delete;

    /// Creates a map of task storage. Returns its descriptor, or a negative number.
    int make_task_storage() const
    {
        LIBBPF_OPTS(bpf_map_create_opts, options);
        options.map_flags = BPF_F_NO_PREALLOC;
        options.btf_fd = static_cast<uint32_t>(btf__fd(btf_));
        options.btf_key_type_id = options.btf_value_type_id = static_cast<uint32_t>(number_);
        return bpf_map_create(BPF_MAP_TYPE_TASK_STORAGE, "dt_feature", sizeof(int), sizeof(int), 0, &options);
    }

    /// Returns whether the kernel accepts a kprobe program that consists of the given parts and of the functions that
    /// they call.
    bool accept(std::span<const Trial> trials) const
    {
        TrialCode program = {copy(BPF_REG_6, BPF_REG_1)};
        const TrialCode end = {mov(BPF_REG_0, 0), kExit};
        for (const Trial& trial : trials)
            program.insert(program.end(), trial.code.begin(), trial.code.end());
        program.insert(program.end(), end.begin(), end.end());
        std::vector<bpf_func_info> functions = {{0, static_cast<uint32_t>(main_)}};
        for (std::size_t i = 0; i < program.size(); ++i) {
            const bool takes_callback =
                program[i].code == (BPF_LD | BPF_DW | BPF_IMM) && program[i].src_reg == BPF_PSEUDO_FUNC;
            const bool calls = program[i].code == (BPF_JMP | BPF_CALL) && program[i].src_reg == BPF_PSEUDO_CALL;
            if (!takes_callback && !calls)
                continue;
            program[i].imm = static_cast<int32_t>(program.size() - i - 1);
            functions.push_back({static_cast<uint32_t>(program.size()),
                                 static_cast<uint32_t>(takes_callback ? callback_ : memory_function_)});
            program.insert(program.end(), end.begin(), end.end());
        }
        LIBBPF_OPTS(bpf_prog_load_opts, options);
        options.prog_btf_fd = static_cast<uint32_t>(btf__fd(btf_));
        options.func_info = functions.data();
        options.func_info_cnt = static_cast<uint32_t>(functions.size());
        options.func_info_rec_size = sizeof(functions[0]);
        const int fd =
            bpf_prog_load(BPF_PROG_TYPE_KPROBE, "dt_feature", "GPL", program.data(), program.size(), &options);
        if (fd >= 0)
            close(fd);
        return fd >= 0;
    }

private:
    btf* btf_;
    int number_, main_, callback_, memory_function_;
};

/// Returns parts of trial programs. Each part uses one feature that appeared in Linux 5.11 to 5.17. `storage` is a map
/// of task storage.
std::vector<Trial> trials_of_newer_kernels(int storage)
{
    const auto atomic = [](int operation) {
        return insn(BPF_STX | BPF_ATOMIC | BPF_DW, BPF_REG_10, BPF_REG_1, -8, operation);
    };
    const bpf_insn clear_word = insn(BPF_ST | BPF_MEM | BPF_DW, BPF_REG_10, 0, -8, 0);
    return {
        {&Features::fetching_atomics,
         {clear_word, mov(BPF_REG_0, 0), mov(BPF_REG_1, 1), atomic(BPF_ADD | BPF_FETCH), atomic(BPF_XCHG),
          atomic(BPF_CMPXCHG)}},
        {&Features::current_task_btf, {call(BPF_FUNC_get_current_task_btf)}},
        {&Features::task_pt_regs,
         {call(BPF_FUNC_get_current_task_btf), copy(BPF_REG_1, BPF_REG_0), call(BPF_FUNC_task_pt_regs)}},
        {&Features::attach_cookie, {copy(BPF_REG_1, BPF_REG_6), call(BPF_FUNC_get_attach_cookie)}},
        {&Features::func_ip, {copy(BPF_REG_1, BPF_REG_6), call(BPF_FUNC_get_func_ip)}},
        {&Features::task_storage,
         {call(BPF_FUNC_get_current_task_btf), copy(BPF_REG_2, BPF_REG_0),
          insn(BPF_LD | BPF_DW | BPF_IMM, BPF_REG_1, BPF_PSEUDO_MAP_FD, 0, storage), kSecondHalf, mov(BPF_REG_3, 0),
          mov(BPF_REG_4, 0), call(BPF_FUNC_task_storage_get)}},
        {&Features::bpf_loop,
         {mov(BPF_REG_1, 1), insn(BPF_LD | BPF_DW | BPF_IMM, BPF_REG_2, BPF_PSEUDO_FUNC, 0, 0), kSecondHalf,
          mov(BPF_REG_3, 0), mov(BPF_REG_4, 0), call(BPF_FUNC_loop)}},
        {&Features::kernel_reads,
         {copy(BPF_REG_1, BPF_REG_10), insn(BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_1, 0, 0, -8), mov(BPF_REG_2, 8),
          mov(BPF_REG_3, 0), call(BPF_FUNC_probe_read_kernel)}},
        {&Features::memory_parameters,
         {clear_word, copy(BPF_REG_1, BPF_REG_10), insn(BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_1, 0, 0, -8),
          insn(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, 0)}},
    };
}

/// Tests bpf_get_stack(): on some kernels, a stack begins with two frames for the BPF program instead of one, namely
/// the program's own frame and the frame of the helper. Returns whether the running kernel is such a kernel.
bool repeats_program()
{
    std::array<uint64_t, 2> stack{};
    const int map = bpf_map_create(BPF_MAP_TYPE_ARRAY, "dt_feature", 4, sizeof stack, 1, nullptr);
    const bpf_insn program[] = {
        insn(BPF_LD | BPF_DW | BPF_IMM, BPF_REG_2, BPF_PSEUDO_MAP_VALUE, 0, map),
        kSecondHalf,
        mov(BPF_REG_3, sizeof stack),
        mov(BPF_REG_4, 0),
        call(BPF_FUNC_get_stack),
        mov(BPF_REG_0, 0),
        kExit,
    };
    const int loaded =
        bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "dt_feature", "GPL", program, std::size(program), {});
    LIBBPF_OPTS(bpf_test_run_opts, options);
    const uint32_t key = 0;
    const bool has_run = loaded >= 0 && bpf_prog_test_run_opts(loaded, &options) == 0 &&
                         bpf_map_lookup_elem(map, &key, stack.data()) == 0;
    for (const int descriptor : {loaded, map})
        if (descriptor >= 0)
            close(descriptor);
    return has_run && stack[0] != 0 && stack[0] == stack[1];
}

/// Tests whether hash maps accept keys of more than kMaxShortKey bytes (since Linux 5.11).
bool try_long_keys()
{
    const int map = bpf_map_create(BPF_MAP_TYPE_HASH, "dt_feature", kMaxShortKey + 8, 8, 1, nullptr);
    if (map >= 0)
        close(map);
    return map >= 0;
}

/// Tries the features that appeared from Linux 5.11 to 5.17, and reads of kernel memory, which lockdown forbids. One
/// program uses all of them. Only if the kernel refuses that program, each feature is tried by a separate program.
void try_newer_kernels(Features& features)
{
    const TrialTypes types;
    const int storage = types.make_task_storage();
    const std::vector<Trial> trials = trials_of_newer_kernels(storage);
    if (!types.accept(trials)) {
        for (const Trial& trial : trials)
            features.*trial.feature = types.accept({&trial, 1});
        features.stack_repeats_program = repeats_program();
        features.long_keys = try_long_keys();
    }
    if (storage >= 0)
        close(storage);
}

/// Tests the instructions of BPF cpu v4 that the compiler uses: signed division (offset 1), sign-extending moves (the
/// offset is the width), and sign-extending loads (which have their own mode).
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

/// Tests whether a chain of calls may use more than 512 bytes of stack in total.
bool try_separate_stacks()
{
    const bpf_insn use_most = insn(BPF_ST | BPF_MEM | BPF_DW, BPF_REG_10, 0, -400, 0), end = mov(BPF_REG_0, 0);
    const bpf_insn program[] = {use_most, insn(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, 2), end, kExit, use_most, end,
                                kExit};
    return loads(BPF_PROG_TYPE_KPROBE, program);
}

/// Tests whether all kinds of programs may use hash maps that allocate elements on demand. The trial is a perf event
/// program, the last kind for which the kernel allowed such maps, because it runs in NMI.
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
        return features; // without the permission to load programs, no feature can be tried
    try_newer_kernels(features);
    features.isa_v4 = try_isa_v4();
    features.separate_stacks = try_separate_stacks();
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
    const int program =
        bpf_prog_load(BPF_PROG_TYPE_RAW_TRACEPOINT, "dt_feature", "GPL", nothing, std::size(nothing), nullptr);
    if (program < 0)
        return {}; // without the permission to load programs, no feature can be tried
    const Result<void> ran = probes::run_once(program, "dt_feature", std::nullopt);
    close(program);
    if (ran || ran.error().code == EPERM)
        return {};
    utsname kernel{};
    uname(&kernel);
    return std::string("Linux 5.10 or later is needed; this is ") + kernel.release;
}

bool maps_are_limited()
{
    rlimit limit{};
    getrlimit(RLIMIT_MEMLOCK, &limit);
    const bpf_insn nothing[] = {mov(BPF_REG_0, 0), kExit};
    const bpf_insn since_5_11[] = {call(BPF_FUNC_ktime_get_coarse_ns), mov(BPF_REG_0, 0), kExit};
    return limit.rlim_cur != RLIM_INFINITY && loads(BPF_PROG_TYPE_RAW_TRACEPOINT, nothing) &&
           !loads(BPF_PROG_TYPE_RAW_TRACEPOINT, since_5_11);
}

std::string missing_capability(int code)
{
    if (access("/sys/kernel/btf/vmlinux", R_OK) != 0)
        return "this kernel has no BTF (/sys/kernel/btf/vmlinux): use a kernel built with CONFIG_DEBUG_INFO_BTF=y";
    switch (code) {
    case ENOSYS:
        return "this kernel has no bpf(2) system call: use a kernel built with CONFIG_BPF_SYSCALL=y";
    case EPERM:
        if (maps_are_limited())
            return "the maps of the trace exceed the limit of locked memory (ulimit -l), which kernels before 5.11 "
                   "apply to maps: raise the limit, or trace with CAP_SYS_RESOURCE";
        [[fallthrough]];
    case EACCES:
        return "no permission to use bpf(2): CAP_BPF and CAP_PERFMON, or CAP_SYS_ADMIN, are needed (in a container, "
               "run on the host or "
               "with --privileged; kernel lockdown must not be \"confidentiality\")";
    default:
        return {};
    }
}

// Detects whether uprobes damage the red zone. Since 6.18, kernels replace a probed five-byte nop by a call after the
// first hit. The call pushes its return address to the stack, but a leaf function of the System V ABI may have data
// there. The test calls a function that stores a value below its stack pointer, executes a probed five-byte nop, and
// reads the value again.

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
            return 1; // stops the iteration after the first object, which is the program itself
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
