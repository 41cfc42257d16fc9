// Counters for each probe of a program, or for each clause, in memory that the consumer maps. If memory suffices, each
// CPU has its own set.
//
// A probe has the same place in all tables of this kind; Schema::counted lists the probe of each place. The place of a
// clause is the number of its statement.
#pragma once

#include "dcompiler/lower/context.hpp"

namespace dt::lower {

struct ByProbe {
    const char* name = nullptr; ///< name of the data
    uint32_t stride = 0;        ///< bytes of counters per place
    uint32_t sets = 0;          ///< number of CPUs, or 1 if they share one set
};

/// Creates the data for the given number of places and sets `sets` for ByProbe::sets.
void lay_out_by_probe(ModuleLowering& module, const char* name, const char* section, std::size_t places,
                      uint32_t stride, uint32_t& sets);

/// Yields the place of the firing probe. `first` is the place of the program's first probe.
ir::Value place_of_probe(Context& context, uint32_t first);

/// Yields the number of the statement for the firing probe.
ir::Value place_of_clause(Context& context, const Statement& statement);

/// Yields the address of the firing probe's counters on this CPU. The branch to `none` exists only for the verifier.
ir::Value of_firing_probe(Context& context, const ByProbe& where, uint32_t first, ir::BlockId none);

/// Yields the address of a place's counters on this CPU.
ir::Value counters_of(Context& context, const ByProbe& where, ir::Value place, ir::BlockId none);

/// Yields the address of an 8-byte word among the counters of a place. `word` is its offset, with bounds that the
/// verifier knows.
ir::Value word_of_place(Context& context, const ByProbe& where, ir::Value place, ir::Value word, ir::BlockId none);

/// Yields the address at `offset` in the named data, with `size` bytes there. The branch to `none` exists only for the
/// verifier.
ir::Value inside(Context& context, const char* name, ir::Value offset, uint32_t size, ir::BlockId none);

} // namespace dt::lower
