// The compiler's driver: it reads as a table of contents.
#include "dcompiler/compiler.hpp"

#include <cerrno>
#include <utility>

#include "dcompiler/capacity.hpp"
#include "dcompiler/ir/check.hpp"
#include "dcompiler/lower/lower.hpp"
#include "dcompiler/opt/passes.hpp"
#include "dcompiler/sema/front.hpp"

namespace dt {

struct Compiler::Impl {
    World& world;
    Diagnostics diagnostics;
    sema::Front front;
    lower::Lowered lowered;

    Impl(World& world, Options options) : world(world), front(world, std::move(options), diagnostics) {}

    Result<std::vector<uint8_t>> generate(std::span<const RuntimeObject> runtime, lower::StackUse stack);
};

Compiler::Compiler(World& world, Options options) : impl_(std::make_unique<Impl>(world, std::move(options))) {}
Compiler::~Compiler() = default;

bool Compiler::add(const Source& source, SpecKind kind, const Macros& macros)
{
    return impl_->front.add(source, kind, macros);
}

bool Compiler::add_libraries(const std::deque<Source>& libraries, const Macros& macros)
{
    return impl_->front.add_libraries(libraries, macros);
}

const Options& Compiler::options() const
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
Diagnostics& Compiler::diagnostics()
{
    return impl_->diagnostics;
}

/// From the typed program to code.
Result<std::vector<uint8_t>> Compiler::Impl::generate(std::span<const RuntimeObject> runtime, lower::StackUse stack)
{
    lowered = lower::lower(front.program(), world, front.options(), diagnostics, stack); // lower/: typed program -> IR
    if (diagnostics.has_errors())
        return Error{diagnostics.list().front().message};
    if (const auto fits = check_capacity(lowered, front.options(), world.target().cpus); !fits)
        return fits.error();
    optimise(lowered.module, 1, stack == lower::StackUse::Sparing ? kShortReach : kUsualReach); // opt/
    if (const auto sound = ir::verdict(ir::check(lowered.module)); !sound)                      // ir/
        return sound.error();
    return emit_elf(lowered.module, runtime, &lowered.schema.faults); // ebpf/ + object/
}

Result<Object> Compiler::finish(std::span<const RuntimeObject> runtime)
{
    Impl& c = *impl_;
    auto elf = c.generate(runtime, lower::StackUse::Usual);
    if (!elf && elf.error().code == ENOSPC) // more stack than the kernel has
        elf = c.generate(runtime, lower::StackUse::Sparing);
    if (!elf)
        return elf.error();
    if (const auto calls = runtime_calls(c.lowered.module); !calls.empty()) {
        elf = link(*elf, calls, runtime); // bpf-runtime/
        if (!elf)
            return elf.error();
    }
    Object object;
    object.elf = std::move(*elf);
    object.schema = std::move(c.lowered.schema);
    object.types = c.front.program().types;
    return object;
}

} // namespace dt
