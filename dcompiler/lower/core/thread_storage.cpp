// Implements maps with a value for each thread. They are task storage or, on kernels without it
// (Features::task_storage), a hash map whose key is the address of the thread's struct task_struct.
//
// The kernel frees task storage with the thread. If a hash replaces task storage, a program at the tracepoint
// sched_process_free deletes its elements. The ended thread runs no code any more, so no program creates the element
// again before the kernel uses the address for another thread.
#include "dcompiler/lower/core/functions.hpp"
#include "dcompiler/lower/core/helper_programs.hpp"

namespace dt::lower {

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
