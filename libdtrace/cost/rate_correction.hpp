// Estimates how much more often a program of -x maxcost would fire on a CPU while it is detached.
//
// A sampling window represents the time around it. Tracing first uses up the CPU's idle time, because code that waits
// for events still runs as often as without tracing. If tracing takes more than the idle time, fewer probes fire in a
// window than in a gap of equal length. Firings in a gap cannot be counted. But the kernel reports the idle time of the
// gap, and the time per firing without tracing is computed from the window.
//
// The estimate assumes that the other work of a CPU is proportional to the number of firings. It is too high for code
// that polls a clock instead of sleeping, and for CPUs that also run a task which never sleeps. Its relative error is
// at most the fraction of a window that tracing takes.
#pragma once

#include <array>
#include <cstddef>

namespace dt {

/// Running median of a program's time per firing. Only a few firings are timed between two measurements, so a single
/// interrupted firing would make their mean far too large.
class RunningMedian {
public:
    void add(double value);
    /// Returns the median of the latest `last` values; at most 31 values are stored. Returns 0 if there are no values.
    double middle(std::size_t last = kMaxValues) const;

private:
    static constexpr std::size_t kMaxValues = 31;
    std::array<double, kMaxValues> last_{};
    std::size_t added_ = 0;
};

/// Present speed of a CPU, relative to its speed when hook overhead was measured. If another thread uses the same core,
/// a system call takes up to kMaxSlowCore times as long, and hook overhead rises by the same factor.
class CpuLatencyScale {
public:
    /// Adds the time in ns that an untraced system call just took on this CPU.
    void add(double call);
    bool is_known() const { return weight_ > 0; }
    /// Returns the factor for a hook overhead that was measured when an untraced system call took `then` ns. Returns 1
    /// if `then` or the CPU's current speed is unknown.
    double factor(double then) const;

    /// maximum of the factor: two threads of the same core slow each other down at most by this factor
    static constexpr double kMaxSlowCore = 1.6;

private:
    double calls_ = 0, weight_ = 0;
};

/// Returns for how many ns the programs of a sampling window really fired. This time begins before the kernel reports
/// that attaching has ended, and ends after detaching began. The function divides all firings of the window (`all`) by
/// a firing rate: that of the part in between, `between` ns with `firings_between` firings. The result is at least
/// `least` and at most `most`. With too few firings, it is the mean of these limits.
double window_that_fired(double between, double firings_between, double all, double least, double most);

/// Estimates the statistical error of a total that is computed from sampling windows of one program.
class WindowSpread {
public:
    /// Sets the rate in firings per ns before the first sampling window. The rate affects the statistical error, but
    /// not the sum.
    void begin(double rate);
    /// Adds a window that stands for `firings` firings in `span` ns: the time of the window and of its halves of the
    /// adjacent gaps.
    void add(double firings, double span);
    /// Adds `firings` firings in `span` ns that no window covers. They were estimated from the rate of the last window,
    /// or guessed if there is no window.
    void extend(double firings, double span);

    std::size_t windows() const { return windows_; }
    /// Returns the half width of the 95 % confidence interval of the sum over all windows, in firings. The error is
    /// computed from differences between the rates of consecutive windows, so a slow drift of the rate does not
    /// increase it. It does not include phases of the program that no window covered. With a single window, the
    /// returned half width is the whole sum.
    double error() const;

private:
    std::size_t windows_ = 0, differences_ = 0;
    bool has_first_ = false;
    /// Rate of the last sampling window in firings per ns, and length in ns of the period that it represents.
    double last_ = 0, last_span_ = 0;
    /// Sums over all windows: of the squared differences between the rates of consecutive windows, of the squared
    /// lengths, and of the firings.
    double steps_ = 0, spans_ = 0, firings_ = 0;
};

/// Returns the fraction of a window's weight that stands for time after the end of the trace. The window stands for the
/// `span` ns before `until`, and tracing ends at `end` (ns of one clock). The result is negative if the trace ends
/// after `until`.
double part_after_end(double until, double end, double span);

/// Estimates from a process's CPU time how many firings the process would have caused while the program was detached.
/// The firings per ns of CPU time do not depend on how long the process waits for a CPU. All times are ns of the
/// process's CPU time.
class FiringsByCpuTime {
public:
    /// Adds a period of `ns` in which the program was attached and fired `firings` times. Tracing made each firing
    /// `price` ns longer. Several short windows count as one.
    void add_attached(double ns, double firings, double price);
    /// Adds a period of `ns` in which the program was detached.
    void add_gap(double ns) { gap_ += ns; }
    /// Estimates the firings of the last gap by the rate of the window before it. Must be called after tracing has
    /// ended.
    void finish();

    /// Returns the estimated firings of all gaps. The firing rate in gaps is higher than in windows, because tracing
    /// takes no time in gaps.
    double in_gaps() const { return in_gaps_; }
    /// Returns how many of the firings that in_gaps() returns result from the correction for the time that tracing
    /// takes.
    double by_overhead() const { return by_overhead_; }
    /// Returns the statistical error of the estimate that in_gaps() returns.
    double error() const { return spread_.error(); }
    std::size_t windows() const { return windows_; }

private:
    void settle_gap();

    double gap_ = 0; ///< CPU time of the sampling gaps for which no firings have been estimated yet
    double ns_ = 0, firings_ = 0, taken_ = 0; ///< sums over short windows that are combined into one
    /// firings per ns of CPU time in the last sampling window; `rate_` excludes the time that tracing takes,
    /// `traced_rate_` includes it
    double rate_ = 0, traced_rate_ = 0;
    double in_gaps_ = 0, by_overhead_ = 0;
    std::size_t windows_ = 0;
    WindowSpread spread_;
};

/// Estimates the ratio between the firing rates in gaps and in windows, for one program on one CPU. All times are ns.
class GapRateFactor {
public:
    /// Adds a sampling gap of `ns`, in which the CPU was idle for `idle` ns.
    void add_gap(double ns, double idle);
    /// Adds a sampling window of `ns` with `firings` firings, each of which tracing made `price` ns longer.
    void add_window(double ns, double firings, double price);
    /// Adds the period before the first sampling window. Until a window has firings, the estimate is based on this
    /// period.
    void add_before(double ns, double firings, double price);

    /// Returns the ratio of a gap's firings to the firings in a window of equal length. The ratio is between 1 and
    /// kMax; without data it is 1.
    double factor(double price) const;
    /// Returns the cold-cache factor for a hook overhead that was measured in a loop without pauses. After sleeping,
    /// caches are cold, so the factor grows with the CPU's idle time. It is kMaxCold for an idle CPU, and if there are
    /// no data.
    double cold_cache_factor() const;
    /// Returns the number of firings in all sampling windows, where firings of earlier windows count less.
    double firings() const { return windows_.firings; }

    /// Begins a sampling window of `window` ns that represents a period `scale` times as long. Returns the weight of
    /// each of its firings. No firings were measured before the first window, so its weight has an error. The second
    /// window's weight compensates for this error.
    double window_weight(double window, double scale, double price);

    static constexpr double kMax = 4;
    static constexpr double kMaxCold = 1.4;

private:
    struct Attached {
        double ns = 0, firings = 0, taken = 0;
    };
    double factor_of(const Attached& attached, double price) const;

    double gaps_ = 0, idle_ = 0;
    Attached before_, windows_;
    /// Used until firings occur in a sampling window. `unsettled_`: total length of the gaps so far (ns). `settled_`:
    /// the same total, but each gap's length is multiplied by the correction factor in its window's weight.
    double unsettled_ = 0, settled_ = 0;
};

} // namespace dt
