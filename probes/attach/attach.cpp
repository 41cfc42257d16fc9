// Chooses the attach mechanism for each kind of program, adopts existing links, and runs the programs of BEGIN and END.
#include "probes/attach/attach.hpp"

#include <bpf/bpf.h>

#include <cerrno>
#include <cstring>

#include "probes/attach/mechanisms.hpp"

namespace dt::probes {

namespace {

struct MechanismRow {
    ProgramKind kind;
    const AttachMechanism& (*mechanism)();
};

constexpr MechanismRow kMechanisms[] = {
    {.kind = ProgramKind::RawTracepoint, .mechanism = raw_tracepoint_mechanism},
    {.kind = ProgramKind::PerfEvent, .mechanism = perf_event_mechanism},
    {.kind = ProgramKind::Kprobe, .mechanism = kprobe_mechanism},
    {.kind = ProgramKind::Kretprobe, .mechanism = kretprobe_mechanism},
    {.kind = ProgramKind::KprobeMulti, .mechanism = kprobe_multi_mechanism},
    {.kind = ProgramKind::KretprobeMulti, .mechanism = kretprobe_multi_mechanism},
    {.kind = ProgramKind::KprobeSession, .mechanism = kprobe_session_mechanism},
    {.kind = ProgramKind::Fentry, .mechanism = trampoline_mechanism},
    {.kind = ProgramKind::Fexit, .mechanism = trampoline_mechanism},
    {.kind = ProgramKind::Tracepoint, .mechanism = tracepoint_mechanism},
    {.kind = ProgramKind::Uprobe, .mechanism = uprobe_mechanism},
    {.kind = ProgramKind::Uretprobe, .mechanism = uretprobe_mechanism},
    {.kind = ProgramKind::UprobeMulti, .mechanism = uprobe_multi_mechanism},
    {.kind = ProgramKind::UretprobeMulti, .mechanism = uretprobe_multi_mechanism},
    {.kind = ProgramKind::FentryMulti, .mechanism = fentry_multi_mechanism},
    {.kind = ProgramKind::TypedTracepoint, .mechanism = typed_tracepoint_mechanism},
    {.kind = ProgramKind::Iterator, .mechanism = iterator_mechanism},
};

} // namespace

const AttachMechanism* mechanism_for(ProgramKind kind)
{
    for (const MechanismRow& row : kMechanisms)
        if (row.kind == kind)
            return &row.mechanism();
    // programs of these kinds are never attached to a hook: this process runs them, or other programs call them
    return nullptr;
}

namespace {

/// A link that another process made. Several adopted links may share one program; the first link also owns the
/// program's descriptor.
class AdoptedLink final : public Attachment {
public:
    AdoptedLink(int link, int program) : link_(link), program_(program) {}
    ~AdoptedLink() override
    {
        close(link_);
        if (program_ >= 0)
            close(program_);
    }
    int link() const override { return link_; }

private:
    int link_, program_;
};

int program_of_link(int link)
{
    bpf_link_info info{};
    uint32_t size = sizeof info;
    if (bpf_obj_get_info_by_fd(link, &info, &size) != 0)
        return -errno;
    const int program = bpf_prog_get_fd_by_id(info.prog_id);
    return program < 0 ? -errno : program;
}

} // namespace

std::pair<Attached, int> adopt_links(const std::vector<int>& links)
{
    Attached result;
    const int program = links.empty() ? -ENOENT : program_of_link(links.front());
    for (const int link : links)
        result.attachments.push_back(std::make_unique<AdoptedLink>(link, result.attachments.empty() ? program : -1));
    return {std::move(result), program};
}

// Runs the programs of BEGIN and END synchronously in this process, so they see dtrace as the current task. Nothing is
// attached.
//
// BPF_PROG_TEST_RUN supports raw tracepoint programs from kernel 5.10 (net/bpf/test_run.c). The context that is passed
// to the program may have up to 12 words.

Result<void> run_once(int program, const std::string& name, std::optional<uint32_t> cpu)
{
    uint64_t context[12] = {};
    LIBBPF_OPTS(bpf_test_run_opts, options);
    options.ctx_in = context;
    options.ctx_size_in = sizeof context;
    if (cpu) {
        options.flags = BPF_F_TEST_RUN_ON_CPU;
        options.cpu = *cpu;
    }
    if (bpf_prog_test_run_opts(program, &options) == 0)
        return {};
    const int code = errno;
    if (cpu && (code == ENXIO || code == EINVAL))
        return Error{"CPU " + std::to_string(*cpu) + " is not online", code};
    return Error{"cannot run " + name + ": " + std::strerror(code), code};
}

// Attaches many targets by few links, and finds the targets that the kernel refuses by halving batches. For a batch
// that can be halved n times and contains r refused targets, this needs at most 2 * r * n attempts.

void Batches::refuse(const AttachTarget* target, int code)
{
    result_.refusals.push_back(refusal_(code));
    result_.refusals.back().target = target;
}

void Batches::attach(Targets first, std::size_t count)
{
    const int code = try_(first, count, result_);
    if (code == 0)
        return;
    const RefusalScope blame = scope_(code);
    if (blame == RefusalScope::Kind) {
        refused_ = code;
        return;
    }
    if (count == 1 || blame == RefusalScope::Batch) {
        for (std::size_t i = 0; i < count; ++i)
            refuse(first[i], code);
        return;
    }
    attach(first, count / 2);
    if (refused_ == 0)
        attach(first + count / 2, count - count / 2);
}

} // namespace dt::probes
