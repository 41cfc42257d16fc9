// Counters of each probe of each program, or of each clause, and of each CPU where there is room: in memory that the
// consumer maps.
//
// A probe has one place, in all tables of this kind: Schema::counted says which probe each place is of. That of a
// clause is its statement's number.
#pragma once

#include "dcompiler/lower/context.hpp"

namespace dt::lower {

struct ByProbe {
    const char* name = nullptr; ///< of the data
    uint32_t stride = 0;        ///< bytes of a place's counters
    uint32_t sets = 0;          ///< as many as CPUs, or one that they share
};

/// Makes the data for so many places; `sets` becomes ByProbe::sets.
void lay_out_by_probe(ModuleLowering& module, const char* name, const char* section, std::size_t places,
                      uint32_t stride, uint32_t& sets);

/// The place of the probe that fires. `first`: that of the first probe of its program.
ir::Value place_of_probe(Context& context, uint32_t first);

/// The number of the statement, as the firing probe means it.
ir::Value place_of_clause(Context& context, const Statement& statement);

/// The address of the probe's counters, on this CPU. Goes to `none` where the verifier thinks that there are none.
ir::Value of_firing_probe(Context& context, const ByProbe& where, uint32_t first, ir::BlockId none);

/// The same of a place.
ir::Value counters_of(Context& context, const ByProbe& where, ir::Value place, ir::BlockId none);

/// The address of a word of 8 bytes among the counters of a place. `word`: its offset, whose bounds the verifier sees.
ir::Value word_of_place(Context& context, const ByProbe& where, ir::Value place, ir::Value word, ir::BlockId none);

/// The address at `offset` bytes in the data of that name, with `size` bytes behind it; `none` likewise.
ir::Value inside(Context& context, const char* name, ir::Value offset, uint32_t size, ir::BlockId none);

} // namespace dt::lower
