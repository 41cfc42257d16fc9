// How a loaded program comes to run at its hook: one mechanism, one file.
#pragma once

#include <memory>
#include <optional>

#include "dcompiler/world.hpp"

struct bpf_program;

namespace dt::probes {

/// Keeps a program attached for as long as it lives. Nothing outlives the process, however it ends.
class Attachment {
public:
    virtual ~Attachment() = default;

    /// Descriptor of the BPF link; -1 when there is none.
    virtual int link() const { return -1; }
};

struct AttachOptions {
    std::optional<uint32_t> cpu; ///< -x cpu: the only CPU to trace
};

class AttachMechanism {
public:
    virtual ~AttachMechanism() = default;

    /// Attaches a loaded program. The error says what was refused and, where there is one, the remedy; `code` is the errno.
    virtual Result<std::unique_ptr<Attachment>> attach(bpf_program* program, const Hook& hook, const AttachOptions& options) const = 0;

    /// May another thread run on the CPU while a program does? Tracepoints, kprobes and what an interrupt runs exclude it; trampolines do not.
    virtual bool is_preemptible() const { return true; }
};

/// The mechanism for a kind of program, or null: TestRun programs are run by run_once().
const AttachMechanism* mechanism_for(ProgramKind kind);

/// Runs a raw tracepoint program once, now, in this process, with all context words 0 (BPF_PROG_TEST_RUN). With `cpu`, on that CPU.
Result<void> run_once(bpf_program* program, std::optional<uint32_t> cpu);

} // namespace dt::probes
