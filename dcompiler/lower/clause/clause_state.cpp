// Manages the sample (data for the consumer), the faults and the temporaries of the clause that is being lowered.
#include "dcompiler/lower/clause/clause_state.hpp"

#include <algorithm>

#include "dcompiler/lower/counting/counters.hpp"
#include "dcompiler/lower/counting/hit_counts.hpp"

namespace dt::lower {

namespace {

// Maximum size in bytes of the temporaries that one D statement has on the stack; further ones are in scratch memory.
// kMaxBesideScratch applies if the clause has claimed a scratch slot.
constexpr uint32_t kMaxTemporariesOnStack = 64;
constexpr uint32_t kMaxBesideScratch = 16;

} // namespace

Datum ClauseState::reserve(Datum::Kind kind, uint32_t size, uint32_t align)
{
    Datum datum;
    datum.kind = kind;
    datum.offset = align_up(data_size_, align);
    datum.size = size;
    data_size_ = datum.offset + size;
    return datum;
}

Datum ClauseState::reserve(const Type* type, uint32_t size, uint32_t align)
{
    const Datum at = reserve(Datum::Kind::Bytes, size, align);
    Datum datum = datum_of(type, at.offset, size);
    module().layout.limit(datum);
    return datum;
}

void ClauseState::fills(const Datum& datum)
{
    std::vector<bool>& filled = measured_.filled;
    filled.resize(std::max<std::size_t>(filled.size(), datum.offset + datum.size));
    std::fill_n(filled.begin() + datum.offset, datum.size, true);
}

Record& ClauseState::add_record(const Action* action)
{
    Record& record = schema_.records.emplace_back();
    record.action = action;
    if (arms_ == 0) {
        unguarded_ = true;
        return record;
    }
    if (guards_ == 64) {
        module().diagnostics.error("D_UNKNOWN", b().at(),
                                   "one clause has more than 64 recording actions inside if/else",
                                   "split the clause in two");
        return record;
    }
    record.guard = guards_++;
    const Value old = b().load(8, sample_, sizeof(dt_sample));
    b().store(8, sample_, sizeof(dt_sample),
              b().binary(Op::Or, old, b().constant(static_cast<int64_t>(uint64_t{1} << record.guard))));
    return record;
}

void ClauseState::fault(uint32_t code, Value value)
{
    faulted_ = true;
    b().store(8, context_.frame, FrameLayout::kFault + 24, b().pc(statement_.id));
    b().store(8, context_.frame, FrameLayout::kFault + 32, b().constant(code));
    b().store(8, context_.frame, FrameLayout::kFault + 40, value);
    b().jump(fault_block_);
}

void ClauseState::fault_if(Op cmp, Value a, Value c, uint32_t code, Value value)
{
    const ir::BlockId bad = b().block(), good = b().block();
    b().branch(cmp, a, c, bad, good);
    b().enter(bad);
    fault(code, value);
    b().enter(good);
}

void ClauseState::count_loss(Loss loss)
{
    note(context_, Outcome::Lost);
    b().call_local(module().functions.count_loss(loss), {});
}

/// Emits exit(). The exit status is stored in the state that the consumer maps, and not in the sample. So exit() works
/// even if the buffer is full.
void ClauseState::stop_tracing(Value status)
{
    const Value state = b().data_addr(module().data.state(), sizeof(dt_state));
    b().store(8, state, offsetof(dt_state, exit_status), status);
    b().store(4, state, offsetof(dt_state, activity), b().constant(DT_DRAINING));
    b().store(4, state, offsetof(dt_state, exiting), b().constant(1));
    if (module().has_timing_switches)
        turn_on_timing(b(), state);
    wake(false); // wakes the consumer at once, because the clause may never send the sample that would wake it
}

void ClauseState::wake(bool often)
{
    if (context_.plan && context_.plan->kind_info().run_by_tracer)
        return;
    if (often)
        module().functions.wake(b());
    else
        b().call_local(module().functions.wake_reader(), {});
}

Value ClauseState::slot()
{
    measured_.scratch = true;
    if (slot_ == kNone) { // the first lowering only measures, so any pointer with a bound will do
        slot_ = b().load(8, context_.frame, FrameLayout::kSlot, Mem::MapValue, 1u << 30);
    }
    return slot_;
}

uint32_t ClauseState::take_stack(uint32_t size)
{
    size = align_up(size, 8);
    StackPool& stack = context_.stack;
    if (stack.temporaries == kNone)
        stack.temporaries = b().slot(size);
    const uint32_t offset = std::exchange(stack.used, stack.used + size);
    uint32_t& room = b().function().slots[stack.temporaries].size;
    room = std::max(room, stack.used);
    return offset;
}

Value ClauseState::stack_temporary(uint32_t size)
{
    const uint32_t offset = take_stack(size);
    return values.interior(b().stack_addr(context_.stack.temporaries), offset, size);
}

uint32_t ClauseState::take_scratch(uint32_t size)
{
    const uint32_t sample = sample_in_scratch() ? needs_.sample_room() : 0;
    const uint32_t offset = module().layout.fixed_scratch_size() + sample + scratch_used_;
    scratch_used_ += align_up(size, 8);
    measured_.temporaries = std::max(measured_.temporaries, scratch_used_);
    return offset;
}

Value ClauseState::scratch_temporary(uint32_t size)
{
    const Value base = slot();
    const uint32_t offset = take_scratch(size);
    const Value address = b().binary(Op::Add, base, b().constant(offset));
    b().instr(address).mem = Mem::MapValue;
    b().instr(address).region = size;
    return address;
}

bool ClauseState::fits_stack(uint32_t size)
{
    // `claimed` is false in a predicate that uses no scratch slot, even if the clause's statements use one.
    const bool claimed = needs_.measured && slot_ != kNone;
    const bool spares = claimed || module().stack_use == StackUse::Compact;
    if (context_.stack.used + size > (spares ? kMaxBesideScratch : kMaxTemporariesOnStack))
        return false;
    // The first lowering, which measures, reserves scratch memory also for temporaries on the stack. If the clause
    // claims a scratch slot, fewer of them fit on the stack.
    if (!needs_.measured) {
        scratch_used_ += align_up(size, 8);
        measured_.temporaries = std::max(measured_.temporaries, scratch_used_);
    }
    return true;
}

Value ClauseState::temporary(uint32_t size, Mem& mem)
{
    const bool on_stack = fits_stack(size);
    mem = on_stack ? Mem::Stack : Mem::MapValue;
    return on_stack ? stack_temporary(size) : scratch_temporary(size);
}

std::pair<Value, int64_t> ClauseState::temporary_place(uint32_t size)
{
    if (fits_stack(size)) {
        const uint32_t offset = take_stack(size);
        return {b().stack_addr(context_.stack.temporaries), offset};
    }
    const Value base = slot();
    const uint32_t offset = take_scratch(size);
    if (offset + size <= kFarthestOffset)
        return {base, offset};
    return {values.interior(base, offset, size), 0};
}

Value ClauseState::statement_number()
{
    const uint32_t at = context_.statement_number_at;
    return at == 0 ? b().constant(statement_.id) : b().load(4, context_.ecb, at);
}

Value ClauseState::cached(const std::string& key, const std::function<Value()>& make)
{
    if (const Value found = known(key); found != kNone)
        return found;
    const Value made = make();
    remember(key, made);
    return made;
}

Value ClauseState::pid_tgid()
{
    return cached("pid_tgid", [this] {
        const bool first = module().world.target().pid_namespace_inode == 0;
        return first ? b().call_helper(kGetCurrentPidTgid, {}) : b().call_local(module().functions.pid(), {});
    });
}

Value ClauseState::known(const std::string& key) const
{
    for (const auto& level : cache_)
        if (const auto found = level.find(key); found != level.end())
            return found->second;
    return kNone;
}

void ClauseState::arm(const std::function<void()>& body)
{
    cache_.emplace_back();
    body();
    cache_.pop_back();
}

bool ClauseState::sample_in_scratch() const
{
    return needs_.sample > kMaxSampleOnStack || (needs_.sample && needs_.scratch);
}

} // namespace dt::lower
