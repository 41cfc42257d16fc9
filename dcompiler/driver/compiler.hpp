// The compiler as a class: it takes source texts of D programs, and produces one BPF object and its schema.
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
    /// The compiler refers to both arguments, which must outlive it. The compilation of each source text starts with
    /// the given options, which pragmas in the text change.
    Compiler(World& world, OptionSet& options);
    ~Compiler();

    /// Records in `steps` the time of each step of finish(). Null: times are not recorded.
    void record_phases(PhaseTimes* steps);

    /// Parses and checks the source text of one program. On failure the reasons are in diagnostics(), and the compiler
    /// can only be destroyed. `source` must outlive the compiler, because source positions (Span) point into it. The
    /// time is linear in the length of the text.
    bool add(const Source& source, SpecKind kind, const Macros& macros);

    /// Checks the D libraries for the programs. Must be called before the first add(). On failure the reasons are in
    /// diagnostics(), and the compiler can only be destroyed. Skips a library whose dependencies are missing.
    /// `libraries` must outlive the compiler. The time is linear in the length of the libraries.
    bool add_libraries(const std::deque<Source>& libraries, const Macros& macros);

    /// Returns the printed parse tree of the source text that was added last, if option tree is set; else an empty
    /// string.
    const std::string& parse_tree() const;

    /// Returns the current options: the options passed to the constructor, changed by the pragmas of the source texts
    /// added so far.
    const CompileOptions& options() const;

    /// Returns the program with its statements, matched probes and stability attributes: for "matched N probes", -l and
    /// -v.
    const Program& program() const;

    /// Lowers, optimizes and emits everything added so far, and links it with the runtime. A trace can have several
    /// objects, which are compiled one after the other; `parts` describes the position of this one.
    Result<Object> finish(std::span<const RuntimeObject> runtime, const ObjectParts& parts = {});

    /// Returns the IR, for -S and tests. Call it after finish().
    const ir::Module& module() const;
    /// Frees the IR, which is most of a compiler's memory. Call it after finish(); module() is then empty.
    void release_ir();
    /// Frees the syntax trees of the source texts. May be called after finish() if no further source text will be
    /// added. program() keeps declarations and matched probes, statements without predicate and body, and types without
    /// members.
    void release_trees();

    /// With option passtiming, returns a report of each pass of the optimizer. Call it after finish().
    const PassReport& passes() const;

    Diagnostics& diagnostics();

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace dt
