// The compiler's driver, which calls the phases one after the other. Also checks that the sizes set by options are
// sufficient for the program's memory in the kernel.
#include "dcompiler/driver/compiler.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <utility>

#include "base/result.hpp"
#include "bpf-runtime/abi.h"
#include "dcompiler/driver/frontend.hpp"
#include "dcompiler/driver/locked_down.hpp"
#include "dcompiler/ir/bpf.hpp"
#include "dcompiler/ir/check.hpp"
#include "dcompiler/lower/core/layout.hpp"
#include "dcompiler/object/functions.hpp"

namespace dt {

/// Returns the message "Enabling exceeds size of buffer" if the program needs a size (aggsize, dynvarsize) that an
/// option sets to 0. Returns "Enabling exceeds memory limit" if the maps that are allocated when the program is loaded
/// exceed memlimit. `cpus` is the number of possible CPUs.
Result<void> check_capacity(const lower::Lowered& lowered, const CompileOptions& options, uint32_t cpus);

namespace {

std::vector<RestorableGlobal> restorable_globals(const Program& program)
{
    std::vector<RestorableGlobal> kept;
    for (const Variable& each : program.variables)
        if (each.scope == Scope::Global && each.keys.empty() && (each.type->is_scalar() || each.type->is_string()))
            kept.push_back({each.name, to_string(each.type), each.scratch_pointer});
    return kept;
}

/// Each runtime object (compiled C functions of bpf-runtime) has a plain variant for kernels that lack some features.
/// Returns whether this kernel needs it (DT_PLAIN_KERNEL in bpf-runtime/runtime.h).
bool needs_plain_runtime(const Features& features)
{
    return !features.bpf_loop || !features.fetching_atomics || !features.task_storage || !features.attach_cookie ||
           !features.current_task_btf || !features.task_pt_regs || !features.memory_parameters;
}

/// Returns the compiled objects of bpf-runtime, each in the variant that the kernel accepts.
std::vector<RuntimeObject> variants_for(std::span<const RuntimeObject> runtime, const Features& features)
{
    std::vector<RuntimeObject> objects(runtime.begin(), runtime.end());
    if (needs_plain_runtime(features))
        for (RuntimeObject& object : objects)
            if (!object.plain.empty())
                object.elf = object.plain;
    if (!features.kernel_reads)
        for (RuntimeObject& object : objects)
            if (!object.locked.empty())
                object.elf = object.locked;
    return objects;
}

} // namespace

struct Compiler::Impl {
    World& world;
    Diagnostics diagnostics;
    sema::Frontend front;
    lower::Lowered lowered;
    PassReport passes;
    PhaseTimes* steps = nullptr;

    Impl(World& world, OptionSet& options) : world(world), front(world, options, diagnostics) {}

    Result<std::vector<uint8_t>> generate(std::span<const RuntimeObject> runtime, lower::StackUse stack, int level,
                                          const ObjectParts& parts);
    Result<std::vector<uint8_t>> fitting(std::span<const RuntimeObject> runtime, const ObjectParts& parts);
    Result<std::vector<uint8_t>> emit(std::span<const RuntimeObject> runtime);
};

Compiler::Compiler(World& world, OptionSet& options) : impl_(std::make_unique<Impl>(world, options)) {}
Compiler::~Compiler() = default;

void Compiler::record_phases(PhaseTimes* steps)
{
    impl_->steps = steps;
}

bool Compiler::add(const Source& source, SpecKind kind, const Macros& macros)
{
    return impl_->front.add(source, kind, macros);
}

bool Compiler::add_libraries(const std::deque<Source>& libraries, const Macros& macros)
{
    return impl_->front.add_libraries(libraries, macros);
}

const std::string& Compiler::parse_tree() const
{
    return impl_->front.parse_tree();
}

const CompileOptions& Compiler::options() const
{
    return impl_->front.options();
}
const Program& Compiler::program() const
{
    return impl_->front.program();
}
const ir::Module& Compiler::module() const
{
    return impl_->lowered.module;
}
void Compiler::release_ir()
{
    impl_->lowered = {};
}
void Compiler::release_trees()
{
    impl_->front.release_trees();
}
const PassReport& Compiler::passes() const
{
    return impl_->passes;
}
Diagnostics& Compiler::diagnostics()
{
    return impl_->diagnostics;
}

/// Generates the code of the BPF object from the typed program.
Result<std::vector<uint8_t>> Compiler::Impl::generate(std::span<const RuntimeObject> runtime, lower::StackUse stack,
                                                      int level, const ObjectParts& parts)
{
    // Folder lower/: converts the typed program to IR.
    lowered = lower::lower(front.program(), world, front.options(), diagnostics, stack, parts, steps);
    if (diagnostics.has_errors())
        return Error{diagnostics.list().front().message};
    if (const auto fits = check_capacity(lowered, front.options(), world.target().cpus); !fits)
        return fits.error();
    if (!world.features().current_task_btf)
        opt::copy_task_reads(lowered.module);
    if (!world.features().kernel_reads)
        avoid_kernel_reads(lowered, front.program(), world, diagnostics);
    if (diagnostics.has_errors())
        return Error{diagnostics.list().front().message};
    passes = {.with_code = front.options().verbose, .level = level};
    optimise(lowered.module, level, stack == lower::StackUse::Compact ? kShortReach : kUsualReach,
             front.options().passtiming ? &passes : nullptr);              // folder opt/: optimizes the IR
    if (const auto sound = ir::verdict(ir::check(lowered.module)); !sound) // folder ir/: checks the IR
        return sound.error();
    // Maximum stack depth in bytes of functions of bpf-runtime; test/unit/lower_stack_test.cpp checks it. The plain
    // variants need more, because they call functions where the others pass callbacks to bpf_loop().
    lowered.module.runtime_stack = needs_plain_runtime(world.features()) ? 192 : 128;
    lowered.module.extends_signs = opt::uses(lowered.module, ir::Op::SExt) && world.features().isa_v4;
    done(steps, "optimise");
    return emit(runtime); // folders ebpf/ and object/: generate the BPF object
}

Result<std::vector<uint8_t>> Compiler::Impl::emit(std::span<const RuntimeObject> runtime)
{
    const auto start = std::chrono::steady_clock::now();
    auto elf = emit_elf(lowered.module, runtime, &lowered.schema.faults);
    done(steps, "emit");
    if (!elf || !front.options().passtiming)
        return elf;
    passes.emitting = std::chrono::steady_clock::now() - start;
    if (auto functions = read_functions(*elf))
        for (const ObjectFunction& function : *functions)
            passes.emitted += function.insns.size();
    return elf;
}

/// Generates code with the requested stack use and optimization level. If the code uses too much stack or has too many
/// instructions, tries again with less stack use and full optimization.
Result<std::vector<uint8_t>> Compiler::Impl::fitting(std::span<const RuntimeObject> runtime, const ObjectParts& parts)
{
    const int wanted = static_cast<int>(front.options().opt);
    // The errors ENOSPC (too much stack) and E2BIG (too many instructions) mean that the code does not fit.
    const auto too_much = [](const Error& error) { return error.code == ENOSPC || error.code == E2BIG; };
    auto elf = generate(runtime, lower::StackUse::Normal, wanted, parts);
    if (!elf && elf.error().code == ENOSPC)
        elf = generate(runtime, lower::StackUse::Compact, wanted, parts);
    if (!elf && too_much(elf.error()) && wanted < kAllOptimising)
        elf = generate(runtime, lower::StackUse::Normal, kAllOptimising, parts);
    if (!elf && elf.error().code == ENOSPC && wanted < kAllOptimising)
        elf = generate(runtime, lower::StackUse::Compact, kAllOptimising, parts);
    return elf;
}

Result<Object> Compiler::finish(std::span<const RuntimeObject> runtime, const ObjectParts& parts)
{
    Impl& c = *impl_;
    const std::vector<RuntimeObject> objects = variants_for(runtime, c.world.features());
    auto elf = c.fitting(objects, parts);
    if (!elf)
        return elf.error();
    if (const auto calls = runtime_calls(c.lowered.module); !calls.empty()) {
        elf = link(*elf, calls, objects); // links the called functions of folder bpf-runtime/
        if (!elf)
            return elf.error();
        done(c.steps, "link");
    }
    Object object;
    object.elf = std::move(*elf);
    object.schema = std::move(c.lowered.schema);
    object.schema.globals = restorable_globals(c.front.program());
    object.types = c.front.program().types;
    return object;
}

// Checks the sizes of buffers and maps before the program is loaded. So messages can name the options that set these
// sizes.

namespace {

/// Returns the size in bytes of data sections and array maps, which the kernel allocates completely when the program is
/// loaded. Hash maps grow up to their limit.
uint64_t bytes_of_whole_object(const ir::Module& module, uint32_t cpus)
{
    uint64_t bytes = 0;
    for (const ir::Data& data : module.data)
        bytes += data.size;
    for (const ir::Map& map : module.maps) {
        const uint64_t values = uint64_t{map.value_size} * map.max_entries;
        if (map.type == ir::bpf::kMapArray)
            bytes += values;
        else if (map.type == ir::bpf::kMapPercpuArray)
            bytes += values * cpus;
    }
    return bytes;
}

} // namespace

Result<void> check_capacity(const lower::Lowered& lowered, const CompileOptions& options, uint32_t cpus)
{
    // An aggsize or dynvarsize of 0 is an error. A size that is smaller than one element is valid: all elements are
    // dropped and counted. Hash maps without a value per CPU contain associative arrays and thread-local variables.
    const auto& maps = lowered.module.maps;
    const bool has_dynamic = std::any_of(maps.begin(), maps.end(), [](const ir::Map& map) {
        return map.type == ir::bpf::kMapLruHash || (map.type == ir::bpf::kMapHash && map.name != DT_MAP_FOLLOWED);
    });
    if ((options.aggsize == 0 && !lowered.schema.aggregations.empty()) || (options.dynvarsize == 0 && has_dynamic))
        return Error{"Enabling exceeds size of buffer", ENOBUFS};
    if (options.memlimit && bytes_of_whole_object(lowered.module, cpus) > *options.memlimit)
        return Error{"Enabling exceeds memory limit", ENOBUFS};
    return {};
}

} // namespace dt
