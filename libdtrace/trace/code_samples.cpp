#include "libdtrace/trace/code_samples.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace dt {

void CodeSamples::add(std::vector<ProgramCode> programs, uint32_t first, const PartOf& part_of)
{
    for (ProgramCode& program : programs) {
        for (std::size_t i = 0; i < program.functions.size(); ++i) {
            std::vector<CodeRange> ranges = code_ranges(program.functions[i], i == 0, part_of);
            functions_.push_back({first, std::move(program.functions[i]), std::move(ranges), {}});
        }
        ++first;
    }
    std::sort(functions_.begin(), functions_.end(),
              [](const Function& a, const Function& b) { return a.code.address < b.code.address; });
}

CodeSamples::Function* CodeSamples::find(uint64_t address)
{
    const auto next = std::upper_bound(functions_.begin(), functions_.end(), address,
                                       [](uint64_t at, const Function& each) { return at < each.code.address; });
    if (next == functions_.begin())
        return nullptr;
    Function& function = *std::prev(next);
    return address - function.code.address < function.code.bytes.size() ? &function : nullptr;
}

const CodeSamples::Function* CodeSamples::begins_at(uint64_t address) const
{
    const auto found = std::lower_bound(functions_.begin(), functions_.end(), address,
                                        [](const Function& each, uint64_t at) { return each.code.address < at; });
    return found != functions_.end() && found->code.address == address ? &*found : nullptr;
}

void CodeSamples::count(std::span<const uint64_t> frames)
{
    ++samples_;
    bool is_in_program = false;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const uint64_t address = i == 0 ? frames[i] : frames[i] - 1; // the call itself, not its return address
        Function* const function = find(address);
        if (!function)
            continue;
        is_in_program = true;
        SampleCount& count = function->counts[address];
        ++(i == 0 ? count.own : count.called);
        if (function->owner_at(address).kind != CodeOwner::Kind::Runtime)
            break;
    }
    in_programs_ += is_in_program ? 1 : 0;
}

} // namespace dt
