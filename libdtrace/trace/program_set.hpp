// The part of a trace in the kernel: its programs, their hooks, and the switch that activates or stops all of them.
//
// Programs are attached while the trace is inactive: they run at each firing but return immediately. One memory write
// activates all of them, and one write stops them. Another thread may stop them at any time.
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
    /// `compilation` and `world` must outlive this object.
    ProgramSet(Compilation& compilation, LiveWorld& world)
        : compilation_(compilation), world_(world), abandoned_calls_(world.proc())
    {
    }

    void record_phases(PhaseTimes* steps) { steps_ = steps; }

    /// Prepares a handover: activate() replaces `former` at each hook. Must be called before load().
    void replace(ProgramSet& former) { former_ = &former; }
    /// Makes a child process load the object, if this process needs only its maps and programs
    /// (LoadedObject::load_in_child). Must be called before load(). `waiting` is called once a second while this
    /// process waits.
    void load_in_child(std::function<void()> waiting) { while_loading_ = std::move(waiting); }
    /// Loads maps and programs into the kernel. If the kernel refuses a kind of program, the probes are planned and
    /// compiled again without that kind. With -x pin, adopts the pinned trace of an earlier tracer instead, if there is
    /// one with the same object.
    Result<void> load();
    /// Returns whether load() has adopted a pinned trace. The probes of such a trace never stopped firing, and its
    /// BEGIN has already run.
    bool is_adopted() const { return adopted_; }
    /// Returns a message for the user about the adopted pinned trace; empty if there is no message.
    const std::string& pin_note() const { return pin_note_; }
    /// Attaches the programs. Must be called after load(). If the kernel refuses to attach a kind of program, loads
    /// again without this kind.
    Result<void> attach(const AttachListener& listener);

    /// Activates all probes simultaneously, unless exit() or switch_off() was called before. With -x pin, the probes
    /// outlive the tracer from now on. `take_turn_elsewhere` performs the handover in processes that run clauses in
    /// their engines.
    Result<void> activate(const std::function<void()>& take_turn_elsewhere);
    /// Stops all probes, so that later firings return immediately. Earlier firings may still be running.
    void stop_firings();
    /// Renews the lease of -x pin; must be called at least once a second. If the lease had expired and the trace was
    /// stopped, restarts the trace and returns a message for the user.
    std::string renew_lease();
    /// Stops all probes, and waits until no firing is still running. Any thread may call it at any time after attach().
    void switch_off();
    /// Returns the time in ns for which probes were active. Must be called after switch_off().
    uint64_t active_ns() const { return active_until_ - active_since_; }
    /// Leaves a pinned trace active, as if this process were killed. The pin's name stays reserved as long as this
    /// object exists.
    void leave();
    bool is_left() const { return is_left_; }
    /// Detaches all hooks without waiting for running programs.
    void release();

    /// Runs the programs of BEGIN or END.
    Result<void> run_programs_of(uint32_t probe);
    /// Fires the probes of iterators (provider list) for some existing objects. Returns whether objects may be left.
    Result<bool> list_some();

    /// Detaches a program temporarily, or attaches it again. No effect after switch_off().
    Result<void> set_attached(const ProgramPlan& program, bool attached);

    /// Adds hooks that were attached after attach(). They are detached together with all other hooks; if switch_off()
    /// was already called, they are detached immediately.
    void keep(Attachments added);
    /// Makes the hooks that fire only in `process` continue after the first thread of this process has ended. Returns 0
    /// or an errno.
    int outlive_leader(int64_t process);
    /// Detaches the hooks that fire only in `process`.
    void detach_process(int64_t process);
    /// Makes timer probes fire for ticks that the kernel has skipped. Must be called about ten times a second.
    void repeat_late_ticks();
    /// Returns the time until the next timer tick may be late, or a very long time if there is no timer.
    std::chrono::milliseconds until_tick_is_late();
    /// Attaches per-CPU hooks to the CPUs that are online now.
    void follow_cpus(const std::vector<int>& cpus);

    /// Returns the loaded object. Must be called after load().
    LoadedObject& loaded() { return *loaded_; }
    const LoadedObject& loaded() const { return *loaded_; }
    /// Returns the state that the BPF programs share with this process.
    volatile dt_state& state() { return loaded_->state(); }
    KernelLosses& losses() { return losses_; }
    AbandonedCalls& abandoned_calls() { return abandoned_calls_; }
    StartReport& report() { return report_; }
    const StartReport& report() const { return report_; }
    /// Returns the verifier's log of -x bpflog.
    const std::string& verifier_log() const { return log_; }
    /// Returns the code of each program as it was loaded into the kernel, in the order of the object's plans. Must be
    /// called between attach() and detach().
    std::vector<ObjectFunction> final_code() const;
    /// Returns how many instructions the verifier processed for each program, in the order of final_code().
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
    std::optional<Pins> pins_; ///< this trace's pin in the BPF file system; no value without -x pin
    /// callback that is called once a second while a child process loads the object; null if no child loads it
    std::function<void()> while_loading_;
    bool adopted_ = false;
    std::string pin_note_;
    ProgramSet* former_ = nullptr; ///< programs of the trace that activate() replaces
    // Members are destroyed in reverse order, so hooks are detached before the objects that they use are freed.
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

/// Moves the calling thread to every CPU where it may run, calls `there` on each with the CPU's number, and restores
/// the thread's affinity. While `there` runs, any other BPF program on that CPU is a preemptible one. Returns whether
/// all online CPUs were visited.
bool on_each_cpu(const std::function<void(uint32_t cpu)>& there);

/// Blocks until every BPF program that was running on any CPU at the time of the call has ended. For programs that
/// cannot be preempted, the calling thread visits each CPU, which takes about 50 us per CPU. If `preemptible`, it waits
/// for a grace period of 8 to 16 ms instead. Kernels with nohz_full offer no such wait, so there preemptible programs
/// may still be running afterwards. Restores the thread's affinity.
void wait_for_programs(bool preemptible);

} // namespace dt
