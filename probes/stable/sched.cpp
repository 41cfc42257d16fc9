// sched: actions of the scheduler on threads (dtrace-providers(7), sched).
//
// Most of these actions happen in functions that have no tracepoints. In kernels without kprobes, the table uses other
// tracepoints. The probes enqueue and dequeue then fire when a thread has become runnable, goes to sleep or is moved.
// The probe on-cpu fires at the end of a task switch, or where the kernel moves the perf events of the new thread to
// the CPU.
#include "probes/stable/stable.hpp"

namespace dt::probes::stable {
namespace {

/// The arguments of the tracepoint sched_switch(preempt, prev, next, prev_state).
const Source kPreempt = word(0, 1), kNext = word(2), kPreviousState = previous_state();
const Filter gave_way{kPreempt, Relation::Equal, {0}}, runnable{kPreviousState, Relation::Equal, {0}},
    asleep{kPreviousState, Relation::NotEqual, {0}};

/// Returns a hook for the functions NAME_task_CLASS(run queue, task, flags), where CLASS is a scheduling class.
Hook queueing(std::vector<const char*> functions, bool with_place)
{
    constexpr int64_t kHead = 0x10; // the kernel's ENQUEUE_HEAD (kernel/sched/sched.h)
    Hook hook = function(std::move(functions), {parameter(1), cpu_info(field_of(parameter(0), "rq", "cpu"))});
    if (with_place)
        hook.arguments.push_back(choice(bits(parameter(2), kHead), 0, constant(0), constant(1)));
    hook.every = true;
    return hook;
}

/// Returns the arguments for the task in tracepoint argument `index`, on the run queue of `cpu`.
std::vector<Source> queued(uint32_t index, Source cpu)
{
    return {word(index), cpu_info(std::move(cpu)), constant(0)};
}
Source cpu_of(uint32_t index)
{
    return member(index, "task_struct", "thread_info.cpu", 4);
}

/// Returns a hook for sched_migrate_task(task, cpu), if the task is on a run queue (kernel/sched/sched.h:
/// TASK_ON_RQ_MIGRATING 2). Excludes tasks that are about to wake up.
Hook moved(Source cpu)
{
    return raw("sched_migrate_task", queued(0, std::move(cpu)),
               {{member(0, "task_struct", "on_rq", 4), Relation::Equal, {2}}});
}

/// Returns a hook for set_user_nice(task, nice), unless the task already has that nice value.
Hook nice_set()
{
    const Source priority = sum(parameter(1), constant(120)); // computes NICE_TO_PRIO (include/linux/sched/prio.h)
    return function({"set_user_nice"}, {parameter(0), priority},
                    {{field_of(parameter(0), "task_struct", "static_prio"), Relation::NotEqual, {}, priority}});
}

/// Returns a hook for __sched_setscheduler(task, attributes, …). The probe's priority is computed from the policy and
/// its parameter, as __normal_prio() does (include/uapi/linux/sched.h).
Hook policy_set()
{
    constexpr int64_t kFifo = 1, kRoundRobin = 2, kDeadline = 6, kUnchanged = -1;
    Source asked = field_of(parameter(1), "sched_attr", "sched_policy"),
           nice = field_of(parameter(1), "sched_attr", "sched_nice");
    asked.where.is_signed = nice.where.is_signed = true;
    const Source policy = choice(asked, kUnchanged, field_of(parameter(0), "task_struct", "policy"), asked);
    const Source realtime = difference(constant(99), field_of(parameter(1), "sched_attr", "sched_priority"));
    const Source priority = choice(
        policy, kFifo, realtime,
        choice(policy, kRoundRobin, realtime, choice(policy, kDeadline, constant(-1), sum(nice, constant(120)))));
    return function({"__sched_setscheduler"}, {parameter(0), priority});
}

/// Returns a hook for sched_pi_setprio(task, waiter): a task gets the priority of a thread that waits for it, or its
/// own priority again.
Hook priority_lent()
{
    return raw("sched_pi_setprio", {word(0), choice(word(1), 0, member(0, "task_struct", "normal_prio", 4),
                                                    member(1, "task_struct", "prio", 4))});
}

/// Returns a hook for pick_next_task_CLASS(run queue, …), if the function chooses the thread that is already running.
Hook chose_current()
{
    const Source chosen = result_of(8, false);
    Hook hook = function_return(
        {"pick_next_task_fair", "pick_next_task_rt", "pick_next_task_dl", "pick_next_task_stop", "pick_next_task_idle"},
        {}, {{chosen, Relation::Equal, {}, recorded}}, true);
    Hook begin = *hook.start_hook;
    begin.arguments = {field_of(parameter(0), "rq", "curr")};
    hook.start_hook = std::make_shared<const Hook>(std::move(begin));
    return hook;
}

/// Returns a hook for the first run of a new process or thread: the system call that created it returns 0 there.
Hook born()
{
    return raw("sys_exit", {},
               {{word(1), Relation::Equal, {0}},
                is_one_of_calls(call_number, {"clone", "fork", "vfork", "clone3"}),
                native_call});
}

/// Makes a hook for a function that finish_task_switch() calls while a thread has a perf event.
Hook switched_in()
{
    Hook hook = direct_call("__perf_event_task_sched_in");
    hook.needs_event = true;
    return hook;
}

} // namespace

const std::vector<Row>& sched_rows()
{
    const Source current{{Kind::CurrentTask}};
    const ProbeArgument queue{"cpuinfo_t *", {}, 1};
    const Filter some_thread{member(1, "task_struct", "pid", 4), Relation::NotEqual, {0}};
    const Filter not_yielding = is_one_of_calls(call_number, {"sched_yield"}, Relation::NotEqual);
    // Tracepoints that the table uses, with their arguments: sched_waking(task), hrtimer_expire_entry(timer, now),
    // sched_exit(switched)
    static const std::vector<Row> kRows = {
        {"off-cpu", {raw("sched_switch", {kNext})}, {thread(), process()}},
        {"on-cpu",
         {function({"finish_task_switch", "finish_task_switch.isra.0"})},
         {},
         {raw("sched_exit_tp", {}, {{word(0, 1), Relation::NotEqual, {0}}}), born()},
         nullptr,
         {switched_in()}},
        {"sleep", {raw("sched_switch", {}, {gave_way, asleep})}, {}},
        {"preempt",
         {raw("sched_switch", {}, {{kPreempt, Relation::NotEqual, {0}}}),
          raw("sched_switch", {}, {gave_way, runnable, some_thread, not_yielding})},
         {}},
        {"wakeup", {raw("sched_waking", {word(0)})}, {thread(), process()}},
        {"surrender",
         {function({"do_sched_yield"}, {current})},
         {thread(), process()},
         {raw("sys_enter", {current}, {is_one_of_calls(word(1), {"sched_yield"}, Relation::Equal), native_call})}},
        {"tick",
         {function({"sched_tick", "scheduler_tick"}, {current})},
         {thread(), process()},
         {raw("hrtimer_expire_entry", {current},
              {{member(0, "hrtimer", "function", 8),
                Relation::OneOf,
                {},
                {},
                {"tick_nohz_handler", "tick_sched_timer"}}})}},
        {"enqueue",
         {queueing({"enqueue_task_fair", "enqueue_task_rt", "enqueue_task_dl", "enqueue_task_stop", "enqueue_task_scx"},
                   true)},
         {thread(), process(), queue, number(2)},
         {raw("sched_wakeup", queued(0, cpu_of(0))), raw("sched_wakeup_new", queued(0, cpu_of(0))), moved(word(1, 4))}},
        {"dequeue",
         {queueing({"dequeue_task_fair", "dequeue_task_rt", "dequeue_task_dl", "dequeue_task_stop", "dequeue_task_idle",
                    "dequeue_task_scx"},
                   false)},
         {thread(), process(), queue},
         {raw("sched_switch", queued(1, cpu_of(1)), {gave_way, asleep}), moved(cpu_of(0))}},
        {"change-pri", {nice_set(), policy_set(), priority_lent()}, {thread(), process(), number(1)}},
        {"remain-cpu", {raw("sched_exit_tp", {}, {{word(0, 1), Relation::Equal, {0}}})}, {}, {chose_current()}},
    };
    return kRows;
}

} // namespace dt::probes::stable
