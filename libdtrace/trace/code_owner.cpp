// Attributes a function's code in one pass over its source locations.
#include "libdtrace/trace/code_owner.hpp"

#include <algorithm>
#include <iterator>

namespace dt {

std::vector<CodeRange> code_ranges(const CodeFunction& code, bool is_program, const PartOf& part_of)
{
    std::vector<CodeRange> ranges{{code.address, {is_program ? CodeOwner::Kind::Program : CodeOwner::Kind::Runtime}}};
    for (const CodeLine& line : code.lines) {
        const std::optional<uint32_t> part = part_of(line);
        const bool is_of_no_text = line.line == 0 && !(ranges.back().owner == CodeOwner{});
        if (!part && !is_of_no_text)
            continue;
        const CodeOwner owner = part ? CodeOwner{CodeOwner::Kind::Clause, *part} : CodeOwner{CodeOwner::Kind::Program};
        const bool is_first_of_function = ranges.size() == 1 && ranges.front().owner == CodeOwner{};
        if (is_first_of_function)
            ranges.front().owner = owner; // the code before it belongs to it
        else if (!(ranges.back().owner == owner))
            ranges.push_back({line.address, owner});
    }
    return ranges;
}

const CodeOwner& owner_at(std::span<const CodeRange> ranges, uint64_t address)
{
    const auto next = std::upper_bound(ranges.begin(), ranges.end(), address,
                                       [](uint64_t at, const CodeRange& range) { return at < range.address; });
    return next == ranges.begin() ? ranges.front().owner : std::prev(next)->owner;
}

} // namespace dt
