// Implements probes at the end of an activity. For each activity a hash contains its start time, the recorded datum,
// and the times of its phases. A program at the beginning creates the element, and the probe's program removes it.
// Activities that began before tracing, or without room in the hash (which is counted), do not fire. If the kernel
// keeps a word for each function call from entry to return, no hash is needed.
#include "dcompiler/lower/spans.hpp"

#include "dcompiler/lower/side_programs.hpp"

#include "dcompiler/lower/entry.hpp"

#include <algorithm>
#include <cctype>

namespace dt::lower {

using ir::Mem;
using ir::Op;
using ir::Value;

namespace {

// Offsets in an element. The times are those of ended phases.
constexpr int64_t kSince = 0, kPhase = 8, kNoted = 16, kTimes = 24;
constexpr uint32_t kElementSize = 40;
// Limit of simultaneous activities: waiting threads, and calls.
constexpr uint32_t kMostSpans = 4096;

/// Returns the map of a plan; plans do not share beginnings. It is preallocated for programs that cannot allocate
/// memory.
uint32_t span_map(ModuleLowering& module, const AttachPlan& plan)
{
    std::string name = "span_" + std::to_string(plan.probes.front().probe->id) + "_" + plan.targets.front().where;
    std::replace_if(
        name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
    return module.maps.hash(name, static_cast<uint32_t>(8 * plan.key.size()), kElementSize, kMostSpans);
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

/// Adds the time since the phase began to that phase's time; `first` and `second` receive the new times of both phases.
void add_time(ir::Builder& b, Value element, Value now, Value& first, Value& second)
{
    const Value passed = b.binary(Op::Sub, now, b.load(8, element, kSince));
    const Value in_second = b.binary(Op::Mul, passed, b.load(8, element, kPhase));
    const Value in_first = b.binary(Op::Sub, passed, in_second);
    first = b.binary(Op::Add, b.load(8, element, kTimes), in_first);
    second = b.binary(Op::Add, b.load(8, element, kTimes + 8), in_second);
}

/// Starts the next phase of an activity that has begun already.
void next_phase(ir::Builder& b, Value element, Value now, Value phase)
{
    Value first, second;
    add_time(b, element, now, first, second);
    b.store(8, element, kTimes, first);
    b.store(8, element, kTimes + 8, second);
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
    b.store(8, element, kTimes, b.constant(0));
    b.store(8, element, kTimes + 8, b.constant(0));
    const Value failed = b.call_helper(kMapUpdate, {b.map_ref(map), key, element, b.constant(0)});
    b.if_then(Op::Ne, failed, b.constant(0), [&] { b.call_local(l.module().functions.lose(Loss::Dynamic), {}); });
}

} // namespace

void add_beginning_program(ModuleLowering& module, const Group& group)
{
    const AttachPlan& plan = *group.plan->beginning;
    ir::Function f;
    f.name = "dt_beginning_" + std::to_string(module.out.schema.programs.size());
    f.section = plan.section();
    f.param_mem = {Mem::Context};
    f.param_region = {0};
    ir::Builder b(f);
    Context context(module, b, &plan, group.plan->probes.front().probe);
    context.context = b.param(0);
    const ir::BlockId leave = b.block();
    ClauseLowering l(context, *group.statements.front().statement, {});

    check_conditions(l, leave);
    const uint32_t map = span_map(module, *group.plan);
    const Value key = key_of(l);
    const Value now = b.call_helper(kKtimeGetNs, {});
    const bool phases = plan.arguments[1].kind != Location::Kind::Zero;
    const Value phase = l.builtins.at(plan.arguments[1]);
    if (phases) {
        const Value found = b.call_helper(kMapLookup, {b.map_ref(map), key}, Mem::MapOrNull, kElementSize);
        const ir::BlockId again = b.block(), fresh = b.block();
        b.branch(Op::Ne, found, b.constant(0), again, fresh);
        b.enter(again);
        next_phase(b, b.not_null(found), now, phase);
        b.jump(leave);
        b.enter(fresh);
    }
    make_element(l, map, key, now, phase);
    b.jump(leave);
    b.enter(leave);
    b.ret(b.constant(0));

    add_side_program(module, std::move(f), group.plan->beginning, group.plan->probes);
}

std::vector<Value> either_end(Context& context, const Group& group, ir::BlockId leave)
{
    ir::Builder& b = *context.b;
    const std::string of = group.plan->session_of ? "_of" : "";
    const std::vector<Value> whose = group.plan->session_of ? std::vector{context.context} : std::vector<Value>();
    const ir::BlockId begins = b.block(), ends = b.block();
    b.branch(Op::Ne, b.call_runtime("dt_session_is_return" + of, whose), b.constant(0), ends, begins);

    b.enter(begins);
    Context at_begin(context.module, b, group.plan->beginning.get(), group.plan->probes.front().probe);
    at_begin.context = context.context;
    ClauseLowering l(at_begin, *group.statements.front().statement, {});
    check_conditions(l, leave);
    std::vector<Value> noting = whose;
    noting.push_back(l.builtins.at(group.plan->beginning->arguments[0]));
    b.call_runtime("dt_session_note" + of, noting);
    b.ret(b.constant(0));

    b.enter(ends);
    const Value noted = b.call_runtime("dt_session_noted" + of, whose);
    return {noted, b.constant(0), b.constant(0)};
}

std::vector<Value> end_span(ClauseLowering& l, ir::BlockId leave)
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
