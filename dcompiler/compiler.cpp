// The compiler's driver: it reads as a table of contents.
#include "dcompiler/compiler.hpp"

#include "dcompiler/capacity.hpp"
#include "dcompiler/ir/check.hpp"
#include "dcompiler/lower/lower.hpp"
#include "dcompiler/opt/passes.hpp"
#include "dcompiler/sema/front.hpp"

namespace dt {

struct Compiler::Impl {
    World& world;
    Options& options;
    Diagnostics diagnostics;
    sema::Front front;
    lower::Lowered lowered;

    Impl(World& world, Options& options) : world(world), options(options), front(world, options, diagnostics) {}
};

Compiler::Compiler(World& world, Options& options) : impl_(std::make_unique<Impl>(world, options)) {}
Compiler::~Compiler() = default;

bool Compiler::add(const Source& source, SpecKind kind, const Macros& macros) { return impl_->front.add(source, kind, macros); }

bool Compiler::add_libraries(const std::deque<Source>& libraries, const Macros& macros)
{
    return impl_->front.add_libraries(libraries, macros);
}

const Program& Compiler::program() const { return impl_->front.program(); }
const ir::Module& Compiler::module() const { return impl_->lowered.module; }
Diagnostics& Compiler::diagnostics() { return impl_->diagnostics; }

Result<Object> Compiler::finish(std::span<const RuntimeObject> runtime)
{
    Impl& c = *impl_;
    c.lowered = lower::lower(c.front.program(), c.world, c.options, c.diagnostics); // lower/: typed program -> IR
    if (c.diagnostics.has_errors())
        return Error{c.diagnostics.list().front().message};
    if (const auto fits = check_capacity(c.lowered, c.options, c.world.target().cpus); !fits)
        return fits.error();
    optimise(c.lowered.module, 1);                                                  // opt/
    if (const auto sound = ir::verdict(ir::check(c.lowered.module)); !sound)        // ir/
        return sound.error();

    auto elf = emit_elf(c.lowered.module, runtime, &c.lowered.schema.faults);       // ebpf/ + object/
    if (!elf)
        return elf.error();
    if (const auto calls = runtime_calls(c.lowered.module); !calls.empty()) {
        elf = link(*elf, calls, runtime);                                           // bpf-runtime/
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
