// The kernel's half of a trace: its programs, their hooks, and the switch that makes all of them active or none.
//
// Programs are attached while they are inactive, so that each returns at once. One store makes all active together, and
// one store stops them together. Another thread may stop them at any time.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "base/steps.hpp"
#include "libdtrace/load/kernel_losses.hpp"
#include "libdtrace/load/loader.hpp"
#include "libdtrace/trace/attach_progress.hpp"
#include "libdtrace/trace/attaching.hpp"
#include "libdtrace/trace/compilation.hpp"
#include "libdtrace/trace/unwound.hpp"

namespace dt {

class Enabling {
public:
    /// Both must outlive this.
    Enabling(Compilation& compilation, LiveWorld& world)
        : compilation_(compilation), world_(world), unwound_(world.proc())
    {
    }

    void time_steps(Steps* steps) { steps_ = steps; }

    /// Before load(): activate() makes it this one's turn at each hook, and no longer the other's.
    void take_place_of(Enabling& former) { former_ = &former; }
    /// Before load(): it is done by a child of this process (LoadedObject::load_beside), where nobody wants more of the
    /// object than its maps and programs. `waiting` is called once a second meanwhile.
    void load_beside(std::function<void()> waiting) { while_loading_ = std::move(waiting); }
    /// Puts maps and programs into the kernel. While it will have none of some kind of program, probes are planned anew
    /// without that kind. With -x pin, what has outlived another tracer of the same object is taken up instead.
    Result<void> load();
    /// After load(): its probes have been firing all along, and BEGIN has run.
    bool is_taken_up() const { return taken_up_; }
    /// With -x pin, what is to be told of that; empty: nothing.
    const std::string& pin_note() const { return pin_note_; }
    /// After load(), which is repeated for what the kernel loads and does not attach.
    Result<void> attach(const AttachListener& listener);

    /// Makes all probes active together, unless exit() or switch_off() came before. With -x pin they outlive the
    /// tracer from now on. `take_turn_elsewhere`: where the kernel does not run the clauses, when it is this one's
    /// turn.
    Result<void> activate(const std::function<void()>& take_turn_elsewhere);
    /// What fires returns at once; what did may still be running.
    void stop_firings();
    /// With -x pin, as long as somebody is there for the trace: to be called at least once a second. Not empty: nobody
    /// was, for so long that it had stopped, which is to be told; it goes on.
    std::string renew_lease();
    /// No probe fires any more, and none that did is still running. Any thread may call it, at any time after attach().
    void switch_off();
    /// After that: ns that probes were active.
    uint64_t active_ns() const { return active_until_ - active_since_; }
    /// With -x pin: all goes on as if the tracer were killed now. It holds the name as long as this lives.
    void leave();
    bool is_left() const { return is_left_; }
    /// Lets go of all hooks, whatever still runs.
    void release();

    /// Runs the programs of BEGIN or END.
    Result<void> run_programs_of(uint32_t probe);

    /// Detaches a program for a while, or attaches it again; nothing once all are switched off.
    Result<void> set_attached(const ProgramPlan& program, bool attached);

    /// Hooks that came later: they go with the others, or at once when those have gone.
    void keep(Attachments added);
    /// Detaches what fires in one process alone.
    void detach_process(int64_t process);
    /// Ticks that did not come; to be called some ten times a second.
    void keep_time();
    /// Until a tick may be late that has not come; long when there is none.
    std::chrono::milliseconds until_late();
    /// These CPUs are online now.
    void follow_cpus(const std::vector<int>& cpus);

    /// After load().
    LoadedObject& loaded() { return *loaded_; }
    const LoadedObject& loaded() const { return *loaded_; }
    /// What the programs and this process both see.
    volatile dt_state& state() { return loaded_->state(); }
    KernelLosses& losses() { return losses_; }
    UnwoundCalls& unwound() { return unwound_; }
    StartReport& report() { return report_; }
    const StartReport& report() const { return report_; }
    const std::string& verifier_log() const { return log_; }
    std::mutex& switching_off() { return switching_off_; }
    probes::AttachOptions attach_options() const;

private:
    Result<void> load_once();
    bool needs_kernel() const;
    bool wants_object() const;
    bool can_do_without_kernel(bool clocks) const;
    Result<void> look_for_pins();
    Result<void> take_up_links();
    Result<void> pin();
    Result<void> take_turn(const std::function<void()>& elsewhere);
    std::optional<ProgramKind> refusable_kind() const;
    Result<void> give_up(const std::string& refused, const Error& reason);
    Result<void> plan_without(ProgramKind refused, const Error& reason);

    Compilation& compilation_;
    LiveWorld& world_;
    Steps* steps_ = nullptr;
    std::string log_;
    std::optional<Pins> pins_;            ///< with -x pin
    std::function<void()> while_loading_; ///< null: it is loaded here
    bool taken_up_ = false;
    std::string pin_note_;
    Enabling* former_ = nullptr; ///< whose place this one takes
    // destroyed in reverse, so hooks go before what they refer to
    std::optional<LoadedObject> loaded_;
    KernelLosses losses_;
    UnwoundCalls unwound_;
    Attachments attachments_;
    StartReport report_;
    std::mutex switching_off_;
    bool switched_off_ = false, is_left_ = false;
    uint64_t active_since_ = 0, active_until_ = 0; ///< CLOCK_MONOTONIC ns
};

} // namespace dt
