// Arguments that several statements read.
#include "dcompiler/lower/shared.hpp"

#include "dcompiler/lower/clause.hpp"

namespace dt::lower {

/// Those that several statements read, as far as there are registers for them; of a single one those that it reads
/// first.
std::set<uint32_t> shared_arguments(std::span<const Planned> planned)
{
    constexpr std::size_t kMost = 2;
    if (planned.size() == 1) {
        const Needs& only = planned.front().needs;
        return planned.front().use.statement->predicate ? only.predicate_arguments : only.call_arguments;
    }
    std::set<uint32_t> read, shared;
    for (const Planned& p : planned)
        for (const uint32_t index : p.needs.call_arguments)
            if (!read.insert(index).second && shared.size() < kMost)
                shared.insert(index);
    return shared;
}

} // namespace dt::lower
