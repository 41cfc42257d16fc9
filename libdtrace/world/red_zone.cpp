// Detects whether uprobes damage the red zone. Since 6.18, kernels replace a probed five-byte nop by a call after its
// first hit. The call pushes its return address, but a leaf function of the System V ABI may keep data there. The test
// calls a function that stores a number below its stack pointer around such a nop, with a probe on the nop.
#include "libdtrace/world/red_zone.hpp"

#include <bpf/bpf.h>
#include <link.h>
#include <unistd.h>

#include <cstdint>
#include <optional>

#include "base/kernel_abi.hpp"
#include "libdtrace/world/instructions.hpp"
#include "machine/machine.hpp"
#include "probes/attach/uprobe.hpp"

namespace dt {
namespace {

constexpr int kCalls = 8;

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
    for (int i = 0; probe && i < kCalls; ++i)
        kept &= trial->kept() == 1;
    return !kept;
}

} // namespace dt
