// Parses the arguments of a probe in an ELF note, which are in assembler syntax: "4@$5" is four bytes, the constant 5
// (dtrace-providers(7), usdt).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "machine/machine.hpp"
#include "dcompiler/plan.hpp"

namespace dt::usdt {

struct NoteArgument {
    std::string type;       ///< D type: int8_t … uint64_t
    Location where;         ///< Zero if the operand cannot be read when the probe fires
    std::string symbol;     ///< `where` is memory at this symbol's address plus its offset
    std::string unreadable; ///< reason why `where` is Zero
};

/// Returns one argument per operand, in order. Never fails: an operand that is not understood has a reason. `machine`
/// is that of the file.
std::vector<NoteArgument> read_operands(std::string_view text, const machine::Machine& machine = machine::native());

} // namespace dt::usdt
