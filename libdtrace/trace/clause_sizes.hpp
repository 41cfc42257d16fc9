// What each clause is made of in the kernel: instructions, stack, maps.
//
// It is read from the programs as the verifier left them, so it is what is there, and asking for it changes nothing.
#pragma once

#include <deque>
#include <span>

#include "dcompiler/object/schema.hpp"
#include "libdtrace/consume/clause_size.hpp"
#include "libdtrace/load/program_code.hpp"
#include "libdtrace/trace/clause_parts.hpp"

struct bpf_object;

namespace dt {

class ClauseSizing {
public:
    explicit ClauseSizing(const std::deque<Statement>& statements) : parts_(statements) {}

    /// The programs of an object whose schema this is. Nothing where the kernel does not tell.
    void add(const bpf_object* object, const Schema& schema);
    /// `programs`: read_verified_code()
    void add(std::span<const ProgramCode> programs, const Schema& schema);

    const consume::ClauseSizes& sizes() const { return sizes_; }

private:
    ClauseParts parts_;
    consume::ClauseSizes sizes_;
};

} // namespace dt
