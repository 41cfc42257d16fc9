#include "libdtrace/trace/code_samples.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace dt {
namespace {

std::vector<CodeSamples::Range> ranges_of(const CodeFunction& code, bool is_program, const CodeSamples::PartOf& part_of)
{
    std::vector<CodeSamples::Range> ranges{
        {code.address, {is_program ? CodeOwner::Kind::Program : CodeOwner::Kind::Runtime}}};
    for (const CodeLine& line : code.lines) {
        const std::optional<uint32_t> part = part_of(line);
        if (!part)
            continue;
        const CodeOwner owner{CodeOwner::Kind::Clause, *part};
        const bool is_first_of_function = !is_program && ranges.size() == 1 && ranges.front().owner == CodeOwner{};
        if (is_first_of_function)
            ranges.front().owner = owner; // what is in front of it only serves it
        else if (!(ranges.back().owner == owner))
            ranges.push_back({line.address, owner});
    }
    return ranges;
}

} // namespace

CodeOwner CodeSamples::Function::owner_at(uint64_t address) const
{
    const auto next = std::upper_bound(ranges.begin(), ranges.end(), address,
                                       [](uint64_t at, const Range& range) { return at < range.address; });
    return next == ranges.begin() ? ranges.front().owner : std::prev(next)->owner;
}

void CodeSamples::add(std::vector<ProgramCode> programs, uint32_t first, const PartOf& part_of)
{
    for (ProgramCode& program : programs) {
        for (std::size_t i = 0; i < program.functions.size(); ++i) {
            std::vector<Range> ranges = ranges_of(program.functions[i], i == 0, part_of);
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
        const uint64_t address = i == 0 ? frames[i] : frames[i] - 1; // the call itself, not where it returns to
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
