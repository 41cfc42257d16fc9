// Lowers a typed program to IR and its schema. Each hook has one BPF program, and each clause is a part of it or a
// subprogram. This code knows no machine registers, ELF sections or kinds of providers.
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

/// Use of the stack for intermediate results. `Sparing` costs instructions and is for programs that would exceed the
/// stack otherwise.
enum class StackUse : uint8_t { Usual, Sparing };

/// Lowers every statement that matched a probe. Errors (an unimplemented built-in, more conditional records than a
/// sample can mark) go to `diagnostics`; the result must then not be used. The time is linear in the size of the
/// program.
Lowered lower(const Program& program, World& world, const CompileOptions& options, Diagnostics& diagnostics,
              StackUse stack = StackUse::Usual, const ObjectParts& parts = {}, Steps* steps = nullptr);

} // namespace dt::lower
