// Kernels from 6.18 on replace a probed nop of five bytes by a call when it was hit once. The call pushes its return address, and a leaf function of the
// System V ABI may have data there. So: a function that keeps a number below its stack pointer across such a nop, a probe on the nop, a few calls.
#include "libdtrace/world/red_zone.hpp"

#include <bpf/bpf.h>
#include <link.h>
#include <unistd.h>

#include <cstdint>
#include <optional>

#include "base/kernel_abi.hpp"
#include "libdtrace/world/instructions.hpp"
#include "probes/attach/uprobe.hpp"

#if defined(__x86_64__)
extern "C" {
long dt_red_zone_kept(void); ///< returns what it was told to keep, 1
extern const char dt_red_zone_nop[];
}
asm(".pushsection .text\n"
    ".balign 32\n"
    ".type dt_red_zone_kept, @function\n"
    "dt_red_zone_kept:\n"
    "  movq $1, -8(%rsp)\n"
    "dt_red_zone_nop:\n"
    "  .byte 0x0f, 0x1f, 0x44, 0x00, 0x00\n"
    "  movq -8(%rsp), %rax\n"
    "  ret\n"
    ".size dt_red_zone_kept, . - dt_red_zone_kept\n"
    ".popsection\n");
#endif

namespace dt {
namespace {

#if defined(__x86_64__)
constexpr int kCalls = 8;

/// Where the byte at `address` is in this program's file.
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
            return 1; // the program itself comes first
        },
        &search);
    return search.offset;
}
#endif

} // namespace

bool uprobes_clobber_red_zone()
{
#if defined(__x86_64__)
    const bpf_insn nothing[] = {mov(BPF_REG_0, 0), kExit};
    LIBBPF_OPTS(bpf_prog_load_opts, options);
    options.expected_attach_type = static_cast<bpf_attach_type>(abi::kTraceUprobeMulti);
    const int program = bpf_prog_load(BPF_PROG_TYPE_KPROBE, "dt_red_zone", "GPL", nothing, std::size(nothing), &options);
    const auto offset = file_offset(reinterpret_cast<uintptr_t>(dt_red_zone_nop));
    if (program < 0)
        return false;
    const auto probe = offset ? probes::attach_uprobe(program, "/proc/self/exe", *offset, getpid()) : nullptr;
    close(program);
    bool kept = true;
    for (int i = 0; probe && i < kCalls; ++i)
        kept &= dt_red_zone_kept() == 1;
    return !kept;
#else
    return false;
#endif
}

} // namespace dt
