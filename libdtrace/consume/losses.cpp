// The kernel side's counters, what is new in them since the last look, and the words for it.
#include "libdtrace/consume/losses.hpp"

#include <algorithm>
#include <utility>

#include "libdtrace/output/messages.hpp"
#include "libdtrace/output/sink.hpp"

namespace dt::consume {

namespace {

struct Kind {
    dt_u64 dt_losses::*counter;
    std::string_view tag;
    unsigned occasion;
    bool by_cpu;
    std::string_view one, several; ///< after the number; by_cpu ones end with " on CPU N" and `after`
    std::string_view after;
};

constexpr Kind kKinds[] = {
    {&dt_losses::principal, "DTRACEDROP_PRINCIPAL", kEachPass, true, " drop", " drops", ""},
    {&dt_losses::nesting, "DTRACEDROP_NESTING", kEachPass, true, " drop", " drops",
     " (no free scratch slot: probes nested too deep)"},
    {&dt_losses::aggregation, "DTRACEDROP_AGGREGATION", kEachPass, true, " aggregation drop", " aggregation drops", ""},
    {&dt_losses::no_memory, "DTRACEDROP_AGGMEMORY", kEachPass, true, " aggregation drop", " aggregation drops",
     " (the kernel had no memory at hand for a new key)"},
    {&dt_losses::dynamic, "DTRACEDROP_DYNAMIC", kEachStatus, false, " dynamic variable drop", " dynamic variable drops",
     ""},
    {&dt_losses::speculation, "DTRACEDROP_SPEC", kEachPass | kEachStatus, false, " speculative drop",
     " speculative drops", ""},
    {&dt_losses::spec_unavailable, "DTRACEDROP_SPECUNAVAIL", kEachStatus, false,
     " failed speculation (no speculative buffer available)", " failed speculations (no speculative buffer available)",
     ""},
    {&dt_losses::double_error, "DTRACEDROP_DBLERROR", kEachStatus, false, " error in ERROR probe enabling",
     " errors in ERROR probe enabling", ""},
};

std::string message(const Kind& kind, uint64_t count)
{
    return std::to_string(count).append(count == 1 ? kind.one : kind.several);
}

} // namespace

void Losses::attach(const dt_losses* counters, uint32_t cpus)
{
    counters_ = counters;
    told_.assign(cpus, dt_losses{});
    principal_.assign(cpus, 0);
}

void Losses::tell(std::string_view kind, uint64_t count, int64_t cpu, std::string_view text)
{
    std::string line;
    if (options_.print().droptags)
        line.append("[").append(kind).append("] ");
    output::say(output_, line.append(text));
    sink_.drop({kind, count, cpu, text});
}

// What could be done about it, once.
void Losses::name_limits()
{
    const auto lost = [this](dt_u64 dt_losses::*counter) {
        return std::any_of(told_.begin(), told_.end(), [&](const dt_losses& told) { return told.*counter != 0; });
    };
    if (!lost(&dt_losses::aggregation))
        return;
    const bool by_memory = options_.compile().memlimit && !options_.compile().aggsize_set;
    const uint64_t limit = by_memory ? *options_.compile().memlimit : options_.compile().aggsize;
    const output::Note note{"AGGREGATION_ROOM",
                            {{"bytes", limit}},
                            std::string("aggregations could not keep all keys: raise option ") +
                                (by_memory ? "memlimit" : "aggsize") + " (now " + std::to_string(limit) + " bytes)"};
    output::say(output_, note, options_.print().errors_json);
    sink_.note(note);
}

void Losses::report_kernel()
{
    kernel_->report([this](const std::string& probes, uint64_t count) {
        tell("DTRACEDROP_RECURSION", count, -1,
             std::to_string(count) + (count == 1 ? " drop" : " drops") + " in " + probes +
                 " (the kernel skips what fires inside itself)");
    });
}

void Losses::report(unsigned occasion)
{
    for (const Kind& kind : kKinds) {
        if ((kind.occasion & occasion) == 0)
            continue;
        uint64_t all = 0;
        for (std::size_t cpu = 0; cpu < told_.size(); ++cpu) {
            uint64_t& told = told_[cpu].*kind.counter;
            const uint64_t now = __atomic_load_n(&(counters_[cpu].*kind.counter), __ATOMIC_RELAXED);
            uint64_t grown = now - told;
            told = now;
            if (kind.counter == &dt_losses::principal)
                grown += std::exchange(principal_[cpu], 0);
            all += grown;
            if (kind.by_cpu && grown != 0)
                tell(kind.tag, grown, static_cast<int64_t>(cpu),
                     message(kind, grown) + " on CPU " + std::to_string(cpu) + std::string(kind.after));
        }
        if (kind.counter == &dt_losses::speculation) {
            all += speculative_ - speculative_told_;
            speculative_told_ = speculative_;
        }
        if (!kind.by_cpu && all != 0)
            tell(kind.tag, all, -1, message(kind, all));
    }
    if (kernel_ && (occasion & kEachStatus) != 0)
        report_kernel();
    if ((occasion & kLast) != 0)
        name_limits();
}

} // namespace dt::consume
