// The programs of a trace, their options, and the object compiled from them.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/phase_times.hpp"
#include "base/result.hpp"
#include "dcompiler/driver/compiler.hpp"
#include "dcompiler/interface/diagnostics.hpp"
#include "dcompiler/object/packed.hpp"
#include "libdtrace/attach/dynamic_probes.hpp"
#include "libdtrace/options/options.hpp"
#include "libdtrace/process/process.hpp"
#include "libdtrace/session/live_world.hpp"

namespace dt {

class Compilation {
public:
    /// `world` and `processes` must outlive this object.
    Compilation(LiveWorld& world, const Processes& processes, Options given);

    void record_phases(PhaseTimes* steps);

    /// Adds a program, as Trace::add() does.
    bool add(Source source, SpecKind kind, const Macros& macros);

    /// Compiles the programs into the object. Must be called again after the World has refused a kind of program. A
    /// precompiled program is then compiled from its source text.
    Result<void> compile();

    /// Uses a precompiled program. Call this function instead of add() and compile(). The error message is complete;
    /// the caller adds no prefix.
    Result<void> take(std::unique_ptr<PackedProgram> packed, std::optional<TypedProgram> typed);
    bool is_precompiled() const { return packed_ != nullptr; }
    bool has_text() const { return !packed_ || typed_; }

    /// Frees the compiler's intermediate code, once the object is in the kernel.
    void release_ir()
    {
        if (compiler_)
            compiler_->release_ir();
    }
    /// Frees the object's bytes, and all data of the compiler except the programs' source texts. Called when the object
    /// is in the kernel and will not be loaded again.
    void forget();

    Compiler& compiler();
    const Program& program() const { return packed_ ? packed_->program : compiler_->program(); }
    /// Returns the ProbeSource that finds the probes for the probe ids in the object.
    ProbeSource& probes() { return packed_ ? static_cast<ProbeSource&>(packed_probes_) : world_.probes(); }
    /// Returns the given options, as changed by the programs' pragmas.
    const Options& options() const { return options_; }
    const std::deque<Source>& sources() const { return packed_ ? packed_->sources : sources_; }
    /// Returns the source texts of the programs, which are compiled again for probes that appear later.
    const ProgramTexts& texts() const { return texts_; }
    /// Returns the object. Must be called after compile(). When further objects are added later, the schema of this
    /// object is extended.
    Object& object() { return *object_; }
    const Object& object() const { return *object_; }

    /// Returns whether probe descriptions of the program may match probes that do not exist yet.
    bool may_follow() const { return !packed_ && DynamicProbes::may_follow(program(), processes_); }
    /// Returns the ids of the statements that belong to the probe BEGIN, END or ERROR.
    std::vector<uint32_t> statements_of(uint32_t probe) const;
    /// Returns the sum, over the clauses of a program, of the number of probes that the clause matches.
    std::size_t matched(uint32_t program) const;

private:
    bool add_libraries(Macros macros);
    void forget_types();
    bool add_typed();

    LiveWorld& world_;
    const Processes& processes_;
    std::unique_ptr<PackedProgram> packed_;
    std::optional<TypedProgram> typed_;
    PackedProbes packed_probes_;
    std::deque<Source> sources_, libraries_;
    ProgramTexts texts_;
    Options options_;
    std::unique_ptr<Compiler> compiler_; ///< compiler of the programs; null for a precompiled program
    PhaseTimes* steps_ = nullptr;
    std::optional<Object> object_;
};

// Finds and reads the files of D libraries.

/// Returns the numbers at the start of a kernel release (6, 1, 0 for "6.1.0-13-cloud"); empty if there are none.
std::vector<unsigned> release_numbers(std::string_view release);

/// Selects the subdirectory names that are kernel versions ("5.14"), and returns the newest of them that is not above
/// `release`.
std::optional<std::string> best_version(const std::vector<std::string>& names, std::string_view release);

/// Appends the *.d files of syslibdir (if set) and of each libdir, in this order. In each directory, the files of
/// best_version() come first; files are sorted by name. Each file is read once, and a missing directory counts as
/// empty. With option nolibs, no file is read. The error names the file that cannot be read.
Result<void> read_libraries(const Options& options, std::string_view release, std::deque<Source>& libraries);

} // namespace dt
