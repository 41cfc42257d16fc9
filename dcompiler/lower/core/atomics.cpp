// Implements operations that need the old value of a word, by fetching atomics (atomic instructions that return the old
// value). Kernels before Linux 5.12 lack these (Features::fetching_atomics); there the operations work without them.
//
// Kernels before 5.12 have an atomic addition, but it returns no value. Two guarantees replace the other atomics.
//
// First, programs run with preemption disabled. If a program interrupts another one on the same CPU, it ends before the
// other one continues, and restores the words that the other one uses. So words that only one CPU changes need no
// atomics. This holds whether or not the kernel allows nested programs at a hook.
//
// Second, if several programs call bpf_map_update_elem() with BPF_NOEXIST for the same key, on any CPUs, exactly one
// succeeds.

#include <cerrno>
#include <cstddef>

#include "dcompiler/lower/core/functions.hpp"
#include "dcompiler/lower/core/helper_programs.hpp"

namespace dt::lower {

Value Functions::exchange_on_cpu(ir::Builder& b, Value word, Value value)
{
    if (module_.world.features().fetching_atomics)
        return b.atomic_xchg(8, word, 0, value);
    const Value old = b.load(8, word, 0);
    b.store(8, word, 0, value);
    return old;
}

void Functions::once_on_cpu(ir::Builder& b, uint32_t map, ir::BlockId otherwise, const std::function<void()>& run)
{
    const Value key = b.stack_addr(b.slot(8));
    b.store(4, key, 0, b.constant(0));
    const Value found = b.call_helper(kMapLookup, {b.map_ref(map), key}, Mem::MapOrNull, 8);
    const ir::BlockId have = b.block(), free = b.block();
    b.branch(Op::Ne, found, b.constant(0), have, otherwise);
    b.enter(have);
    const Value running = b.not_null(found);
    b.branch(Op::Eq, b.load(8, running, 0), b.constant(0), free, otherwise);
    b.enter(free);
    b.store(8, running, 0, b.constant(1));
    run();
    b.store(8, running, 0, b.constant(0));
}

/// Creates end_speculation() for kernels without fetching atomics. A map element whose key is the serial number serves
/// as a lock. A program that does not get the lock does nothing: the lock's owner ends the speculation, or has found
/// that it had ended.
uint32_t Functions::end_speculation_by_lock()
{
    const uint32_t locks = maps_.hash("spec_ends", 8, 8, module_.world.target().cpus * DT_SLOTS);
    const uint32_t lose = count_loss(Loss::Speculation);
    return once("dt_end_speculation", {{Mem::MapValue, sizeof(dt_spec)}, Parameter{}}, [&](ir::Builder& b) {
        const Value state = b.param(0), serial = b.param(1), key = b.stack_addr(b.slot(8));
        b.store(8, key, 0, serial);
        const Value failed = b.unary(Op::SExt, maps_.put(b, locks, key, key, Maps::kPutNew), 4);
        const ir::BlockId locked = b.block(), refused = b.block(), ended = b.block(), unlock = b.block(),
                          lost = b.block(), nothing = b.block();
        b.branch(Op::Eq, failed, b.constant(0), locked, refused);
        b.enter(locked);
        const Value present = b.load(8, state, offsetof(dt_spec, serial));
        b.branch(Op::Eq, present, serial, ended, unlock);
        b.enter(ended);
        b.store(8, state, offsetof(dt_spec, serial), b.constant(0));
        b.jump(unlock);
        b.enter(unlock);
        b.call_helper(kMapDelete, {b.map_ref(locks), key});
        b.ret(present);
        b.enter(refused);
        b.branch(Op::Eq, failed, b.constant(-EEXIST), nothing, lost);
        b.enter(lost);
        b.call_local(lose, {});
        b.jump(nothing);
        b.enter(nothing);
        b.ret(b.constant(0));
    });
}

Value Functions::end_speculation(ir::Builder& b, Value state, Value serial)
{
    if (module_.world.features().fetching_atomics)
        return b.atomic_cas(8, state, offsetof(dt_spec, serial), serial, b.constant(0));
    return b.call_local(end_speculation_by_lock(), {state, serial});
}

// Implements maps with a value for each thread. They are task storage or, on kernels without it
// (Features::task_storage), a hash map whose key is the address of the thread's struct task_struct.
//
// The kernel frees task storage with the thread. If a hash replaces task storage, a program at the tracepoint
// sched_process_free deletes its elements. The ended thread runs no code any more, so no program creates the element
// again before the kernel uses the address for another thread.

uint32_t Maps::per_thread(const std::string& name, uint32_t size)
{
    if (module_.world.features().task_storage)
        return add({name, kMapTaskStorage, 4, size, 0, kNoPrealloc});
    const uint32_t map = bounded(name, sizeof(uint64_t), size);
    threads_.insert(map);
    return map;
}

Value Functions::of_thread(ir::Builder& b, uint32_t map, Value task, uint32_t size, bool create)
{
    constexpr int64_t kCreate = 1; // the kernel's BPF_LOCAL_STORAGE_GET_F_CREATE
    if (module_.world.features().task_storage)
        return b.call_helper(kTaskStorageGet, {b.map_ref(map), task, b.constant(0), b.constant(create ? kCreate : 0)},
                             Mem::MapOrNull, size);
    const Value key = b.stack_addr(b.slot(8));
    b.store(8, key, 0, task);
    const auto find = [&] { return b.call_helper(kMapLookup, {b.map_ref(map), key}, Mem::MapOrNull, size); };
    const Value found = find();
    if (!create)
        return found;
    const auto make = [&] {
        maps_.put(b, map, key, b.data_addr(data_.zeros(size), size), Maps::kPutNew);
        return find();
    };
    return b.select(
        Op::Ne, found, b.constant(0), [&] { return b.not_null(found); }, make, Mem::MapOrNull, size);
}

namespace {
constexpr const char* kThreadsProgram = "dt_thread_freed";
}

/// The tracepoint sched_process_free passes the struct task_struct of the ended thread (include/trace/events/sched.h).
void add_thread_program(ModuleLowering& module)
{
    if (module.maps.threads().empty() || module.parts.programs.contains(kThreadsProgram))
        return;
    AttachPlan plan;
    plan.kind = ProgramKind::RawTracepoint;
    plan.targets = {{"sched_process_free", 0, 0, nullptr}};
    ir::Function f;
    f.name = kThreadsProgram;
    f.section = plan.section();
    f.param_mem = {Mem::Context};
    f.param_region = {0};
    ir::Builder b(f);
    const Value key = b.stack_addr(b.slot(8));
    b.store(8, key, 0, b.load(8, b.param(0), 0));
    for (const uint32_t map : module.maps.threads())
        module.functions.remove(b, map, key);
    b.ret(b.constant(0));
    add_helper_program(module, std::move(f), std::make_shared<const AttachPlan>(std::move(plan)), {});
}

} // namespace dt::lower
