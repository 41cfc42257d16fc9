// The arguments of a probe that an ELF note describes, in the assembler's own words: "4@$5" is four bytes, the constant
// 5 (dtrace-providers(7), usdt).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/machine.hpp"
#include "dcompiler/plan.hpp"

namespace dt::usdt {

struct NoteArgument {
    std::string type;       ///< in D: int8_t … uint64_t
    Location where;         ///< Zero when the text means nothing that can be read when the probe fires
    std::string symbol;     ///< `where` is memory at this symbol's address, plus its offset
    std::string unreadable; ///< why `where` is Zero
};

/// One for each operand, in order. Never fails: an operand that is not understood has its reason.
/// `machine`: of the file.
std::vector<NoteArgument> read_operands(std::string_view text, const machine::Machine& machine = machine::native());

} // namespace dt::usdt
