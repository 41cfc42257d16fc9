// Lowers built-in variables of the current thread that need more than one helper call: vtimestamp, container.
#include "dcompiler/lower/clause.hpp"
#include "dcompiler/lower/hooks.hpp"
#include "dcompiler/lower/on_cpu.hpp"
#include "dcompiler/lower/strings_sources.hpp"

namespace dt::lower {

using ir::Mem;
using ir::Op;
using ir::Value;

Value cpu_value(ClauseLowering& l, uint32_t map)
{
    auto& b = l.b();
    const Value key = l.stack_temporary(8);
    b.store(8, key, 0, b.constant(0));
    const Value found =
        b.call_helper(kMapLookup, {b.map_ref(map), key}, Mem::MapOrNull, l.module().out.module.maps[map].value_size);
    const ir::BlockId missing = b.block(), have = b.block();
    b.branch(Op::Eq, found, b.constant(0), missing, have);
    b.enter(missing);
    l.abandon(); // never happens for index 0 of an array of one, but the verifier requires the check
    b.enter(have);
    return b.not_null(found);
}

Operand lower_vtimestamp(ClauseLowering& l, const TExpr& e)
{
    return number(l.cached("vtimestamp", [&] {
        auto& b = l.b();
        const int64_t runtime = needed_offset(l, e.at, "vtimestamp", "task_struct", kRuntimeMember);
        const Value cpu = cpu_value(l, l.module().maps.per_cpu(kOnCpuMap, kOnCpuSize));
        const Value task = b.call_helper(kGetCurrentTask, {});
        return b.call_runtime("dt_vtimestamp", {cpu, task, b.binary(Op::Add, task, b.constant(runtime))});
    }));
}

/// Lowers the cgroup id. Units, containers and pods are also recorded as this id; the consumer finds the text.
Operand lower_cgroup(ClauseLowering& l, const TExpr&)
{
    return number(l.cached("cgroup", [&] { return l.b().call_helper(kGetCurrentCgroupId, {}); }));
}

Datum cgroup_datum(const BuiltinVariable& name)
{
    Datum datum;
    datum.kind = Datum::Kind::Cgroup;
    datum.size = 8;
    switch (name.role) {
    case VariableRole::ContainerId:
        datum.part = Datum::Part::ContainerId;
        break;
    case VariableRole::ContainerName:
        datum.part = Datum::Part::ContainerName;
        break;
    case VariableRole::PodName:
        datum.part = Datum::Part::PodName;
        break;
    case VariableRole::PodNamespace:
        datum.part = Datum::Part::PodNamespace;
        break;
    default:
        break;
    }
    return datum;
}

Operand lower_container(ClauseLowering& l, const TExpr& e)
{
    constexpr uint32_t kRoom = 128; // same as in bpf-runtime/container.bpf.c
    auto& b = l.b();
    const auto follow = [&](Value from, std::string_view record, std::string_view member) {
        return b.load(8, from, needed_offset(l, e.at, "container", record, member), Mem::Btf);
    };
    const Value task = l.cached("task_btf", [&] { return b.call_helper(kGetCurrentTaskBtf, {}, Mem::Btf); });
    const Value node = follow(follow(follow(task, "task_struct", "cgroups"), "css_set", "dfl_cgrp"), "cgroup", "kn");
    const bool renamed = kernel_offset(l, "kernfs_node", "__parent").has_value(); // 6.15
    const int64_t parent = needed_offset(l, e.at, "container", "kernfs_node", renamed ? "__parent" : "parent");
    const int64_t name = needed_offset(l, e.at, "container", "kernfs_node", "name");
    const Value room = l.scratch_temporary(kRoom);
    return tail(b.call_runtime("dt_container", {room, node, b.constant(name), b.constant(parent)}), 13, false);
}

} // namespace dt::lower
