#include "machine/paging.hpp"

#include "machine/machine.hpp"
#include "machine/x86_64/x86_64.hpp"

namespace dt::machine {

std::optional<Paging> paging(const Machine& machine)
{
    if (machine.elf == x86_64::kMachine.elf)
        return x86_64::kPaging;
    return std::nullopt;
}

} // namespace dt::machine
