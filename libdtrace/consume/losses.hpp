// Drop messages: what the kernel side could not deliver, read from its counters and told in the words that every DTrace
// has (dtrace-output(7), FAULTS AND DROPS).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bpf-runtime/abi.h"
#include "libdtrace/options/options.hpp"
#include "libdtrace/consume/cut.hpp"
#include "libdtrace/consume/firings.hpp"
#include "libdtrace/consume/ledger.hpp"
#include "libdtrace/consume/repetitions.hpp"
#include "libdtrace/consume/ring.hpp"
#include "libdtrace/load/kernel_losses.hpp"
#include "libdtrace/output/output.hpp"

namespace dt::output {
class Sink; // sink.hpp
}

namespace dt::consume {

/// When a counter is looked at; combined with |.
enum LossOccasion : unsigned {
    kEachPass = 1,
    kEachStatus = 2, ///< every statusrate
    kLast = 4,
    kAsked = 8, ///< somebody wants to know: what is looked at seldom, too
    kAtEnd = kEachPass | kEachStatus | kLast | kAsked,
};

class Losses {
public:
    Losses(const Options& options, Output& output, output::Sink& sink)
        : options_(options), output_(output), sink_(sink), thrown_(options.compile().counts_firings())
    {
    }

    /// `counters` has one element per possible CPU and is written by the kernel while this runs.
    void attach(const dt_losses* counters, uint32_t cpus);

    /// What is counted beside the CPUs, in `place`: "process 123". May be anything at any time.
    void attach(const dt_losses* counters, const std::string& place);

    /// The same kind on the same CPU has so many lines, and is counted then.
    void limit_lines(uint64_t lines) { lines_ = lines; }

    /// Firings that the kernel counts as missed are told too. `kernel` must outlive this.
    void attach(KernelLosses& kernel) { kernel_ = &kernel; }

    /// A sample that the consumer itself had no room for. `told`: as a drop, too. After attach().
    void count_principal_drop(const Sample& sample, Cause cause, bool told = true)
    {
        if (told && sample.cpu < principal_.size())
            ++principal_[sample.cpu];
        ledger_.add(cause, 1, sample.cpu, {sample.time, sample.time});
    }
    /// A speculative sample that the consumer itself had no room for, or never learned the fate of. `told`: as a drop,
    /// too. `seen`: of those that were lost with it.
    void count_speculative_drop(const Sample& sample, ThrownFirings::Seen& seen, bool told = true)
    {
        speculative_ += told ? 1 : 0;
        thrown_.add(sample, seen);
        ledger_.add(Cause::Speculation, 1, sample.cpu, {sample.time, sample.time});
    }
    /// Keys of aggregations of which something is missing, all so far: they were read since the last time.
    void count_cut_keys(const CutKeys& all);
    /// Nobody reads the output: what buffers have no room for until the next pass is lost to that.
    void note_stopped_reader() { reader_stopped_ = true; }

    /// What all of it came to.
    Ledger& ledger() { return ledger_; }
    const Ledger& ledger() const { return ledger_; }

    /// Where each such sample's firing is counted.
    ThrownFirings& thrown() { return thrown_; }

    /// With dynvars=lru, when nothing runs any more: `there` elements of dynamic variables are left. How many made room
    /// for others.
    uint64_t count_replaced(uint64_t there);

    /// Reports every counter of this occasion that grew since it was last reported.
    void report(unsigned occasion);
    /// Nothing has grown, and nothing is to be told later. Cheap.
    bool is_quiet() const;
    /// When one of them was last seen to have grown (CLOCK_MONOTONIC, ns); 0: none has.
    uint64_t grew() const { return grew_; }

private:
    void name_limits();
    void report_kernel(uint64_t now);
    LossTime until(Cause cause, uint64_t now);
    /// What is lost, and how that is said: COUNT, one of two texts, and the rest. The views live for ever.
    struct Drop {
        std::string_view kind;
        int64_t cpu = -1;
        std::string_view one, several;
        std::string rest;
    };
    struct Repeated {
        Drop drop;
        Repetition repetition;
    };
    void tell(Drop drop, uint64_t count);
    void say(const Drop& drop, uint64_t count, std::string_view when);
    void tell_repeated(bool last);

    const Options& options_;
    Output& output_;
    output::Sink& sink_;
    ThrownFirings thrown_;
    Ledger ledger_;
    std::map<Cause, uint64_t> looked_; ///< when a cause was looked at last
    uint64_t began_ = 0, grew_ = 0;
    bool reader_stopped_ = false;
    uint64_t lines_ = UINT64_MAX;
    RepetitionPeriod period_;
    std::map<std::pair<std::string_view, std::string>, Repeated> repeated_; ///< by kind and the rest of the text
    std::vector<const dt_losses*> counters_;                                ///< of each CPU, then of other places
    std::vector<std::string> places_;
    KernelLosses* kernel_ = nullptr;
    uint64_t kernel_period_ = 0, kernel_due_ = 0; ///< ns, of asking it
    std::vector<dt_losses> told_;                 // by CPU
    std::vector<uint64_t> principal_;             // likewise; of the consumer's own, not yet told
    uint64_t speculative_ = 0, speculative_told_ = 0;
    CutKeys cut_keys_;
};

} // namespace dt::consume
