// The part of a trace in the kernel: its programs, their hooks, and the switch that activates or stops all of them.
//
// Programs are attached while the trace is inactive; each then returns immediately. One store activates all of them,
// and one store stops them. Another thread may stop them at any time.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/phase_times.hpp"
#include "base/result.hpp"
#include "libdtrace/attach/abandoned_calls.hpp"
#include "libdtrace/attach/attach.hpp"
#include "libdtrace/load/loader.hpp"
#include "libdtrace/losses/kernel_losses.hpp"
#include "libdtrace/trace/compilation.hpp"

namespace dt {

class ProgramSet {
public:
    /// Both references must outlive this object.
    ProgramSet(Compilation& compilation, LiveWorld& world)
        : compilation_(compilation), world_(world), abandoned_calls_(world.proc())
    {
    }

    void record_phases(PhaseTimes* steps) { steps_ = steps; }

    /// Prepares a handover, before load(): activate() replaces `former` at each hook.
    void replace(ProgramSet& former) { former_ = &former; }
    /// Makes a child process load the object, if only its maps and programs are needed here
    /// (LoadedObject::load_in_child). Call it before load(). `waiting` is called once a second meanwhile.
    void load_in_child(std::function<void()> waiting) { while_loading_ = std::move(waiting); }
    /// Loads maps and programs into the kernel. If the kernel refuses a kind of program, the probes are planned and
    /// compiled again without it. With -x pin, adopts the pinned trace of an earlier tracer of the same object instead.
    Result<void> load();
    /// Returns, after load(), whether a pinned trace was adopted: the probes of such a trace never stopped firing, and
    /// its BEGIN has run already.
    bool is_adopted() const { return adopted_; }
    /// Returns the message about the pin for the user; empty if there is none.
    const std::string& pin_note() const { return pin_note_; }
    /// Attaches the programs, after load(). Loads again if the kernel refuses to attach a kind of program.
    Result<void> attach(const AttachListener& listener);

    /// Activates all probes at once, unless exit() or switch_off() was called before. With -x pin they outlive the
    /// tracer from now on. `take_turn_elsewhere` performs the handover in the processes that run clauses themselves.
    Result<void> activate(const std::function<void()>& take_turn_elsewhere);
    /// Stops all probes: later firings return immediately. Earlier ones may still be running.
    void stop_firings();
    /// Renews the lease of -x pin; must be called at least once a second. Returns a message for the user if the lease
    /// had expired and the trace was stopped; it then continues.
    std::string renew_lease();
    /// Stops all probes, and waits until no firing is still running. Any thread may call it at any time after attach().
    void switch_off();
    /// Returns, after switch_off(), the ns that probes were active.
    uint64_t active_ns() const { return active_until_ - active_since_; }
    /// Leaves a pinned trace running as if this process were killed. The pin's name stays reserved while this object
    /// exists.
    void leave();
    bool is_left() const { return is_left_; }
    /// Detaches all hooks without waiting for running programs.
    void release();

    /// Runs the programs of BEGIN or END.
    Result<void> run_programs_of(uint32_t probe);

    /// Detaches a program temporarily, or attaches it again. No effect after switch_off().
    Result<void> set_attached(const ProgramPlan& program, bool attached);

    /// Takes over hooks that were attached later. These hooks are detached together with all other hooks, or at once
    /// after switch_off().
    void keep(Attachments added);
    /// Makes the hooks that fire only in `process` work on after the first thread of this process has ended. Returns 0
    /// or an errno.
    int outlive_leader(int64_t process);
    /// Detaches the hooks that fire only in one process.
    void detach_process(int64_t process);
    /// Repeats late timer ticks; must be called about ten times a second.
    void repeat_late_ticks();
    /// Returns the time until a tick may be late; very long if there is no timer.
    std::chrono::milliseconds until_tick_is_late();
    /// Attaches per-CPU hooks to the CPUs that are online now.
    void follow_cpus(const std::vector<int>& cpus);

    /// Returns the loaded object, after load().
    LoadedObject& loaded() { return *loaded_; }
    const LoadedObject& loaded() const { return *loaded_; }
    /// Returns the state that the programs share with this process.
    volatile dt_state& state() { return loaded_->state(); }
    KernelLosses& losses() { return losses_; }
    AbandonedCalls& abandoned_calls() { return abandoned_calls_; }
    StartReport& report() { return report_; }
    const StartReport& report() const { return report_; }
    /// Returns the verifier's log of -x bpflog.
    const std::string& verifier_log() const { return log_; }
    /// Returns the code of each program as loaded into the kernel, in the order of the object's plans. Only between
    /// attach() and detach().
    std::vector<ObjectFunction> final_code() const;
    /// Returns how many instructions the verifier processed for each program, in the same order.
    std::vector<std::pair<std::string, uint64_t>> verified_programs() const;
    std::mutex& switching_off() { return switching_off_; }
    probes::AttachOptions attach_options() const;

private:
    Result<void> load_once();
    bool needs_kernel() const;
    bool wants_object() const;
    bool can_do_without_kernel(bool timers) const;
    Result<void> look_for_pins();
    Result<void> adopt_links();
    Result<void> pin();
    Result<void> take_over(const std::function<void()>& elsewhere);
    std::optional<ProgramKind> refusable_kind() const;
    Result<void> give_up(const std::string& refused, const Error& reason);
    Result<void> plan_without(ProgramKind refused, const Error& reason);

    Compilation& compilation_;
    LiveWorld& world_;
    PhaseTimes* steps_ = nullptr;
    std::string log_;
    std::optional<Pins> pins_; ///< the pin; set with -x pin
    /// called while a child process loads the object; null: this process loads it
    std::function<void()> while_loading_;
    bool adopted_ = false;
    std::string pin_note_;
    ProgramSet* former_ = nullptr; ///< trace that activate() replaces
    // destroyed in reverse order, so hooks are detached before the objects that they use
    std::optional<LoadedObject> loaded_;
    KernelLosses losses_;
    AbandonedCalls abandoned_calls_;
    Attachments attachments_;
    StartReport report_;
    std::mutex switching_off_;
    bool switched_off_ = false, is_left_ = false;
    uint64_t active_since_ = 0, active_until_ = 0; ///< times when probes became active and stopped (CLOCK_MONOTONIC ns)
};

// Waits until programs that were running when the last probe was disabled have ended.

/// Calls `there` with the CPU's number on every CPU where the calling thread may run, then restores the thread's
/// affinity. During the call no program runs on that CPU except preemptible ones. Returns whether all online CPUs were
/// visited.
bool on_each_cpu(const std::function<void(uint32_t cpu)>& there);

/// Blocks until every program that was running on any CPU at the time of the call has ended. For non-preemptible
/// programs this takes a visit to each CPU, about 50 us each; for `preemptible` ones a grace period, 8 to 16 ms.
/// Kernels with nohz_full offer no grace period; preemptible programs are not waited for there. Moves the calling
/// thread and restores its affinity.
void wait_for_programs(bool preemptible);

} // namespace dt
