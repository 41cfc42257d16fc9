// JSON lines of the estimates: CPU cost (--estimate) and memory limits.
#include "libdtrace/output/jsonl_sink.hpp"

namespace dt::output {

using format::append_unsigned;
using format::Text;

void JsonlSink::estimate(const Estimate& estimate)
{
    const auto append = [](Text& out, const NamedNumbers& numbers) {
        for (const auto& [name, number] : numbers) {
            if (!number)
                continue;
            append_json_name(out, name);
            append_unsigned(out, *number);
        }
    };
    for (const EstimatedProbe& probe : estimate.probes)
        write_line("estimate", [&](Text& out) {
            out.append(",\"of\":\"probe\"");
            append_json_name(out, "id");
            append_unsigned(out, probe.id);
            append_json_name(out, "name");
            append_json_string(out, probe.name);
            append(out, named_numbers(probe));
        });
    write_line("estimate", [&](Text& out) {
        out.append(",\"of\":\"trace\"");
        append(out, named_numbers(estimate));
        if (!estimate.needs.empty()) {
            append_json_name(out, "needs");
            append_json_string(out, estimate.needs);
            return;
        }
        append_json_name(out, "at_most");
        out.append(estimate.has_other_predicates ? "true" : "false");
        append_json_name(out, "knows_all_outside");
        out.append(estimate.knows_all_outside ? "true" : "false");
    });
}

void JsonlSink::memory_bound(std::span<const MemoryPart> parts)
{
    for (const MemoryPart& part : parts)
        write_line("memory", [&](Text& out) {
            const std::pair<std::string_view, std::string_view> words[] = {
                {"of", part.in_kernel ? "kernel" : "tracer"}, {"name", part.name}, {"bound", part.bound}};
            for (const auto& [name, word] : words) {
                append_json_name(out, name);
                append_json_string(out, word);
            }
            append_json_name(out, "most_bytes");
            append_unsigned(out, part.most);
        });
    write_line("memory", [&](Text& out) {
        const MemorySum all = sum(parts);
        const std::pair<std::string_view, uint64_t> numbers[] = {
            {"kernel_bytes", all.kernel}, {"tracer_bytes", all.tracer}, {"most_bytes", all.all()}};
        out.append(",\"of\":\"all\"");
        for (const auto& [name, number] : numbers) {
            append_json_name(out, name);
            append_unsigned(out, number);
        }
    });
}

void JsonlSink::detached(double seconds)
{
    write_line("estimate", [&](Text& out) {
        const auto [name, number] = named_detaching(seconds);
        out.append(",\"of\":\"detaching\"");
        append_json_name(out, name);
        append_unsigned(out, number);
    });
}

} // namespace dt::output
