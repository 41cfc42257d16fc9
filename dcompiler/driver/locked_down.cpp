// On kernels that are locked down: turns tracepoint programs into typed ones, and reports data that programs cannot
// read.
#include "dcompiler/driver/locked_down.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "base/kernel_abi.hpp"
#include "dcompiler/ir/bpf.hpp"
#include "dcompiler/opt/typed_reads.hpp"

namespace dt {
namespace {

bool reads_kernel(const ir::Function& f)
{
    return std::any_of(f.instrs.begin(), f.instrs.end(), [](const ir::Instr& i) {
        return i.op == ir::Op::CallHelper &&
               (i.imm == ir::bpf::kProbeReadKernel || i.imm == ir::bpf::kProbeReadKernelStr);
    });
}

/// Returns a program's main function and all functions that it calls, directly or through other functions.
std::vector<ir::Function*> functions_of(ir::Module& module, const std::string& name)
{
    std::vector<ir::Function*> functions;
    const auto add = [&](ir::Function& f) {
        if (std::find(functions.begin(), functions.end(), &f) == functions.end())
            functions.push_back(&f);
    };
    for (ir::Function& f : module.functions)
        if (f.name == name)
            add(f);
    for (std::size_t i = 0; i < functions.size(); ++i)
        for (const ir::Instr& instr : functions[i]->instrs)
            if (instr.op == ir::Op::CallLocal)
                add(module.functions[static_cast<std::size_t>(instr.imm)]);
    return functions;
}

/// Turns a raw tracepoint's program into one for a typed tracepoint, if it reads kernel memory and the kernel knows the
/// types of the arguments.
void use_types(ir::Module& module, ProgramPlan& program, opt::ObjectMembers& members, std::string_view context)
{
    if (program.plan->kind != ProgramKind::RawTracepoint || program.plan->targets.size() != 1)
        return;
    const std::vector<ir::Function*> functions = functions_of(module, program.name);
    AttachPlan typed = *program.plan;
    typed.kind = ProgramKind::TypedTracepoint;
    if (std::none_of(functions.begin(), functions.end(), [](const ir::Function* f) { return reads_kernel(*f); }) ||
        !members.prototype(typed.section()))
        return;
    for (ir::Function* const f : functions) {
        if (f->section == program.plan->section())
            f->section = typed.section();
        if (f->context_type == program.plan->kind_info().context) {
            f->context_type = context;
            // Linux 6.1 does not support this context type in functions that it verifies separately
            f->verified_separately = false;
        }
    }
    program.plan = std::make_shared<const AttachPlan>(std::move(typed));
}

std::string text_at(const Span& at)
{
    return at.source && at.offset + at.length <= at.source->text.size() ? at.source->text.substr(at.offset, at.length)
                                                                        : std::string();
}

} // namespace

void avoid_kernel_reads(lower::Lowered& lowered, const Program& program, World& world, Diagnostics& diagnostics)
{
    opt::ObjectMembers members(world.running_types(), *program.types);
    const uint32_t cast = world.readable_cast();
    const std::string_view context = cast != 0 ? ir::kTaggedContext : info(ProgramKind::TypedTracepoint).context;
    for (ProgramPlan& each : lowered.schema.programs)
        use_types(lowered.module, each, members, context);
    const auto report = [&](const Span& at, const std::string& what) {
        diagnostics.error("D_UNKNOWN", at,
                          std::string(kLockedDown) + " and lets no program read " + what +
                              "\n\tprograms can read the memory of processes, and members of the current thread and of "
                              "arguments of tracepoints and fbt probes whose type the kernel's verifier knows");
    };
    // the probe itself reads these data, so no expression of the program can be named
    std::optional<Span> unnamed;
    const auto refuse = [&](const Span& at, const std::string& member) {
        const std::string text = text_at(at);
        if (member.empty() && text.empty())
            unnamed = at;
        else
            report(at, !member.empty() ? member : "the kernel's memory at " + text);
    };
    opt::replace_kernel_reads(lowered.module, {members, cast, refuse});
    if (unnamed && !diagnostics.has_errors())
        report(*unnamed, "the kernel's memory that contains the data of a probe");
}

} // namespace dt
