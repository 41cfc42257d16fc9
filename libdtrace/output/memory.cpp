#include "libdtrace/output/memory.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace dt::output {

namespace {

constexpr std::size_t kBytesColumn = 15, kFewParts = 3;

std::string memory_row(uint64_t bytes, const std::string& rest)
{
    const std::string number = grouped(bytes);
    return std::string(kBytesColumn - std::min(kBytesColumn, number.size()), ' ') + number + "  " + rest + "\n";
}

void sort_largest_first(std::vector<MemoryPart>& parts)
{
    std::stable_sort(parts.begin(), parts.end(),
                     [](const MemoryPart& a, const MemoryPart& b) { return a.most > b.most; });
}

} // namespace

MemorySum sum(std::span<const MemoryPart> parts)
{
    MemorySum sum;
    for (const MemoryPart& part : parts)
        (part.in_kernel ? sum.kernel : sum.tracer) += part.most;
    return sum;
}

std::string memory_table(std::vector<MemoryPart> parts)
{
    sort_largest_first(parts);
    std::string text = "\n   BYTES AT MOST  MEMORY\n";
    for (const MemoryPart& part : parts)
        text += memory_row(part.most,
                           std::string(part.in_kernel ? "kernel: " : "tracer: ") + part.name + " (" + part.bound + ")");
    const MemorySum all = sum(parts);
    text += memory_row(all.all(),
                       "in all: " + grouped(all.kernel) + " in the kernel, " + grouped(all.tracer) + " in the tracer");
    return text;
}

std::string largest_parts(std::vector<MemoryPart> parts)
{
    sort_largest_first(parts);
    std::string text;
    for (std::size_t i = 0; i < std::min(parts.size(), kFewParts); ++i)
        text.append(i == 0 ? "" : ", ")
            .append(parts[i].name)
            .append(" ")
            .append(grouped(parts[i].most))
            .append(" (")
            .append(parts[i].bound)
            .append(")");
    return text;
}

} // namespace dt::output
