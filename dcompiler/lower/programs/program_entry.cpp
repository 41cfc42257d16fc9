// Emits the beginning of a program: checks whether tracing is on and finds the probe that fired. Probes at the end of
// an activity also have a program at its beginning.
#include "dcompiler/lower/programs/program_entry.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstddef>
#include <cstring>

#include "dcompiler/lower/core/helper_programs.hpp"

namespace dt::lower {

namespace {

// Up to this number of probes, the program compares the selector (the number that identifies a probe) with that of
// each. With more probes, the selector is the index into a table.
constexpr std::size_t kMaxCompared = 4;

} // namespace

void check_conditions(ClauseLowering& loads, ir::BlockId leave)
{
    using Relation = Condition::Relation;
    auto& b = loads.b();
    for (const Condition& condition : loads.context().plan->conditions) {
        const ir::BlockId holds = b.block();
        const Value left = loads.builtins.at(condition.left);
        const auto right = [&](std::size_t i) {
            return condition.right ? loads.builtins.at(*condition.right) : b.constant(condition.values.at(i));
        };
        if (condition.relation == Relation::OneOf)
            for (std::size_t i = 0; i + 1 < condition.values.size(); ++i) {
                const ir::BlockId other = b.block();
                b.branch(Op::Eq, left, right(i), holds, other);
                b.enter(other);
            }
        const std::size_t last = condition.right ? 0 : condition.values.size() - 1;
        if (condition.relation == Relation::Greater)
            b.branch(Op::SLt, right(last), left, holds, leave);
        else
            b.branch(condition.relation == Relation::NotEqual ? Op::Ne : Op::Eq, left, right(last), holds, leave);
        b.enter(holds);
    }
}

void ProgramEntry::find_probe(Context& context, const std::set<uint32_t>& wanted)
{
    // Only the copy of the code that counts and times must check whether tracing is on. The other copy runs only if the
    // timing switch is off, and then tracing is on.
    if (context.is_timed)
        check_active(context);
    if (!module_.options.cgroup.empty() && !group_.plan->is_asynchronous && !group_.plan->kind_info().run_by_tracer)
        check_cgroup();
    select_probe(context, wanted);
    check_process(context);
    find_start(context);
    check_conditions(context);
    if (group_.plan->kind_info().writes_file)
        write_byte(context);
}

/// Emits code that writes a byte to the iterator's file, so that a read of n bytes fires for n objects. The context
/// begins with a pointer to struct bpf_iter_meta, which begins with a pointer to the file (include/linux/bpf.h).
void ProgramEntry::write_byte(const Context& context)
{
    const Value meta = b_.load(8, context.context, 0);
    b_.instr(meta).mem = Mem::Btf;
    const Value file = b_.load(8, meta, 0);
    b_.instr(file).mem = Mem::Btf;
    b_.call_helper(kSeqWrite, {file, b_.data_addr(module_.data.state(), sizeof(dt_state)), b_.constant(1)});
}

/// Adds the data object to the module only once, because a program may have two copies of its code (counters.hpp).
uint32_t ProgramEntry::once(ir::Data data)
{
    return module_.data.once(data.name, [&] { return std::move(data); });
}

/// Emits the check of whether tracing is on. The tracer itself calls BEGIN and END once, so they need no check.
///
/// Since Linux 6.13 a program may have its own stack on each CPU. If the kernel lets such a program interrupt itself,
/// two nested runs overwrite each other's data. Programs with tail calls get no such stack. Therefore a program that
/// may interrupt itself contains a tail call to an empty slot, in the path where tracing is off.
void ProgramEntry::check_active(const Context& context)
{
    if (group_.plan->kind_info().run_by_tracer)
        return;
    const Value activity =
        b_.load(4, b_.data_addr(module_.data.state(), sizeof(dt_state)), offsetof(dt_state, activity));
    const ir::BlockId active = b_.block();
    const bool interruptible = group_.plan->kind_info().interruptible;
    const ir::BlockId idle = interruptible || module_.options.has_successor ? b_.block() : off_;
    b_.branch(Op::Eq, activity, b_.constant(DT_ACTIVE), active, idle);
    if (idle != off_) {
        b_.enter(idle);
        if (module_.options.has_successor)
            check_epoch(activity, active);
        if (interruptible)
            b_.call_helper(kTailCall, {context.context, b_.map_ref(module_.maps.no_programs()), b_.constant(0)});
        b_.jump(off_);
    }
    b_.enter(active);
}

/// Emits a check for a handover between two traces: control goes to `active` on the CPUs that this trace serves at the
/// time.
void ProgramEntry::check_epoch(Value activity, ir::BlockId active)
{
    const uint32_t is_active_epoch = module_.functions.is_active_epoch();
    const ir::BlockId turns = b_.block(), off = b_.block();
    b_.is_cold();
    b_.branch(Op::Eq, activity, b_.constant(DT_HANDOVER), turns, off);
    b_.enter(turns);
    b_.is_cold();
    b_.branch(Op::Ne, b_.call_local(is_active_epoch, {}), b_.constant(0), active, off);
    b_.enter(off);
}

/// Emits code that ends the program unless the task belongs to the control group of -x cgroup or to one below it.
void ProgramEntry::check_cgroup()
{
    const uint32_t map = module_.maps.cgroup();
    const ir::BlockId inside = b_.block();
    b_.branch(Op::Eq, b_.call_helper(kCurrentTaskUnderCgroup, {b_.map_ref(map), b_.constant(0)}), b_.constant(1),
              inside, leave_);
    b_.enter(inside);
}

/// Emits code that finds the probe that fired. If the group has several probes, the result is the probe's dt_ecb (its
/// data); otherwise the code only compares the selector.
void ProgramEntry::select_probe(Context& context, const std::set<uint32_t>& wanted)
{
    if (!group_.plan->selector)
        return;
    ClauseLowering loads(context, *group_.statements.front().statement, {});
    Value raw_selector = loads.builtins.at(*group_.plan->selector);
    if (group_.plan->compat_syscalls)
        raw_selector = compat_selector(context, loads, raw_selector, wanted);
    const Value selector =
        group_.plan->per_process_selectors.empty() ? raw_selector : process_selector(loads, raw_selector);
    if (group_.plan->probes.size() == 1) {
        const ir::BlockId ours = b_.block();
        b_.branch(Op::Eq, selector, b_.constant(static_cast<int64_t>(group_.plan->probes[0].selector)), ours, leave_);
        b_.enter(ours);
        return;
    }
    const uint32_t stride = group_.ecb_size();
    if (group_.plan->probes.size() <= kMaxCompared)
        return compare_selectors(context, selector, stride);
    const uint32_t bound = group_.plan->selector_bound;
    const uint32_t table = ecb_table(bound, stride, true);
    const ir::BlockId inside = b_.block(), ours = b_.block();
    b_.branch(Op::ULt, selector, b_.constant(bound), inside, leave_);
    b_.enter(inside);
    const Value base = b_.data_addr(table, bound * stride);
    context.ecb = b_.binary(Op::Add, base, b_.binary(Op::Mul, selector, b_.constant(stride)));
    b_.instr(context.ecb).mem = Mem::MapValue;
    b_.instr(context.ecb).region = stride;
    b_.branch(Op::Ne, b_.load(4, context.ecb, offsetof(dt_ecb, probe)), b_.constant(0), ours, leave_);
    b_.enter(ours);
}

/// Emits code that ends the program if no probe has this system-call number, neither of 64-bit nor of 32-bit programs.
/// The check is cheaper than finding out which kind of program made the call.
void ProgramEntry::skip_other_calls(Value raw_selector)
{
    const std::vector<uint16_t>& narrow = group_.plan->compat_syscalls->selectors;
    const auto is_ours = [this](uint64_t selector) {
        return std::any_of(group_.plan->probes.begin(), group_.plan->probes.end(),
                           [&](const PlannedProbe& each) { return each.selector == selector; });
    };
    std::vector<uint32_t> numbers;
    for (uint32_t number = 0; number < narrow.size() && numbers.size() <= 2 * kMaxCompared; ++number)
        if (is_ours(number) || is_ours(narrow[number]))
            numbers.push_back(number);
    if (numbers.size() > 2 * kMaxCompared)
        return; // with more system-call numbers, the look-up in the table of probes makes this check
    const ir::BlockId ours = b_.block();
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const ir::BlockId other = i + 1 < numbers.size() ? b_.block() : leave_;
        b_.branch(Op::Eq, raw_selector, b_.constant(numbers[i]), ours, other);
        b_.enter(i + 1 < numbers.size() ? other : ours);
    }
}

/// Yields the selector (the number of the probe) for a system call, according to the kind of program that made it.
Value ProgramEntry::compat_selector(Context& context, ClauseLowering& loads, Value raw_selector,
                                    const std::set<uint32_t>& wanted)
{
    const std::vector<uint16_t>& selectors = group_.plan->compat_syscalls->selectors;
    const auto size = static_cast<uint32_t>(selectors.size() * sizeof(uint16_t));
    skip_other_calls(raw_selector);
    context.is_compat = loads.builtins.is_compat_call();
    const ir::BlockId inside = b_.block(), narrow = b_.block(), wide = b_.block(), known = b_.block();
    // For each system-call argument, two values: as a 64-bit program passes it, and as a 32-bit program does.
    std::map<uint32_t, std::vector<Value>> arguments;
    const auto read_arguments = [&](bool of_narrow) {
        for (const Location& where : group_.plan->arguments)
            if (where.kind == Location::Kind::CallArgument && wanted.contains(where.index))
                arguments[where.index].push_back(loads.builtins.call_argument(where, of_narrow));
    };
    b_.branch(Op::Eq, context.is_compat, b_.constant(0), wide, narrow);
    b_.enter(wide);
    read_arguments(false);
    b_.jump(known);
    b_.enter(narrow);
    b_.is_cold();
    b_.branch(Op::ULt, raw_selector, b_.constant(static_cast<int64_t>(selectors.size())), inside, leave_);
    b_.enter(inside);
    ir::Data data{"narrow_" + std::to_string(module_.out.schema.programs.size()), ".data.ecb", size, 8, {}};
    data.bytes.resize(size);
    std::memcpy(data.bytes.data(), selectors.data(), size);
    const Value table = b_.data_addr(once(std::move(data)), size);
    const Value at = b_.binary(Op::Add, table, b_.binary(Op::Mul, raw_selector, b_.constant(sizeof(uint16_t))));
    b_.instr(at).mem = Mem::MapValue;
    b_.instr(at).region = sizeof(uint16_t);
    const Value meant = b_.load(2, at, 0);
    read_arguments(true);
    b_.jump(known);
    b_.enter(known);
    for (const auto& [index, both] : arguments)
        context.call_arguments[index] = b_.phi(both);
    return b_.phi({raw_selector, meant});
}

/// Yields the selector (the number of the probe) for the current process, which may have a selector of its own. The
/// code searches a table by bisection, but without branches, because the verifier would follow all paths.
Value ProgramEntry::process_selector(ClauseLowering& loads, Value raw_selector)
{
    struct Entry {
        // An element of the table. `key` is the common selector << 32 | process id. `other` is the common selector XOR
        // the selector in that process.
        uint64_t key, other;
    };
    constexpr uint64_t kNoProbe = INT64_MAX;
    std::vector<Entry> entries;
    for (const PerProcessSelector& each : group_.plan->per_process_selectors)
        entries.push_back(
            {each.common_selector << 32 | static_cast<uint32_t>(each.process), each.common_selector ^ each.selector});
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.key < b.key; });
    entries.resize(std::bit_ceil(entries.size()), {kNoProbe, 0});
    const auto size = static_cast<uint32_t>(entries.size() * sizeof(Entry));
    ir::Data data{"processes_" + std::to_string(module_.out.schema.programs.size()), ".data.ecb", size, 8, {}};
    data.bytes.resize(size);
    std::memcpy(data.bytes.data(), entries.data(), size);
    const Value base = b_.data_addr(once(std::move(data)), size);
    const auto entry = [&](Value index) {
        const Value at = b_.binary(Op::Add, base, b_.binary(Op::Mul, index, b_.constant(sizeof(Entry))));
        b_.instr(at).mem = Mem::MapValue;
        b_.instr(at).region = sizeof(Entry);
        return at;
    };
    const Value process = loads.builtins.process_id();
    const Value wanted = b_.binary(Op::Or, b_.binary(Op::Shl, raw_selector, b_.constant(32)), process);
    const Value behind = b_.binary(Op::Add, wanted, b_.constant(1));
    Value found = b_.constant(0);
    for (std::size_t half = entries.size() / 2; half != 0; half /= 2) {
        const Value middle = b_.binary(Op::Add, found, b_.constant(static_cast<int64_t>(half)));
        const Value is_below =
            b_.binary(Op::LShr, b_.binary(Op::Sub, b_.load(8, entry(middle), 0), behind), b_.constant(63));
        found = b_.binary(Op::Add, found, b_.binary(Op::Mul, is_below, b_.constant(static_cast<int64_t>(half))));
    }
    const Value at = entry(found);
    const Value distance = b_.binary(Op::Xor, b_.load(8, at, offsetof(Entry, key)), wanted);
    const Value differs =
        b_.binary(Op::LShr, b_.binary(Op::Or, distance, b_.binary(Op::Sub, b_.constant(0), distance)), b_.constant(63));
    const Value is_it = b_.binary(Op::Sub, differs, b_.constant(1));
    const Value other = b_.binary(Op::And, b_.load(8, at, offsetof(Entry, other)), is_it);
    return b_.binary(Op::Xor, raw_selector, other);
}

/// Emits code that ends the program, except in the probe's process and in processes that are followed because of that
/// process.
void ProgramEntry::check_process(Context& context)
{
    if (group_.plan->process_scope == ProcessScope::Any)
        return;
    ClauseLowering loads(context, *group_.statements.front().statement, {});
    const bool tree = group_.plan->process_scope == ProcessScope::Tree;
    const Value process =
        tree ? origin_of(module_, b_, loads.builtins.process_id(), leave_) : loads.builtins.process_id();
    const Value wanted = context.ecb == ir::kNone ? b_.constant(group_.plan->probes.front().process)
                                                  : b_.load(4, context.ecb, offsetof(dt_ecb, process));
    const ir::BlockId ours = b_.block();
    b_.branch(Op::Eq, process, wanted, ours, leave_);
    b_.enter(ours);
}

/// Emits code that ends the program if no start was recorded for the activity that ends now.
void ProgramEntry::find_start(Context& context)
{
    if (!group_.plan->start_hook)
        return;
    if (group_.plan->kind_info().entry_and_return) {
        context.span = record_or_resume(context, group_, off_);
        return;
    }
    ClauseLowering loads(context, *group_.statements.front().statement, {});
    context.span = take_span(loads, off_);
}

/// Emits code that ends the program unless all conditions of the attach plan are true.
void ProgramEntry::check_conditions(Context& context)
{
    if (group_.plan->conditions.empty())
        return;
    ClauseLowering loads(context, *group_.statements.front().statement, {});
    lower::check_conditions(loads, leave_);
}

void ProgramEntry::compare_selectors(Context& context, Value selector, uint32_t stride)
{
    const uint32_t count = static_cast<uint32_t>(group_.plan->probes.size());
    const uint32_t table = ecb_table(count, stride, false);
    const ir::BlockId join = b_.block();
    std::vector<Value> found;
    for (uint32_t i = 0; i < count; ++i) {
        const ir::BlockId match = b_.block(), other = i + 1 < count ? b_.block() : leave_;
        b_.branch(Op::Eq, selector, b_.constant(static_cast<int64_t>(group_.plan->probes[i].selector)), match, other);
        b_.enter(match);
        found.push_back(b_.data_addr(table, stride, static_cast<int64_t>(i) * stride));
        b_.jump(join);
        if (i + 1 < count)
            b_.enter(other);
    }
    b_.enter(join);
    context.ecb = b_.phi(found, Mem::MapValue, stride);
}

/// Builds the dt_ecb (data) of each probe of the group, in section .data.ecb. They are in the order of their selectors,
/// or of the probes.
uint32_t ProgramEntry::ecb_table(uint32_t entries, uint32_t stride, bool by_selector)
{
    ir::Data data{"ecb_" + std::to_string(module_.out.schema.programs.size()), ".data.ecb", entries * stride, 8, {}};
    data.bytes.assign(data.size, 0);
    for (std::size_t i = 0; i < group_.plan->probes.size(); ++i) {
        const auto& [probe, selector, process] = group_.plan->probes[i];
        const std::size_t at = (by_selector ? selector : i) * stride;
        dt_ecb ecb{};
        ecb.probe = probe->id;
        ecb.counted = group_.first_counted + static_cast<uint32_t>(i);
        ecb.process = static_cast<uint32_t>(process);
        const auto& [provider, module, function, name] = group_.names[i];
        ecb.prov = provider;
        ecb.mod = module;
        ecb.func = function;
        ecb.name = name;
        const auto* bytes = reinterpret_cast<const uint8_t*>(&ecb);
        std::copy(bytes, bytes + sizeof ecb, data.bytes.begin() + static_cast<std::ptrdiff_t>(at));
        for (const GroupStatement& use : group_.statements) {
            if (!use.all && std::binary_search(use.probes.begin(), use.probes.end(), probe))
                data.bytes[at + sizeof ecb + use.bit / 8] |= static_cast<uint8_t>(1u << (use.bit % 8));
            if (const auto owner = use.owners.find(probe); owner != use.owners.end())
                std::memcpy(data.bytes.data() + at + use.number_at, &owner->second->id, sizeof(uint32_t));
        }
    }
    return once(std::move(data));
}

// Implements probes at the end of an activity, such as a wait or a call. A hash map contains, for each activity, its
// start time, the recorded datum, and the times of its phases. A program at the start creates the element; the probe's
// program removes it. If the kernel itself keeps a word from entry to return of a function, no map is needed.
//
// No probe fires if the activity began before tracing, or if the map had no room for it. Activities without room are
// counted.

namespace {

// Offsets of members in an element of the hash map. From kPhaseTimes on, the element has the durations of the phases
// that have ended.
constexpr int64_t kSince = 0, kPhase = 8, kNoted = 16, kPhaseTimes = 24;
constexpr uint32_t kElementSize = 40;
// Maximum number of activities at the same time. An activity is the wait of a thread, or a call.
constexpr uint32_t kMaxSpans = 4096;

/// Returns the map in which a plan's program records the starts of activities. Plans with the same hook at the start
/// use the same map. If the program cannot allocate memory, the map is preallocated.
uint32_t span_map(ModuleLowering& module, const AttachPlan& plan)
{
    const AttachPlan* start = &plan;
    while (start->start_hook)
        start = start->start_hook.get();
    std::string name = "span_" + std::to_string(plan.probes.front().probe->id) + "_" + start->targets.front().where;
    std::replace_if(
        name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
    return module.maps.hash(name, static_cast<uint32_t>(8 * plan.key.size()), kElementSize, kMaxSpans);
}

Value key_of(ClauseLowering& l)
{
    auto& b = l.b();
    const std::vector<Location>& parts = l.context().plan->key;
    const Value key = l.stack_temporary(static_cast<uint32_t>(8 * parts.size()));
    for (std::size_t i = 0; i < parts.size(); ++i)
        b.store(8, key, static_cast<int64_t>(8 * i), l.builtins.at(parts[i]));
    return key;
}

/// Adds the time since the current phase began to the time of that phase. `first` and `second` receive the times of the
/// two phases.
void add_time(ir::Builder& b, Value element, Value now, Value& first, Value& second)
{
    const Value passed = b.binary(Op::Sub, now, b.load(8, element, kSince));
    const Value in_second = b.binary(Op::Mul, passed, b.load(8, element, kPhase));
    const Value in_first = b.binary(Op::Sub, passed, in_second);
    first = b.binary(Op::Add, b.load(8, element, kPhaseTimes), in_first);
    second = b.binary(Op::Add, b.load(8, element, kPhaseTimes + 8), in_second);
}

/// Begins the next phase of an activity whose start is already recorded.
void next_phase(ir::Builder& b, Value element, Value now, Value phase)
{
    Value first, second;
    add_time(b, element, now, first, second);
    b.store(8, element, kPhaseTimes, first);
    b.store(8, element, kPhaseTimes + 8, second);
    b.store(8, element, kSince, now);
    b.store(8, element, kPhase, phase);
}

void make_element(ClauseLowering& l, uint32_t map, Value key, Value now, Value phase)
{
    auto& b = l.b();
    const Value element = l.stack_temporary(kElementSize);
    b.store(8, element, kSince, now);
    b.store(8, element, kPhase, phase);
    b.store(8, element, kNoted, l.builtins.at(l.context().plan->arguments[0]));
    b.store(8, element, kPhaseTimes, b.constant(0));
    b.store(8, element, kPhaseTimes + 8, b.constant(0));
    const Value failed = b.call_helper(kMapUpdate, {b.map_ref(map), key, element, b.constant(0)});
    b.if_then(Op::Ne, failed, b.constant(0), [&] { b.call_local(l.module().functions.count_loss(Loss::Dynamic), {}); });
}

/// Emits code for a hook of `plan` that begins an activity or its next phase.
void record_start(ClauseLowering& l, const AttachPlan& plan, uint32_t map, ir::BlockId leave)
{
    auto& b = l.b();
    const Value key = key_of(l);
    const Value now = b.call_helper(kKtimeGetNs, {});
    const bool phases = plan.arguments[1].kind != Location::Kind::Zero;
    const Value phase = l.builtins.at(plan.arguments[1]);
    if (phases) {
        const Value found = b.call_helper(kMapLookup, {b.map_ref(map), key}, Mem::MapOrNull, kElementSize);
        const ir::BlockId again = b.block(), fresh = plan.start_hook ? leave : b.block();
        b.branch(Op::Ne, found, b.constant(0), again, fresh);
        b.enter(again);
        next_phase(b, b.not_null(found), now, phase);
        b.jump(leave);
        if (plan.start_hook) // if the plan has a start hook itself, only that hook begins activities
            return;
        b.enter(fresh);
    }
    make_element(l, map, key, now, phase);
    b.jump(leave);
}

void add_start_program(ModuleLowering& module, const Group& group, const std::shared_ptr<const AttachPlan>& plan)
{
    ir::Function f;
    f.name = "dt_beginning_" + std::to_string(module.out.schema.programs.size());
    f.section = plan->section();
    f.param_mem = {Mem::Context};
    f.param_region = {0};
    ir::Builder b(f);
    Context context(module, b, plan.get(), group.plan->probes.front().probe);
    context.context = b.param(0);
    const ir::BlockId leave = b.block();
    ClauseLowering l(context, *group.statements.front().statement, {});

    check_conditions(l, leave);
    record_start(l, *plan, span_map(module, *group.plan), leave);
    b.enter(leave);
    b.ret(b.constant(0));

    add_helper_program(module, std::move(f), plan, group.plan->probes);
}

} // namespace

void add_start_programs(ModuleLowering& module, const Group& group)
{
    for (auto plan = group.plan->start_hook; plan; plan = plan->start_hook)
        add_start_program(module, group, plan);
}

std::vector<Value> record_or_resume(Context& context, const Group& group, ir::BlockId leave)
{
    ir::Builder& b = *context.b;
    const std::string of = group.plan->kfuncs_take_context ? "_of" : "";
    const std::vector<Value> whose =
        group.plan->kfuncs_take_context ? std::vector{context.context} : std::vector<Value>();
    const ir::BlockId begins = b.block(), ends = b.block();
    b.branch(Op::Ne, b.call_runtime("dt_session_is_return" + of, whose), b.constant(0), ends, begins);

    b.enter(begins);
    Context at_begin(context.module, b, group.plan->start_hook.get(), group.plan->probes.front().probe);
    at_begin.context = context.context;
    ClauseLowering l(at_begin, *group.statements.front().statement, {});
    check_conditions(l, leave);
    std::vector<Value> noting = whose;
    noting.push_back(l.builtins.at(group.plan->start_hook->arguments[0]));
    b.call_runtime("dt_session_note" + of, noting);
    b.ret(b.constant(0));

    b.enter(ends);
    const Value noted = b.call_runtime("dt_session_noted" + of, whose);
    return {noted, b.constant(0), b.constant(0)};
}

std::vector<Value> take_span(ClauseLowering& l, ir::BlockId leave)
{
    auto& b = l.b();
    const uint32_t map = span_map(l.module(), *l.context().plan);
    const Value key = key_of(l);
    const Value found = b.call_helper(kMapLookup, {b.map_ref(map), key}, Mem::MapOrNull, kElementSize);
    const ir::BlockId seen = b.block();
    b.branch(Op::Ne, found, b.constant(0), seen, leave);
    b.enter(seen);
    const Value element = b.not_null(found);
    const Value noted = b.load(8, element, kNoted);
    Value first, second;
    add_time(b, element, b.call_helper(kKtimeGetNs, {}), first, second);
    b.call_helper(kMapDelete, {b.map_ref(map), key});
    return {noted, first, second};
}

Value Builtins::span_word(uint32_t word)
{
    const uint32_t place = module().layout.span_words();
    if (!context().span.empty())
        return context().span[word];
    return b().load(8, context().frame, FrameLayout::kThis + place + 8 * word);
}

} // namespace dt::lower
