// From the typed program to IR: one BPF program per hook, every clause a stretch of it (or of a subprogram), and the
// schema of what it writes. Nothing here knows a machine register, an ELF section layout or a provider's kind.
#pragma once

#include "dcompiler/diagnostics.hpp"
#include "dcompiler/ir/ir.hpp"
#include "dcompiler/object/schema.hpp"
#include "dcompiler/options.hpp"
#include "dcompiler/sema/program.hpp"
#include "base/steps.hpp"
#include "dcompiler/world.hpp"

namespace dt::lower {

struct Lowered {
    ir::Module module;
    Schema schema;
};

/// How much of what waits for its use may do so on the stack. Sparing costs instructions: it is for programs that need
/// more than there is.
enum class StackUse : uint8_t { Usual, Sparing };

/// Lowers every statement that matched a probe. Errors (a built-in that has no implementation, more conditional records
/// than a sample can mark) go to `diagnostics`; the result is then not to be used. Linear in the program.
Lowered lower(const Program& program, World& world, const CompileOptions& options, Diagnostics& diagnostics,
              StackUse stack = StackUse::Usual, const ObjectParts& parts = {}, Steps* steps = nullptr);

} // namespace dt::lower
