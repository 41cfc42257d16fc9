// Builds the texts of each probe only once, because a million lines may begin with them.
#include "libdtrace/output/probe_text.hpp"

namespace dt::output {

namespace {

constexpr std::size_t kNameColumns = 32;
constexpr std::size_t kFlowColumns = 41;

bool is_or_ends_in(const std::string& name, const std::string& word)
{
    return name == word || name.ends_with("-" + word);
}

std::string right_aligned(const std::string& text, std::size_t width)
{
    return text.size() < width ? std::string(width - text.size(), ' ') + text : text;
}

} // namespace

const ProbeText& ProbeTexts::make(uint32_t id)
{
    const Probe* probe = probes_.probe(id);
    ProbeText text;
    text.id = id;
    std::string function_name = ":";
    if (probe) {
        function_name = probe->function + ":" + probe->name;
        text.name = probe->provider + ":" + probe->module + ":" + function_name;
        if (is_or_ends_in(probe->name, "entry")) {
            text.flow = ProbeText::Flow::Entry;
            text.entry = (probe->enters_kernel ? " => " : " -> ") + probe->function;
        } else if (is_or_ends_in(probe->name, "return")) {
            text.flow = ProbeText::Flow::Return;
            text.entry = (probe->enters_kernel ? " <= " : " <- ") + probe->function;
        }
    } else {
        text.name = ":::";
    }
    text.plain = "| " + function_name;
    text.bare = right_aligned(function_name, kNameColumns) + " ";
    text.columns = right_aligned(std::to_string(id), 6) + " " + text.bare;
    if (!probe)
        return unknown_ = std::move(text);
    if (by_id_.size() <= id)
        by_id_.resize(id + 1);
    return *(by_id_[id] = &texts_.emplace_back(std::move(text)));
}

void LinePrefix::append_heading(format::Text& out) const
{
    if (!reproducible_)
        out.append(options_.flowindent ? "CPU " : "CPU     ID ");
    if (options_.flowindent)
        format::append_left(out, "FUNCTION", kFlowColumns);
    else
        format::append_right(out, "FUNCTION:NAME", kNameColumns);
    out.append('\n');
}

void LinePrefix::append(format::Text& out, const format::Environment& env, uint32_t cpu, const ProbeText& probe,
                        uint32_t stmt)
{
    if (!reproducible_) {
        format::append_unsigned(out, cpu, 3);
        out.append(' ');
    }
    if (!options_.flowindent)
        return out.append(format::shown(env, reproducible_ ? probe.bare : probe.columns));
    if (cpus_.size() <= cpu)
        cpus_.resize(cpu + 1);
    append_flow(out, env, cpus_[cpu], probe, stmt);
}

void LinePrefix::append_flow(format::Text& out, const format::Environment& env, Cpu& state, const ProbeText& probe,
                             uint32_t stmt)
{
    ProbeText::Flow flow = probe.flow;
    if (flow == ProbeText::Flow::Entry && state.last_probe == probe.id && state.last_stmt != stmt)
        flow = ProbeText::Flow::None;
    state.last_probe = probe.id;
    state.last_stmt = stmt;
    if (flow == ProbeText::Flow::Return)
        state.indent = state.indent >= 2 ? state.indent - 2 : 0;

    const std::string& text = flow == ProbeText::Flow::None ? probe.plain : probe.entry;
    out.fill(' ', state.indent);
    const std::size_t used = state.indent;
    format::append_left(out, format::shown(env, text), used < kFlowColumns ? kFlowColumns - used : 0);
    out.append(' ');
    if (flow == ProbeText::Flow::Entry)
        state.indent += 2;
}

} // namespace dt::output
