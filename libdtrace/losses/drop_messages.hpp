// Drop messages: reports losses in BPF programs and in the kernel, which are read from counters. The wording of the
// messages is the same in all versions of DTrace (dtrace-output(7), FAULTS AND DROPS). This file also computes the
// number of evicted dynamic variables.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "bpf-runtime/abi.h"
#include "libdtrace/buffers/ring.hpp"
#include "libdtrace/losses/drop_stats.hpp"
#include "libdtrace/losses/hit_counts.hpp"
#include "libdtrace/losses/kernel_losses.hpp"
#include "libdtrace/options/options.hpp"
#include "libdtrace/output/messages.hpp"
#include "libdtrace/output/output.hpp"

namespace dt::output {
class Sink; // forward declaration; sink.hpp defines the class
}

namespace dt::consume {

/// Occasions on which the loss counters are read. Values can be combined by the operator |.
enum LossOccasion : unsigned {
    kEachPass = 1,
    kEachStatus = 2, ///< the periodic check of the status, at the interval of option statusrate
    kLast = 4,
    kAsked = 8, ///< a request for the losses; reads even counters that are otherwise rarely read
    kAtEnd = kEachPass | kEachStatus | kLast | kAsked,
};

class Losses {
public:
    Losses(const Options& options, Output& output, output::Sink& sink)
        : options_(options), output_(output), sink_(sink), discarded_(options.compile().counts_hits())
    {
    }

    /// Adds an array of loss counters, with one element for each possible CPU. Programs write the counters while this
    /// object exists.
    void attach(const dt_losses* counters, uint32_t cpus);

    /// Adds counters that do not belong to a CPU; `place` names their owner in messages, for example "process 123". The
    /// values of these counters are untrusted.
    void attach(const dt_losses* counters, const std::string& place);

    /// Limits the messages of a kind on a CPU to `lines`; later losses are only counted.
    void limit_lines(uint64_t lines) { lines_ = lines; }

    /// Makes the reports include the firings that the kernel counts as missed. `kernel` must outlive this object.
    void attach(KernelLosses& kernel) { kernel_ = &kernel; }

    /// Counts a sample that the consumer dropped for lack of room. If `reported` is set, the next drop message includes
    /// it. Must be called after attach().
    void count_principal_drop(const Sample& sample, DropReason cause, bool reported = true)
    {
        if (reported && sample.cpu < principal_.size())
            ++principal_[sample.cpu];
        drops_.add(cause, 1, sample.cpu, {sample.time, sample.time});
    }
    /// Counts a speculative sample that the consumer dropped, for lack of room or because the commit or discard of its
    /// speculation was lost. If `reported` is set, the next drop message includes it. `seen` contains the CPU and probe
    /// of other dropped samples, so that a firing with several samples counts only once.
    void count_speculative_drop(const Sample& sample, DiscardedHits::Seen& seen, bool reported = true)
    {
        speculative_ += reported ? 1 : 0;
        discarded_.add(sample, seen);
        drops_.add(DropReason::Speculation, 1, sample.cpu, {sample.time, sample.time});
    }
    /// Counts truncated aggregation keys; `all` is the number since the start of the trace.
    void count_truncated_keys(const TruncatedKeys& all);
    /// Records that the output's reader has stopped reading. Until the next pass, losses in the buffers are attributed
    /// to this reason.
    void note_stopped_reader() { reader_stopped_ = true; }

    /// Returns the sums of the loss counters.
    DropStats& drops() { return drops_; }
    const DropStats& drops() const { return drops_; }

    /// Returns the object that counts the firings whose samples the consumer dropped.
    DiscardedHits& discarded_hits() { return discarded_; }

    /// Returns how many elements of dynamic variables were evicted (dynvarpolicy=lru). `there` is the number of
    /// elements that still exist. Must be called when no program runs anymore.
    uint64_t count_evicted(uint64_t there);

    /// Reports every counter that is read on the given occasion and has increased since its last report.
    void report(unsigned occasion);
    /// Returns whether no counter has increased and no report is pending. Makes no system call.
    bool is_quiet() const;
    /// Returns the time at which a counter was last seen to increase (CLOCK_MONOTONIC ns), or 0 if none has.
    uint64_t grew() const { return grew_; }

private:
    void name_limits();
    void report_kernel(uint64_t now);
    LossTime until(DropReason cause, uint64_t now);
    /// Text of a drop message: the count, then `one` or `several`, then `rest`. The views refer to static texts.
    struct Drop {
        std::string_view kind;
        int64_t cpu = -1;
        std::string_view one, several;
        std::string rest;
    };
    struct Repeated {
        Drop drop;
        MessageLimiter limiter;
    };
    void tell(Drop drop, uint64_t count);
    void print_message(const Drop& drop, uint64_t count, std::string_view when);
    void report_repeated(bool last);

    const Options& options_;
    Output& output_;
    output::Sink& sink_;
    DiscardedHits discarded_;
    DropStats drops_;
    std::map<DropReason, uint64_t> looked_; ///< for each drop reason, the time when its counters were last read
    uint64_t began_ = 0, grew_ = 0;
    bool reader_stopped_ = false;
    uint64_t lines_ = UINT64_MAX;
    LimiterPeriod period_;
    /// Number of repetitions of each drop message. The key consists of the kind of loss and of the message's text after
    /// the count.
    std::map<std::pair<std::string_view, std::string>, Repeated> repeated_;
    /// loss counters: first counters of CPUs, then counters of the owners in `places_`
    std::vector<const dt_losses*> counters_;
    std::vector<std::string> places_;
    KernelLosses* kernel_ = nullptr;
    /// interval between reads of the kernel's counters, and time of the next read, in ns
    uint64_t kernel_period_ = 0, kernel_due_ = 0;
    // for each element of `counters_`: value of the counter when it was last reported
    std::vector<dt_losses> reported_;
    // For each element of `counters_`: number of samples that the consumer itself dropped and that no message has
    // reported yet.
    std::vector<uint64_t> principal_;
    uint64_t speculative_ = 0, speculative_reported_ = 0;
    TruncatedKeys truncated_keys_;
};

} // namespace dt::consume

// Computes evictions of dynamic variables (dynvarpolicy=lru).

namespace dt {
class LoadedMaps;
}

namespace dt::consume {

/// Returns the total number of elements in the maps that may evict elements; the number is exact if no program runs.
/// Costs a walk through each map (MapReader).
Result<uint64_t> element_count(const LoadedMaps& maps);
/// Returns the number of requests that have begun and not ended (docs/decisions/78-requests.md). Costs a walk through
/// the map of requests (MapReader).
Result<uint64_t> open_request_count(const LoadedMaps& maps);

} // namespace dt::consume
