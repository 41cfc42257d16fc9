// The compiler as one object: texts in, one BPF object and its schema out.
#pragma once

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dcompiler/diagnostics.hpp"
#include "dcompiler/object/emit.hpp"
#include "dcompiler/object/schema.hpp"
#include "dcompiler/opt/report.hpp"
#include "dcompiler/options.hpp"
#include "dcompiler/sema/program.hpp"
#include "base/steps.hpp"
#include "dcompiler/syntax/input.hpp"
#include "dcompiler/world.hpp"

namespace dt {

class Compiler {
public:
    /// Both must outlive the compiler. The first text begins with the options as they are; pragmas set them.
    Compiler(World& world, OptionSet& options);
    ~Compiler();

    /// Tells these what each step of finish() takes; null: nobody asks.
    void time_steps(Steps* steps);

    /// Parses and checks one program text. On failure the reasons are in diagnostics() and the compiler can only be
    /// destroyed. `source` must outlive the compiler: spans point into it. Cost: linear in the text.
    bool add(const Source& source, SpecKind kind, const Macros& macros);

    /// Checks the D libraries of the run; call before the first add(), with what that says about failure. A library
    /// that depends on what is not there is passed over. `libraries` must outlive the compiler. Cost: linear in the
    /// texts.
    bool add_libraries(const std::deque<Source>& libraries, const Macros& macros);

    /// With option tree, what the parser made of the last text; else empty.
    const std::string& parse_tree() const;

    /// Those in force: as given, and what pragmas of the texts so far set.
    const CompileOptions& options() const;

    /// Statements, probes matched, attributes: for "matched N probes", -l, -v.
    const Program& program() const;

    /// Lowers, optimises and emits everything added so far, linked with the runtime. `parts`: the object's place among
    /// several of the run.
    Result<Object> finish(std::span<const RuntimeObject> runtime, const ObjectParts& parts = {});

    /// After finish(): the IR, for -S and tests.
    const ir::Module& module() const;
    /// After finish(): module() is empty from now on. It is most of what a compiler holds.
    void forget_module();
    /// After finish(), when nothing is to be added or compiled any more: the same of the trees of the texts. program()
    /// keeps what is declared and matched, its statements without predicate and body, its types without members.
    void forget_trees();

    /// After finish(), with option passes: what each pass of the optimizer did.
    const PassReport& passes() const;

    Diagnostics& diagnostics();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace dt
