// How much more often firings come on a CPU while a program of -x maxcost is detached than while it is attached.
//
// A window stands for the time around it. What tracing takes of a window it takes from the CPU's idle time first: who
// waits for something comes as often as without it. Where less was idle than tracing takes, code that waits for nothing
// makes fewer calls in the window than in the gaps, by what is missing. Nobody sees the calls of a gap, but the kernel
// says how much of it was idle, and the window what else a firing's time was.
//
// It is taken for granted that what a CPU does besides tracing follows the firings. Who looks at a clock all the while
// instead of sleeping, or shares the CPU with somebody who never sleeps, is said to have come more often than it did,
// by what tracing takes of a window at most.
#pragma once

#include <array>
#include <cstddef>

namespace dt {

/// What a program takes, from look to look. A mean of the few firings that are timed between two of them is far too
/// large when one was interrupted: the middle of the last ones is believed.
class Steady {
public:
    void add(double value);
    /// Of the last so many, 31 at most. 0: there was none.
    double middle(std::size_t last = kLooks) const;

private:
    static constexpr std::size_t kLooks = 31;
    std::array<double, kLooks> last_{};
    std::size_t added_ = 0;
};

/// How dear everything is on a CPU, beside when prices were measured. Where somebody else uses the same core, as a busy
/// machine's other threads do, a system call takes some tenths longer, and what is outside of a program as much.
class Mood {
public:
    /// Ns that an untraced system call took just now.
    void add(double call);
    bool is_known() const { return weight_ > 0; }
    /// What to multiply a price by that was measured when a call took `then` ns. 1 where either is unknown.
    double factor(double then) const;

    static constexpr double kMostDear =
        1.6; ///< what is more than two threads of a core do to each other is not believed

private:
    double calls_ = 0, weight_ = 0;
};

/// For how long a window was. It fires a moment before the kernel says that it is attached, and none is told for how
/// long after it was to be detached: so what was seen in between, for `between` ns, tells how long `all` took. Few tell
/// nothing.
/// `least` to `most` ns: what it may have been.
double window_that_fired(double between, double firings_between, double all, double least, double most);

/// Estimates the error of a total that follows from windows of one program.
class WindowSpread {
public:
    /// Adds a window that stood for `firings` firings in `span` ns: its own time and the gaps that it stands for.
    void add(double firings, double span);
    /// Lets the last window stand for `firings` more in `span` ns more. Without a window that is a guess.
    void extend(double firings, double span);

    std::size_t windows() const { return windows_; }
    /// Returns the half width of the 95 % confidence interval of the sum over all windows, in firings. The error comes
    /// from differences between consecutive rates, so a slow drift adds none. One window has no such difference: its
    /// error is all that it stood for.
    double error() const;

private:
    std::size_t windows_ = 0;
    double last_ = 0, last_span_ = 0;            ///< firings a ns, ns
    double steps_ = 0, spans_ = 0, firings_ = 0; ///< sums of squares of steps from rate to rate and of spans; all
};

/// Returns the part of a window's weight that lies beyond the end of the trace. The window stands for `span` ns until
/// `until`, and tracing ends at `end` (ns of one clock). A negative part is missing.
double part_beyond(double until, double end, double span);

/// Estimates the unseen firings of a process from its CPU time: its firings in a ns of CPU time do not depend on how
/// often it waits for a CPU. All times are ns of the process's CPU time.
class FiringsByCpuTime {
public:
    /// Adds a time of `ns` in which the program was attached and saw `firings`, each of which tracing made `price` ns
    /// longer. Several short windows count as one.
    void add_attached(double ns, double firings, double price);
    /// Adds a time of `ns` in which the program was detached.
    void add_gap(double ns) { gap_ += ns; }
    /// Estimates the last gap from the window before it. Tracing has ended.
    void finish();

    /// Returns the firings of all gaps. A gap has more of them than a window: tracing takes no time there.
    double in_gaps() const { return in_gaps_; }
    /// Returns how many firings of in_gaps() follow from prices.
    double by_price() const { return by_price_; }
    /// Returns the error of in_gaps(), as WindowSpread::error().
    double error() const { return spread_.error(); }
    std::size_t windows() const { return windows_; }

private:
    void settle_gap();

    double gap_ = 0;                          ///< not yet estimated
    double ns_ = 0, firings_ = 0, taken_ = 0; ///< of short windows that count as one
    double rate_ = 0, traced_rate_ = 0;       ///< firings a ns of the last window, without and with tracing
    double in_gaps_ = 0, by_price_ = 0;
    std::size_t windows_ = 0;
    WindowSpread spread_;
};

/// Of one program and one CPU. All times are ns.
class Slowdown {
public:
    /// A gap was so long, and the CPU was idle for so much of it.
    void add_gap(double ns, double idle);
    /// A window was so long, and had so many firings, which took `price` each.
    void add_window(double ns, double firings, double price);
    /// The same of the time before there were windows: it is believed until there was one.
    void add_before(double ns, double firings, double price);

    /// Firings of a gap for each that a window of the same length has: 1 to kMost. 1 as long as nothing is known.
    double factor(double price) const;
    /// What to multiply a price by that a loop without pauses has told. Who was asleep finds nothing in the caches, and
    /// a system call that is traced is as much dearer as the CPU was idle: kMostCold for all of it, which is taken for
    /// granted as long as nothing is known.
    double coldness() const;
    /// Of windows, the last ones counting most.
    double firings() const { return windows_.firings; }

    /// A window of `window` ns begins that stands for `scale` times its time. Returns for how many firings each of it
    /// stands. What the first window stood for wrongly, the second one makes up for.
    double stands_for(double window, double scale, double price);

    static constexpr double kMost = 4;
    static constexpr double kMostCold = 1.4;

private:
    struct Attached {
        double ns = 0, firings = 0, taken = 0;
    };
    double factor_of(const Attached& attached, double price) const;

    double gaps_ = 0, idle_ = 0;
    Attached before_, windows_;
    double unsettled_ = 0, settled_ = 0; ///< gaps before the end of the first window; what it stood for instead of them
};

} // namespace dt
