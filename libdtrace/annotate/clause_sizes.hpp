// Computes the number of instructions, stack depth and maps of each clause.
//
// The sizes are read from the programs after the kernel's verifier has processed them, so they are exact. Reading does
// not affect the trace.
#pragma once

#include <deque>
#include <span>

#include "dcompiler/object/schema.hpp"
#include "libdtrace/annotate/code_attribution.hpp"
#include "libdtrace/annotate/program_code.hpp"
#include "libdtrace/cost/cost_counters.hpp"

struct bpf_object;

namespace dt {

class ClauseSizer {
public:
    explicit ClauseSizer(const std::deque<Statement>& statements) : parts_(statements) {}

    /// Adds the programs of an object. Has no effect if the kernel does not disclose their code.
    void add(const bpf_object* object, const Schema& schema);
    /// Adds programs; `programs` is the result of read_verified_code().
    void add(std::span<const ProgramCode> programs, const Schema& schema);

    const consume::ClauseSizes& sizes() const { return sizes_; }

private:
    ClauseParts parts_;
    consume::ClauseSizes sizes_;
};

} // namespace dt
