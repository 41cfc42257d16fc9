// lockstat: holders and waiters of the kernel's mutexes, spin locks and reader-writer locks (dtrace-providers(7),
// lockstat).
#include "probes/stable/stable.hpp"

namespace dt::probes::stable {
namespace {

// Flags that describe a lock: the kernel's LCB_F_* (include/trace/events/lock.h).
constexpr int64_t kSpin = 1, kRead = 2, kWrite = 4, kMutex = 32;

using Functions = std::vector<const char*>;

/// Returns hooks for the returns of functions that acquire a lock, and for successful returns (1) of functions that
/// only try to acquire it.
std::vector<Hook> got(Functions functions, Functions tries, const std::vector<Source>& arguments)
{
    return {function_return(std::move(functions), arguments, {}, true),
            function_return(std::move(tries), arguments, {{result, Relation::Equal, {1}}}, true)};
}

Hook entered(Functions functions, const std::vector<Source>& arguments)
{
    Hook hook = function(std::move(functions), arguments);
    hook.every = true;
    return hook;
}

/// Returns a hook that measures the time in the functions `slow_paths` of a lock. These functions run if the lock was
/// not free at the first attempt to acquire it.
Hook spun(Functions slow_paths, const std::vector<Source>& arguments)
{
    return function_return(std::move(slow_paths), arguments, {}, true);
}

// Kernels before Linux 5.19 have no tracepoints of contended locks. A wait for a mutex is the time in these functions,
// which run if the mutex was not free at the first attempt.
const Functions kMutexWait{"__mutex_lock_slowpath"};
/// These functions return 0 if the thread has got the mutex.
const Functions kInterruptibleWait{"__mutex_lock_interruptible_slowpath", "__mutex_lock_killable_slowpath"};

/// Returns a hook at which a thread that has waited since `begin` goes to sleep for the mutex. Other threads also call
/// its function.
Hook sleeping(Hook begin)
{
    begin.key = {{{Kind::CurrentTask}}};
    Hook sleep = begin;
    sleep.targets = {"schedule_preempt_disabled"};
    sleep.arguments = {constant(0), constant(1)};
    sleep.start_hook = std::make_shared<const Hook>(std::move(begin));
    return sleep;
}

/// Returns hooks at which the functions call the program directly, so that kernel stacks contain the callers. `time` is
/// the source of the probe's second argument.
std::vector<Hook> called_waits(const Source& time, const Filter& filter)
{
    std::vector<Hook> hooks;
    for (const Functions& functions : {kMutexWait, kInterruptibleWait})
        for (const char* name : functions) {
            Hook end{ProgramKind::Fexit, {name}, {filter}, {word(0), time}};
            if (functions != kMutexWait)
                end.filters.push_back({word(1, 4), Relation::Equal, {0}});
            end.start_hook = std::make_shared<const Hook>(sleeping(direct_call(name)));
            end.key = end.start_hook->key;
            hooks.push_back(std::move(end));
        }
    return hooks;
}

/// Returns hooks by kprobes, for machines on which functions cannot call programs directly. Kernel stacks then lack the
/// callers.
std::vector<Hook> probed_waits(const Source& time, const Filter& filter)
{
    std::vector<Hook> hooks;
    for (const Functions& functions : {kMutexWait, kInterruptibleWait}) {
        Hook end{ProgramKind::Kretprobe, functions, {filter}, {recorded, time}};
        if (functions != kMutexWait)
            end.filters.push_back({result, Relation::Equal, {0}});
        end.every = true;
        end.start_hook = std::make_shared<const Hook>(sleeping(entered(functions, {parameter(0)})));
        end.key = end.start_hook->key;
        hooks.push_back(std::move(end));
    }
    return hooks;
}

} // namespace

const std::vector<Row>& lockstat_rows()
{
    const Source reader = constant(1), writer = constant(0); // the values of D's constants RW_READER and RW_WRITER
    const Source spinning{{Kind::Elapsed, 0}}, blocked{{Kind::Elapsed, 1}};
    const ProbeArgument mutex{"struct mutex *", {}, 0}, spin{"spinlock_t *", {}, 0}, rw{"rwlock_t *", {}, 0},
        time{"uint64_t", {}, 1}, way = number(1);
    const Functions interruptible{"mutex_lock_interruptible", "mutex_lock_killable"};
    const Filter is_mutex{bits(word(1, 4), kMutex), Relation::NotEqual, {0}};
    const Filter is_spin{bits(word(1, 4), kSpin | kRead | kWrite | kMutex), Relation::Equal, {kSpin}};
    const Filter is_rw{bits(word(1, 4), kSpin | kMutex), Relation::Equal, {kSpin}},
        is_shared{bits(word(1, 4), kRead | kWrite), Relation::NotEqual, {0}};
    const Filter acquired{word(1, 4), Relation::Equal, {0}};
    const Filter slept{blocked, Relation::NotEqual, {0}}, awake{blocked, Relation::Equal, {0}};
    const Source as_reader = choice(bits(recorded, kRead), 0, writer, reader);
    static const std::vector<Row> kRows = {
        {"adaptive-acquire",
         both(got({"mutex_lock", "mutex_lock_io"}, {"mutex_trylock"}, {recorded}),
              {function_return(interruptible, {recorded}, {{result, Relation::Equal, {0}}}, true)}),
         {mutex}},
        {"adaptive-acquire-error",
         {function_return(interruptible, {recorded, result}, {{result, Relation::NotEqual, {0}}}, true)},
         {mutex, number(1)},
         {contended({is_mutex}, {word(0), word(1, 4)}, {{word(1, 4), Relation::NotEqual, {0}}})}},
        {"adaptive-block",
         {contended({is_mutex}, {word(0), blocked}, {acquired, slept})},
         {mutex, time},
         called_waits(blocked, slept),
         nullptr,
         probed_waits(blocked, slept)},
        {"adaptive-spin",
         {contended({is_mutex}, {word(0), spinning}, {acquired, awake})},
         {mutex, time},
         called_waits(spinning, awake),
         nullptr,
         probed_waits(spinning, awake)},
        {"adaptive-release", {entered({"mutex_unlock"}, {parameter(0)})}, {mutex}},
        {"spin-acquire",
         got({"_raw_spin_lock", "_raw_spin_lock_bh", "_raw_spin_lock_irq", "_raw_spin_lock_irqsave"},
             {"_raw_spin_trylock", "_raw_spin_trylock_bh"}, {recorded}),
         {spin}},
        {"spin-spin",
         {spun({"queued_spin_lock_slowpath", "native_queued_spin_lock_slowpath", "__pv_queued_spin_lock_slowpath"},
               {recorded, spinning})},
         {spin, time},
         {contended({is_spin}, {word(0), spinning})}},
        {"spin-release",
         {entered({"_raw_spin_unlock", "_raw_spin_unlock_bh", "_raw_spin_unlock_irq", "_raw_spin_unlock_irqrestore"},
                  {parameter(0)})},
         {spin}},
        {"rw-acquire",
         both(got({"_raw_read_lock", "_raw_read_lock_bh", "_raw_read_lock_irq", "_raw_read_lock_irqsave"},
                  {"_raw_read_trylock"}, {recorded, reader}),
              got({"_raw_write_lock", "_raw_write_lock_bh", "_raw_write_lock_irq", "_raw_write_lock_irqsave"},
                  {"_raw_write_trylock"}, {recorded, writer})),
         {rw, way}},
        {"rw-spin",
         {spun({"queued_read_lock_slowpath"}, {recorded, spinning, reader}),
          spun({"queued_write_lock_slowpath"}, {recorded, spinning, writer})},
         {rw, time, number(2)},
         {contended({is_rw, is_shared}, {word(0), spinning, as_reader})}},
        {"rw-release",
         {entered({"_raw_read_unlock", "_raw_read_unlock_bh", "_raw_read_unlock_irq", "_raw_read_unlock_irqrestore"},
                  {parameter(0), reader}),
          entered(
              {"_raw_write_unlock", "_raw_write_unlock_bh", "_raw_write_unlock_irq", "_raw_write_unlock_irqrestore"},
              {parameter(0), writer})},
         {rw, way}},
    };
    return kRows;
}

} // namespace dt::probes::stable
