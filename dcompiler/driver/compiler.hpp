// The compiler as a class: program texts in, one BPF object and its schema out.
#pragma once

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/phase_times.hpp"
#include "dcompiler/interface/diagnostics.hpp"
#include "dcompiler/interface/options.hpp"
#include "dcompiler/interface/world.hpp"
#include "dcompiler/object/emit.hpp"
#include "dcompiler/object/schema.hpp"
#include "dcompiler/opt/passes.hpp"
#include "dcompiler/sema/program/program.hpp"
#include "dcompiler/syntax/macros.hpp"

namespace dt {

class Compiler {
public:
    /// Both arguments must outlive the compiler. Each text starts with the given options; pragmas in it change them.
    Compiler(World& world, OptionSet& options);
    ~Compiler();

    /// Records in `steps` the time of each step of finish(); null disables this.
    void record_phases(PhaseTimes* steps);

    /// Parses and checks one program text. On failure the reasons are in diagnostics(), and the compiler can only be
    /// destroyed. `source` must outlive the compiler, because spans point into it. The time is linear in the text.
    bool add(const Source& source, SpecKind kind, const Macros& macros);

    /// Checks the D libraries of the run. Must be called before the first add(); on failure, the same holds as for
    /// add(). Skips a library whose dependencies are missing. `libraries` must outlive the compiler. The time is linear
    /// in the texts.
    bool add_libraries(const std::deque<Source>& libraries, const Macros& macros);

    /// If option tree is set, returns the parse tree of the last text as text; otherwise an empty text.
    const std::string& parse_tree() const;

    /// Returns the current options: the options passed to the constructor, changed by the pragmas of the texts so far.
    const CompileOptions& options() const;

    /// Returns the statements, matched probes and attributes, for "matched N probes", -l and -v.
    const Program& program() const;

    /// Lowers, optimises and emits everything added so far, and links it with the runtime. If a trace consists of
    /// several objects, `parts` says which of them is being compiled.
    Result<Object> finish(std::span<const RuntimeObject> runtime, const ObjectParts& parts = {});

    /// After finish(): returns the IR, for -S and tests.
    const ir::Module& module() const;
    /// After finish(): frees the IR, which is most of a compiler's memory. module() is then empty.
    void release_ir();
    /// Frees the trees of the texts. May be called after finish() if nothing more is compiled. program() keeps
    /// declarations and matched probes, statements without predicate and body, and types without members.
    void release_trees();

    /// After finish(), with option passtiming: returns a report of each pass of the optimiser.
    const PassReport& passes() const;

    Diagnostics& diagnostics();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace dt
