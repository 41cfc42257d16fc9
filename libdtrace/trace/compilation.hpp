// The programs of a trace, their options, and the object that they become.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.hpp"
#include "base/steps.hpp"
#include "dcompiler/compiler.hpp"
#include "dcompiler/object/packed.hpp"
#include "libdtrace/options/options.hpp"
#include "libdtrace/process/process.hpp"
#include "libdtrace/trace/later_objects.hpp"
#include "libdtrace/world/world.hpp"

namespace dt {

class Compilation {
public:
    /// Both must outlive this.
    Compilation(LiveWorld& world, const Processes& processes, Options given);

    void time_steps(Steps* steps);

    /// As Trace::add().
    bool add(Source source, SpecKind kind, const Macros& macros);

    /// Makes the object, and makes it anew after the world has refused a kind of program: of one that was taken, from
    /// its text.
    Result<void> compile();

    /// In place of add() and compile(): what was compiled elsewhere. The error is complete.
    Result<void> take(std::unique_ptr<PackedProgram> packed, std::optional<TypedProgram> typed);
    bool was_taken() const { return packed_ != nullptr; }
    bool has_text() const { return !packed_ || typed_; }

    /// When the object is in the kernel: as the compiler's.
    void forget_module()
    {
        if (compiler_)
            compiler_->forget_module();
    }
    /// When the object is in the kernel, for good: gives up its bytes, and what it was made from but for the texts.
    void forget();

    Compiler& compiler();
    const Program& program() const { return packed_ ? packed_->program : compiler_->program(); }
    /// Whose numbers those of probes in the object are.
    ProbeSource& probes() { return packed_ ? static_cast<ProbeSource&>(packed_probes_) : world_.probes(); }
    /// As given, and what pragmas have set since.
    const Options& options() const { return options_; }
    const std::deque<Source>& sources() const { return packed_ ? packed_->sources : sources_; }
    /// To be compiled once more for probes that come later.
    const ProgramTexts& texts() const { return texts_; }
    /// After compile(); its schema grows with objects that come later.
    Object& object() { return *object_; }
    const Object& object() const { return *object_; }

    /// Can descriptions mean probes that are not there yet?
    bool may_follow() const { return !packed_ && LaterObjects::may_follow(program(), processes_); }
    /// Ids of the statements of BEGIN, END or ERROR.
    std::vector<uint32_t> statements_of(uint32_t probe) const;
    /// Probes matched by a program's clauses, each clause counted on its own.
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
    std::unique_ptr<Compiler> compiler_; ///< empty: of what was taken
    Steps* steps_ = nullptr;
    std::optional<Object> object_;
};

} // namespace dt
