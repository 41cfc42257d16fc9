// Lowers built-in variables that read kernel structures, walk a stack, or need a lookup table in the program's data:
// ppid, caller, ucaller, stackdepth, ustackdepth, vtimestamp, container, curcpu, and the names of block devices'
// drivers.
#include <algorithm>
#include <cstring>
#include <optional>

#include "bpf-runtime/open_files.h"
#include "dcompiler/lower/builtins/string_subroutines.hpp"
#include "dcompiler/lower/clause/clause.hpp"
#include "dcompiler/lower/clause/user_address.hpp"
#include "dcompiler/lower/core/helper_programs.hpp"
#include "dcompiler/lower/core/hooks.hpp"

namespace dt::lower {

namespace {

struct Found {
    const Type* type = nullptr;
    uint64_t offset = 0;
    uint32_t bit = 0; ///< for a bit-field: the index of its first bit in the byte at `offset`
};

/// Finds a member of a struct by its name; the member may belong to an anonymous struct or union in it.
std::optional<Found> find_member(const Type* record, std::string_view name)
{
    std::vector<Found> work{{record->resolve(), 0}};
    while (!work.empty()) {
        const Found place = work.back();
        work.pop_back();
        for (const Member& member : place.type->members()) {
            const uint64_t at = place.offset + member.bit_offset / 8;
            if (member.name == name)
                return Found{member.type->resolve(), at, static_cast<uint32_t>(member.bit_offset % 8)};
            if (member.name.empty() && member.type->is_record())
                work.push_back({member.type->resolve(), at});
        }
    }
    return {};
}

} // namespace

std::optional<uint64_t> kernel_offset(const ModuleLowering& module, std::string_view record, std::string_view path)
{
    TypeSource* source = module.world.running_types();
    const Type* type = source ? source->find(*module.program.types, TypeNamespace::Struct, record, "") : nullptr;
    uint64_t offset = 0;
    while (type) {
        const std::size_t dot = path.find('.');
        const std::optional<Found> found = find_member(type, path.substr(0, dot));
        if (!found)
            return {};
        offset += found->offset;
        if (dot == std::string_view::npos)
            return offset;
        type = found->type;
        path.remove_prefix(dot + 1);
    }
    return {};
}

std::optional<KernelBit> kernel_bit(const ModuleLowering& module, std::string_view record, std::string_view member)
{
    TypeSource* source = module.world.running_types();
    const Type* type = source ? source->find(*module.program.types, TypeNamespace::Struct, record, "") : nullptr;
    const std::optional<Found> found = type ? find_member(type, member) : std::nullopt;
    return found ? std::optional(KernelBit{found->offset, found->bit}) : std::nullopt;
}

std::optional<uint64_t> kernel_offset(ClauseState& l, std::string_view record, std::string_view path)
{
    return kernel_offset(l.module(), record, path);
}

int64_t needed_offset(ClauseState& l, const Span& at, std::string_view who, std::string_view record,
                      std::string_view path)
{
    if (const auto offset = kernel_offset(l, record, path))
        return static_cast<int64_t>(*offset);
    l.module().diagnostics.error(
        "D_UNKNOWN", at,
        std::string(who) + " needs struct " + std::string(record) + "." + std::string(path) +
            ", which the type information of this kernel does not have",
        "a kernel that is built with CONFIG_DEBUG_INFO_BTF has its types in /sys/kernel/btf/vmlinux");
    return 0;
}

/// Returns the offset of the saved user registers in the thread's kernel stack: they are at its end. The stack's size
/// comes from union thread_union. If the types lack this union, the size is assumed to be THREAD_SIZE of all supported
/// machines: 16 KiB, or a page if a page is larger.
uint64_t saved_registers_offset(const ModuleLowering& module)
{
    constexpr uint64_t kStackBytes = 16 << 10;
    TypeSource* const source = module.world.running_types();
    const auto size_of = [&](TypeNamespace space, std::string_view name, uint64_t otherwise) -> uint64_t {
        const Type* type = source ? source->find(*module.program.types, space, name, "") : nullptr;
        return type && type->size != 0 ? type->size : otherwise;
    };
    const uint64_t usual = std::max<uint64_t>(kStackBytes, module.world.target().page_bytes);
    return size_of(TypeNamespace::Union, "thread_union", usual) -
           size_of(TypeNamespace::Struct, "pt_regs", module.world.machine().saved.bytes);
}

Operand lower_ppid(ClauseLowering& l, const TExpr& e)
{
    const int64_t parent = needed_offset(l, e.at, "ppid", "task_struct", "real_parent");
    const int64_t tgid = needed_offset(l, e.at, "ppid", "task_struct", "tgid");
    // The verifier trusts the pointer to the task, so programs may load its members directly. A load that faults yields
    // 0.
    auto& b = l.b();
    const Value task = l.cached("task_btf", [&] { return b.call_helper(kGetCurrentTaskBtf, {}, Mem::Btf); });
    const Value real_parent = b.load(8, task, parent, Mem::Btf);
    return number(l.values.narrow(b.load(4, real_parent, tgid), e.type));
}

namespace {

/// Yields the kernel address from which the current function was called, or 0 if it cannot be determined.
Operand kernel_caller(ClauseLowering& l)
{
    auto& b = l.b();
    if (const auto word = caller_register(l))
        return number(b.load(8, l.context().context, *word * 8));
    const Value pc = l.stack_temporary(8);
    b.store(8, pc, 0, b.constant(0));
    b.call_helper(kGetStack, {l.context().context, pc, b.constant(8), l.stacks.stack_flags(false, 1)});
    return number(b.load(8, pc));
}

/// Yields the number of frames of the stack, limited to the value of option maxframes.
Operand depth(ClauseLowering& l, bool user)
{
    auto& b = l.b();
    const auto most = static_cast<uint32_t>(std::max<uint64_t>(l.module().options.maxframes, 1));
    const Value frames = l.scratch_temporary(most * 8);
    const Value got = user ? l.stacks.user_frames(most, frames)
                           : b.call_helper(kGetStack, {l.context().context, frames, b.constant(most * 8),
                                                       l.stacks.stack_flags(false)});
    l.fault_if(Op::SLt, got, b.constant(0), kFaultBadStack, b.constant(0));
    const Value found = b.binary(Op::LShr, got, b.constant(3));
    const bool lacks_one =
        !user && (l.stacks.stack_begins_with(StackBegin::Returned) || caller_register(l).has_value());
    return number(lacks_one ? b.binary(Op::Add, found, b.constant(1)) : found);
}

} // namespace

/// The tracer itself runs the programs of BEGIN and END, so there is no kernel function that is their caller.
Operand lower_caller(ClauseLowering& l, const TExpr&)
{
    return l.stacks.stack_begins_with(StackBegin::Caller) ? number(l.b().constant(0)) : kernel_caller(l);
}
Operand lower_ucaller(ClauseLowering& l, const TExpr&)
{
    auto& b = l.b();
    const Value frames = l.scratch_temporary(2 * 8);
    const Value got = l.stacks.user_frames(2, frames);
    return number(b.select(
        Op::SLt, got, b.constant(2 * 8), [&] { return b.constant(0); }, [&] { return b.load(8, frames, 8); }));
}
Operand lower_stackdepth(ClauseLowering& l, const TExpr&)
{
    return depth(l, false);
}
Operand lower_ustackdepth(ClauseLowering& l, const TExpr&)
{
    return depth(l, true);
}

// Lowers two built-in variables of the current thread that need more than one helper call: vtimestamp and container.

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
    l.abandon(); // the lookup of an array's only element cannot fail, but the verifier requires the check
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

/// Lowers the id of the current thread's control group. Variables with the name of a unit, container or pod also record
/// this id, and the consumer looks up the name.
Operand lower_cgroup(ClauseLowering& l, const TExpr&)
{
    return number(l.cached("cgroup", [&] { return l.b().call_helper(kGetCurrentCgroupId, {}); }));
}

Operand lower_container(ClauseLowering& l, const TExpr& e)
{
    constexpr uint32_t kRoom = 128; // size of the result, as in bpf-runtime/processes/container.bpf.c
    auto& b = l.b();
    const auto follow = [&](Value from, std::string_view record, std::string_view member) {
        return b.load(8, from, needed_offset(l, e.at, "container", record, member), Mem::Btf);
    };
    const Value task = l.cached("task_btf", [&] { return b.call_helper(kGetCurrentTaskBtf, {}, Mem::Btf); });
    const Value node = follow(follow(follow(task, "task_struct", "cgroups"), "css_set", "dfl_cgrp"), "cgroup", "kn");
    // Since Linux 6.15, the member `parent` is called `__parent`.
    const bool renamed = kernel_offset(l, "kernfs_node", "__parent").has_value();
    const int64_t parent = needed_offset(l, e.at, "container", "kernfs_node", renamed ? "__parent" : "parent");
    const int64_t name = needed_offset(l, e.at, "container", "kernfs_node", "name");
    const Value room = l.scratch_temporary(kRoom);
    return tail(b.call_runtime("dt_container", {room, node, b.constant(name), b.constant(parent)}), 13, false);
}

// Lowers curcpu: a table with a cpuinfo_t (dtrace-variables(7), curcpu) for each possible CPU, in read-only data.
//
// No BPF helper returns the physical package of a CPU, but the compiler can read it in /sys, and it never changes. So
// the compiler builds a table of all CPUs. No table is needed for `curcpu->cpu_id`, or for the chip number on a machine
// with one package.

namespace {

/// C form of struct cpuinfo, which semantic analysis defines for D.
struct CpuInfo {
    int32_t id, pset, chip, lgrp;
};

Value this_cpu(ClauseState& l)
{
    return l.cached("cpu", [&] { return l.b().call_helper(kGetSmpProcessorId, {}); });
}

uint32_t cpu_count(ClauseState& l)
{
    return std::max<uint32_t>(l.module().world.target().cpus, 1);
}

/// Builds the table with the cpuinfo_t of each possible CPU, in .rodata.
ir::Data cpu_table(World& world)
{
    const std::vector<int32_t> chips = world.chips();
    const uint32_t count = std::max<uint32_t>(world.target().cpus, 1);
    ir::Data data{"cpus", ".rodata", static_cast<uint32_t>(count * sizeof(CpuInfo)), 8, {}};
    data.bytes.resize(data.size);
    for (uint32_t i = 0; i < count; ++i) {
        const CpuInfo info{static_cast<int32_t>(i), 0, i < chips.size() ? chips[i] : 0, 0};
        std::memcpy(data.bytes.data() + i * sizeof info, &info, sizeof info);
    }
    return data;
}

/// Yields the address of a CPU's element in the table of cpuinfo_t. The CPU number must be below cpu_count().
Value element_of(ClauseState& l, Value cpu)
{
    auto& b = l.b();
    const Value base = b.data_addr(l.module().data.once("cpus", [&] { return cpu_table(l.module().world); }),
                                   cpu_count(l) * sizeof(CpuInfo));
    const Value address = b.binary(Op::Add, base, b.binary(Op::Mul, cpu, b.constant(sizeof(CpuInfo))));
    b.instr(address).mem = Mem::MapValue;
    b.instr(address).region = sizeof(CpuInfo);
    return address;
}

/// Yields the address of the current CPU's element in the table of cpuinfo_t.
Value element(ClauseState& l)
{
    auto& b = l.b();
    const Value cpu = this_cpu(l);
    const ir::BlockId good = b.block(), bad = b.block();
    b.branch(Op::ULt, cpu, b.constant(cpu_count(l)), good, bad);
    b.enter(bad);
    // CPU numbers are always below this bound, but the verifier requires a check
    l.fault(kFaultIllegalOperation, b.constant(0));
    b.enter(good);
    return element_of(l, cpu);
}

} // namespace

Operand lower_curcpu(ClauseLowering& l, const TExpr&)
{
    return number(
        l.values.address_number({Operand::Kind::Bytes, element(l), Mem::MapValue, sizeof(CpuInfo), false, false, {}}));
}

Value Builtins::cpu_info(Value cpu)
{
    return b().select(
        Op::ULt, cpu, b().constant(cpu_count(clause)),
        [&] {
            return clause.values.address_number(
                {Operand::Kind::Bytes, element_of(clause, cpu), Mem::MapValue, sizeof(CpuInfo), false, false, {}});
        },
        [&] { return b().constant(0); });
}

/// Lowers a member of *curcpu: computes only this member, without the address of the structure.
Operand Builtins::curcpu_member(const TExpr& e)
{
    if (e.member->name == "cpu_id")
        return number(this_cpu(clause));
    if (e.member->name != "cpu_chip")
        // the members about processor sets and locality groups are 0, because Linux has one of each
        return number(b().constant(0));
    const std::vector<int32_t> chips = module().world.chips();
    if (std::all_of(chips.begin(), chips.end(), [&](int32_t chip) { return chip == chips[0]; }))
        return number(b().constant(chips.empty() ? 0 : chips[0]));
    return number(b().unary(Op::SExt, b().load(4, element(clause), offsetof(CpuInfo, chip)), 4));
}

// Lowers dev_name: the name of the driver of a block device, found by the device's major number (dtrace-providers(7),
// devinfo_t).
//
// The kernel keeps the names of block drivers in a private hash table that BPF programs cannot walk, but /proc/devices
// lists them. The compiler therefore puts the names into a table in read-only data.

namespace {

// Limits of the kernel: BLKDEV_MAJOR_MAX of block/genhd.c, and the size of the name in struct blk_major_name.
constexpr uint32_t kMajors = 512, kNameSize = 16;
constexpr std::string_view kUnknown = "<unknown>"; // name of a driver that was registered after the compilation

/// Builds the table of driver names by major number, in .rodata.
ir::Data block_drivers_table(World& world)
{
    ir::Data data{"block_drivers", ".rodata", kMajors * kNameSize, 8, {}};
    data.bytes.resize(data.size);
    for (uint32_t major = 0; major < kMajors; ++major)
        std::copy(kUnknown.begin(), kUnknown.end(), data.bytes.begin() + major * kNameSize);
    for (const auto& [major, name] : world.block_drivers())
        if (major < kMajors) {
            const auto room = data.bytes.begin() + major * kNameSize;
            std::fill_n(room, kNameSize, 0);
            std::copy_n(name.begin(), std::min<std::size_t>(name.size(), kNameSize - 1), room);
        }
    return data;
}

} // namespace

Operand lower_block_driver(ClauseLowering& l, const TExpr& e)
{
    auto& b = l.b();
    const Value major = b.binary(Op::And, l.expressions.value(*e.kids[0]), b.constant(kMajors - 1));
    const Value base =
        b.data_addr(l.module().data.once("block_drivers", [&] { return block_drivers_table(l.module().world); }),
                    kMajors * kNameSize);
    const Value name = b.binary(Op::Add, base, b.binary(Op::Mul, major, b.constant(kNameSize)));
    b.instr(name).mem = Mem::MapValue;
    b.instr(name).region = kNameSize;
    return {Operand::Kind::Text, name, Mem::MapValue, kNameSize, false, false, {}};
}

namespace {

constexpr const char* kOpenFiles = "open_files";

/// Yields the address of a table of member offsets, by which programs find the open files of a process
/// (bpf-runtime/open_files.h).
Value open_files(ClauseLowering& l, const TExpr& e)
{
    const auto make = [&] {
        const auto offset = [&](std::string_view record, std::string_view member) {
            return static_cast<uint64_t>(needed_offset(l, e.at, "fds", record, member));
        };
        dt_open_files found{};
        found.files = offset("task_struct", "files");
        found.table = offset("files_struct", "fdt");
        found.array = offset("files_struct", "fd_array");
        found.most = offset("fdtable", "max_fds");
        found.dentry = offset("file", "f_path.dentry");
        found.mount = offset("file", "f_path.mnt");
        found.position = offset("file", "f_pos");
        found.flags = offset("file", "f_flags");
        found.parent = offset("dentry", "d_parent");
        found.length = offset("dentry", "d_name.len");
        found.name = offset("dentry", kernel_offset(l, "dentry", "d_iname") ? "d_iname" : "d_shortname");
        found.file_system = offset("vfsmount", "mnt_sb");
        found.mount_flags = offset("vfsmount", "mnt_flags");
        found.id = offset("super_block", "s_id");
        found.magic = offset("super_block", "s_magic");
        found.device = offset("super_block", "s_bdev");
        std::vector<uint8_t> bytes(sizeof found);
        std::memcpy(bytes.data(), &found, sizeof found);
        return ir::Data{kOpenFiles, ".rodata", sizeof found, 8, std::move(bytes)};
    };
    return l.b().data_addr(l.module().data.once(kOpenFiles, make), sizeof(dt_open_files));
}

} // namespace

/// Lowers the string members of fds[] on kernels that are locked down, where programs cannot copy kernel memory. The
/// arguments are a file descriptor and a constant of open_files.h that selects the string.
Operand lower_open_file_text(ClauseLowering& l, const TExpr& e)
{
    const Value descriptor = l.expressions.value(*e.kids[0]), what = l.expressions.value(*e.kids[1]);
    const Value room = l.scratch_temporary(DT_FILE_ROOM);
    l.b().call_runtime("dt_open_file_text", {room, descriptor, what, open_files(l, e)});
    return {Operand::Kind::Text, room, Mem::MapValue, DT_FILE_TEXT, false, false, {}};
}

Operand lower_open_file_number(ClauseLowering& l, const TExpr& e)
{
    const Value descriptor = l.expressions.value(*e.kids[0]), what = l.expressions.value(*e.kids[1]);
    return {Operand::Kind::Number,
            l.b().call_runtime("dt_open_file_number", {descriptor, what, open_files(l, e)}),
            Mem::None,
            8,
            false,
            false,
            {}};
}

} // namespace dt::lower
