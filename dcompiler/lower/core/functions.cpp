// Generates functions that all clauses of an object share. Some of them call looping functions of bpf-runtime, or read
// process memory through page tables.
#include "dcompiler/lower/core/functions.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>

#include "machine/machine.hpp"
#include "machine/paging.hpp"

namespace dt::lower {

namespace {

constexpr std::size_t kCounters[] = {
    // Offsets of the counters in struct dt_losses, in the order of enum Loss.
    offsetof(dt_losses, principal),    offsetof(dt_losses, aggregation),      offsetof(dt_losses, dynamic),
    offsetof(dt_losses, speculation),  offsetof(dt_losses, spec_unavailable), offsetof(dt_losses, nesting),
    offsetof(dt_losses, double_error), offsetof(dt_losses, no_memory),        offsetof(dt_losses, created),
    offsetof(dt_losses, deleted),
};

/// Yields the return value of a helper, which is an int. Before Linux 6.4, the upper half of the register is undefined.
Value error_of(ir::Builder& b, Value returned)
{
    return b.unary(Op::SExt, returned, 4);
}

} // namespace

uint32_t Functions::once_separate(const std::string& name, const std::function<void(ir::Builder&)>& fill,
                                  std::size_t numbers)
{
    const uint32_t index = once(name, std::vector<Parameter>(numbers), fill);
    module_.out.module.functions[index].verified_separately = true;
    return index;
}

uint32_t Functions::count_loss(Loss loss)
{
    const uint32_t map = maps_.losses();
    const auto number = static_cast<std::size_t>(loss);
    return once_separate("dt_lose_" + std::to_string(number), [&](ir::Builder& b) {
        const Value key = b.stack_addr(b.slot(8));
        b.store(4, key, 0, b.call_helper(kGetSmpProcessorId, {}));
        const Value slot = b.call_helper(kMapLookup, {b.map_ref(map), key}, Mem::MapOrNull, sizeof(dt_losses));
        b.if_then(Op::Ne, slot, b.constant(0),
                  [&] { b.atomic_add(8, b.not_null(slot), static_cast<int64_t>(kCounters[number]), b.constant(1)); });
        b.ret(b.constant(0));
    });
}

uint32_t Functions::is_active_epoch()
{
    const uint32_t map = maps_.active_epochs(), state = data_.state();
    return once_separate("dt_is_active_epoch", [&](ir::Builder& b) {
        const Value key = b.stack_addr(b.slot(8));
        b.store(4, key, 0, b.call_helper(kGetSmpProcessorId, {}));
        const Value slot = b.call_helper(kMapLookup, {b.map_ref(map), key}, Mem::MapOrNull, 8);
        b.if_then(Op::Ne, slot, b.constant(0), [&] {
            const Value own = b.load(8, b.data_addr(state, sizeof(dt_state)), offsetof(dt_state, epoch));
            const ir::BlockId ours = b.block(), others = b.block();
            b.branch(Op::Eq, b.load(8, b.not_null(slot), 0), own, ours, others);
            b.enter(ours);
            b.ret(b.constant(1));
            b.enter(others);
        });
        b.ret(b.constant(0));
    });
}

/// Tries the CPU's scratch slots in order. While a program holds a slot, a program that interrupts it takes the next
/// one.
uint32_t Functions::claim()
{
    const uint32_t map = maps_.scratch();
    return once("dt_claim", {}, [&](ir::Builder& b) {
        const Value key = b.stack_addr(b.slot(8));
        const Value first = b.binary(Op::Shl, b.call_helper(kGetSmpProcessorId, {}), b.constant(2));
        static_assert(DT_SLOTS == 4, "the shift above");
        for (int level = 0; level < DT_SLOTS; ++level) {
            const Value number = b.binary(Op::Add, first, b.constant(level));
            b.store(4, key, 0, number);
            const Value slot = b.call_helper(kMapLookup, {b.map_ref(map), key}, Mem::MapOrNull,
                                             std::max<uint32_t>(layout_.scratch_size, 8));
            const ir::BlockId have = b.block(), mine = b.block(), next = b.block();
            b.branch(Op::Ne, slot, b.constant(0), have, next);
            b.enter(have);
            const Value known = b.not_null(slot);
            const Value taken = exchange_on_cpu(b, known, b.binary(Op::Add, number, b.constant(1)));
            b.branch(Op::Eq, taken, b.constant(0), mine, next);
            b.enter(mine);
            b.ret(known);
            b.enter(next);
        }
        b.ret(b.constant(0));
    });
}

namespace {

constexpr uint32_t kMaxCopiedByWords = 128; // longer samples are copied by a helper call

/// Copies a sample and its time into the mmap ring. The first word is written last, because the reader waits for it. On
/// processors that may reorder stores, an atomic exchange writes this word, because the processor performs earlier
/// stores before the exchange. The kernels have no weaker operation with this property.
void copy_to_mmap_ring(ir::Builder& b, Value sample, Value mmap_ring, Value position, uint32_t size, Value time,
                       const machine::Machine& machine)
{
    // Copies in whole words; the verifier then knows that the addresses are aligned.
    const Value at = b.binary(Op::And, position, b.constant(DT_MMAP_RING_BYTES - 8));
    const Value room = b.binary(Op::Add, mmap_ring, at);
    constexpr int64_t kData = offsetof(dt_mmap_ring, data);
    if (size <= kMaxCopiedByWords)
        for (uint32_t word = 8; word < size; word += 8)
            b.store(8, room, kData + word, b.load(8, sample, word));
    else
        b.call_helper(kProbeReadKernel, {b.binary(Op::Add, room, b.constant(kData + 8)), b.constant(size - 8),
                                         b.binary(Op::Add, sample, b.constant(8))});
    b.store(8, room, kData + size, time);
    if (machine.keeps_store_order)
        b.store(8, room, kData, b.load(8, sample, 0));
    else
        b.atomic_xchg(8, room, kData, b.load(8, sample, 0));
}

} // namespace

std::optional<uint32_t> Functions::mmap_ring(Mem where, uint32_t size, bool has_time)
{
    const uint32_t whole = size + static_cast<uint32_t>(sizeof(uint64_t));
    if (whole > DT_MMAP_RING_MAX_SAMPLE || !module_.world.features().fetching_atomics)
        return {};
    const uint32_t mmap_rings = maps_.mmap_rings(), forced_wakeup = force_wakeup();
    const std::string name = std::string("dt_mmap_ring_") + (where == Mem::Stack ? "" : "slot_") +
                             (has_time ? "timed_" : "") + std::to_string(size);
    std::vector<Parameter> parameters{{where, size}};
    if (has_time)
        parameters.emplace_back();
    return once(name, parameters, [&](ir::Builder& b) {
        const ir::BlockId closed = b.block();
        const auto go_on_if = [&](Op cmp, Value value, Value with) {
            const ir::BlockId next = b.block();
            b.branch(cmp, value, with, next, closed);
            b.enter(next);
        };
        const Value key = b.stack_addr(b.slot(8)), none = b.constant(0);
        b.store(4, key, 0, b.call_helper(kGetSmpProcessorId, {}));
        const Value map = b.call_helper(kMapLookup, {b.map_ref(mmap_rings), key}, Mem::MapOrNull, 4);
        go_on_if(Op::Ne, map, none);
        const Value first = b.stack_addr(b.slot(8));
        b.store(4, first, 0, none);
        const Value found = b.call_helper(kMapLookup, {b.not_null(map), first}, Mem::MapOrNull,
                                          static_cast<uint32_t>(sizeof(dt_mmap_ring)));
        go_on_if(Op::Ne, found, none);
        const Value mmap_ring = b.not_null(found), begin = b.load(8, mmap_ring, offsetof(dt_mmap_ring, written)),
                    end = b.binary(Op::Add, begin, b.constant(whole));
        go_on_if(Op::ULe, b.binary(Op::Sub, end, b.load(8, mmap_ring, offsetof(dt_mmap_ring, read))),
                 b.constant(DT_MMAP_RING_BYTES));
        // The clock is read after the position for writing, so that the times in a ring are in order. A time that the
        // caller passes may be older than those of samples that are already in the ring.
        const Value time = has_time ? b.param(1) : b.call_helper(kKtimeGetNs, {});
        go_on_if(Op::Eq, b.atomic_cas(8, mmap_ring, offsetof(dt_mmap_ring, written), begin, end), begin);
        copy_to_mmap_ring(b, b.param(0), mmap_ring, begin, size, time, module_.world.machine());
        const ir::BlockId much = b.block(), done = b.block();
        b.branch(Op::ULe, b.constant(DT_MMAP_RING_WAKEUP_BYTES), b.binary(Op::Xor, begin, end), much, done);
        b.enter(much);
        b.is_cold();
        b.call_local(forced_wakeup, {});
        b.jump(done);
        b.enter(done);
        b.ret(none);
        b.enter(closed);
        b.is_cold();
        b.ret(b.constant(1));
    });
}

/// Wakes the consumer through the wakeup ring buffer. With fetching atomics, the program first sets
/// dt_state.reader_state to WAKING, so that no other program changes the state. Then the program sets AWAKE, or `from`
/// on failure. Without fetching atomics, each program that finds ASLEEP there writes to the ring buffer, until the
/// consumer sets AWAKE.
void Functions::send_wakeup(ir::Builder& b, Value state, uint32_t wakeup_ring, Value from, ir::BlockId others)
{
    const int64_t reader_state = offsetof(dt_state, reader_state);
    const Value note = b.stack_addr(b.slot(8));
    b.store(8, note, 0, b.constant(0));
    const auto send = [&] {
        return b.call_helper(kRingbufOutput, {b.map_ref(wakeup_ring), note, b.constant(8), b.constant(kForceWakeup)});
    };
    if (!module_.world.features().fetching_atomics) {
        once_on_cpu(b, maps_.per_cpu("waking", 8), others, [&] { send(); });
    } else {
        const ir::BlockId first = b.block();
        const Value before = b.atomic_cas(8, state, reader_state, from, b.constant(DT_READER_WAKING));
        b.branch(Op::Eq, before, from, first, others);
        b.enter(first);
        const Value failed = send();
        b.store(8, state, reader_state, b.select(Op::Eq, failed, b.constant(0), b.constant(DT_READER_AWAKE), from));
    }
    b.jump(others);
    b.enter(others);
    b.ret(b.constant(0));
}

/// Emits the wakeup of a sleeping consumer. The wakeup fails if the wakeup ring buffer is locked or full. That happens
/// when this program interrupts one that is waking the consumer of another trace. Then the next program that sends a
/// sample tries again.
uint32_t Functions::wake_reader()
{
    const uint32_t wakeup_ring = maps_.wakeup_ring(), data = data_.state();
    return once_separate("dt_wake_reader", [&](ir::Builder& b) {
        const Value state = b.data_addr(data, sizeof(dt_state));
        const ir::BlockId rests = b.block(), others = b.block();
        b.branch(Op::Eq, b.load(8, state, offsetof(dt_state, reader_state)), b.constant(DT_READER_ASLEEP), rests,
                 others);
        b.enter(rests);
        send_wakeup(b, state, wakeup_ring, b.constant(DT_READER_ASLEEP), others);
    });
}

/// Emits a wakeup even if the consumer is awake. The ring is filling with speculative samples, which cause no other
/// wakeup.
uint32_t Functions::force_wakeup()
{
    const uint32_t wakeup_ring = maps_.wakeup_ring(), data = data_.state();
    return once_separate("dt_force_wakeup", [&](ir::Builder& b) {
        const Value state = b.data_addr(data, sizeof(dt_state));
        const Value from = b.load(8, state, offsetof(dt_state, reader_state));
        const ir::BlockId quiet = b.block(), others = b.block();
        b.branch(Op::Eq, from, b.constant(DT_READER_WAKING), others, quiet);
        b.enter(quiet);
        send_wakeup(b, state, wakeup_ring, from, others);
    });
}

void Functions::wake(ir::Builder& b)
{
    const uint32_t wake_reader = this->wake_reader();
    const Value state = b.data_addr(data_.state(), sizeof(dt_state));
    const ir::BlockId rests = b.block(), on = b.block();
    b.branch(Op::Ne, b.load(8, state, offsetof(dt_state, reader_state)), b.constant(DT_READER_AWAKE), rests, on);
    b.enter(rests);
    b.is_cold();
    b.call_local(wake_reader, {});
    b.jump(on);
    b.enter(on);
}

uint32_t Functions::slot()
{
    const uint32_t map = maps_.scratch();
    return once("dt_slot", {Parameter{}}, [&](ir::Builder& b) {
        const Value key = b.stack_addr(b.slot(8));
        b.store(4, key, 0, b.binary(Op::Sub, b.param(0), b.constant(1)));
        b.ret(b.call_helper(kMapLookup, {b.map_ref(map), key}, Mem::MapOrNull,
                            std::max<uint32_t>(layout_.scratch_size, 8)));
    });
}

Value Functions::claimed_slot(ir::Builder& b, Value number, ir::BlockId none)
{
    const Value slot = b.call_local(this->slot(), {number});
    b.instr(slot).mem = Mem::MapOrNull;
    b.instr(slot).region = layout_.scratch_size;
    const ir::BlockId known = b.block();
    b.branch(Op::Ne, slot, b.constant(0), known, none);
    b.enter(known);
    return b.not_null(slot);
}

uint32_t Functions::pid()
{
    return once("dt_pid", {}, [&](ir::Builder& b) {
        // Struct bpf_pidns_info contains a thread id and a process id. Both are 0 for tasks in other namespaces.
        const Value info = b.stack_addr(b.slot(8));
        b.store(8, info, 0, b.constant(0));
        b.call_helper(kGetNsCurrentPidTgid,
                      {b.constant(static_cast<int64_t>(module_.world.target().pid_namespace_device)),
                       b.constant(static_cast<int64_t>(module_.world.target().pid_namespace_inode)), info,
                       b.constant(8)});
        b.ret(b.load(8, info, 0));
    });
}

namespace {

/// Common exit of a string comparison, for the first pair of words that differ. `block` returns the order of the
/// strings. Each jump to the block adds its two words to `lefts` and `rights`.
struct Difference {
    ir::BlockId block;
    std::vector<Value> lefts, rights;
};

/// Compares the words at offset `at` of both strings. If they differ, jumps to the common exit for unequal strings.
void compare_word(ir::Builder& b, Value left, Value right, uint32_t at, Difference& difference)
{
    const Value l = b.load(8, left, at), r = b.load(8, right, at);
    difference.lefts.push_back(l);
    difference.rights.push_back(r);
    const ir::BlockId same = b.block();
    b.branch(Op::Ne, l, r, difference.block, same);
    b.enter(same);
}

/// Ends a comparison function: it returns 0 for equal strings, otherwise -1 or 1. The first different byte decides,
/// which is the most significant one if words are read as big-endian.
void return_order(ir::Builder& b, const Difference& difference)
{
    b.ret(b.constant(0));
    b.enter(difference.block);
    // both phis are created first, because a block's phis come before other instructions
    const Value l = b.phi(difference.lefts), r = b.phi(difference.rights);
    const ir::BlockId less = b.block(), greater = b.block();
    const Value right = b.unary(Op::BSwap, r, 8), left = b.unary(Op::BSwap, l, 8);
    b.branch(Op::ULt, left, right, less, greater);
    b.enter(less);
    b.ret(b.constant(-1));
    b.enter(greater);
    b.ret(b.constant(1));
}

// The verifier remembers at most 8192 branches, so one function cannot compare all words of a long string. Each
// function compares a part of the string, with one branch per group of words.
constexpr uint32_t kComparedAtOnce = 4096, kComparedTogether = 64;

/// Yields a pointer to the part of a string that begins at offset `at`. The string is in memory of a map.
Value part_at(ir::Builder& b, Value text, uint32_t at)
{
    if (at == 0)
        return text;
    const Value moved = b.binary(Op::Add, text, b.constant(at));
    b.instr(moved).mem = Mem::MapValue;
    b.instr(moved).region = kComparedAtOnce;
    return moved;
}

} // namespace

uint32_t Functions::compare_part()
{
    return once("dt_compare_part", {{Mem::MapValue, kComparedAtOnce}, {Mem::MapValue, kComparedAtOnce}},
                [](ir::Builder& b) {
                    const Value left = b.param(0), right = b.param(1);
                    Difference difference{b.block(), {}, {}};
                    for (uint32_t group = 0; group < kComparedAtOnce; group += kComparedTogether) {
                        Value any = b.constant(0);
                        for (uint32_t at = group; at < group + kComparedTogether; at += 8) {
                            const Value there = b.load(8, right, at);
                            any = b.binary(Op::Or, any, b.binary(Op::Xor, b.load(8, left, at), there));
                        }
                        const ir::BlockId here = b.block(), next = b.block();
                        b.branch(Op::Ne, any, b.constant(0), here, next);
                        b.enter(here);
                        const uint32_t last = group + kComparedTogether - 8;
                        for (uint32_t at = group; at < last; at += 8)
                            compare_word(b, left, right, at, difference);
                        // At least one word of the group differs. If all words but the last are equal, the last one
                        // differs.
                        difference.lefts.push_back(b.load(8, left, last));
                        difference.rights.push_back(b.load(8, right, last));
                        b.jump(difference.block);
                        b.enter(next);
                    }
                    return_order(b, difference);
                });
}

uint32_t Functions::compare()
{
    const uint32_t size = layout_.string_size();
    const std::optional<uint32_t> part = size > kComparedAtOnce ? std::optional(compare_part()) : std::nullopt;
    return once("dt_compare", {{Mem::MapValue, size}, {Mem::MapValue, size}}, [&](ir::Builder& b) {
        const Value left = b.param(0), right = b.param(1);
        uint32_t done = 0;
        for (; part && done + kComparedAtOnce <= size; done += kComparedAtOnce) {
            const Value order = b.call_local(*part, {part_at(b, left, done), part_at(b, right, done)});
            const ir::BlockId decided = b.block(), same = b.block();
            b.branch(Op::Ne, order, b.constant(0), decided, same);
            b.enter(decided);
            b.ret(order);
            b.enter(same);
        }
        Difference difference{b.block(), {}, {}};
        for (; done < size; done += 8)
            compare_word(b, left, right, done, difference);
        if (difference.lefts.empty())
            b.ret(b.constant(0));
        else
            return_order(b, difference);
    });
}

/// Creates an element that does not exist. With dynvarpolicy=lru, also counts it.
Value Functions::make(ir::Builder& b, uint32_t map, Value key, Value element)
{
    const Value failed = error_of(b, maps_.put(b, map, key, element, Maps::kPutNew));
    b.if_then(Op::Eq, failed, b.constant(0), [&] { b.call_local(count_loss(Loss::Created), {}); });
    return failed;
}

/// Puts an element into the map of a dynamic variable. With dynvarpolicy=lru, also finds out whether the element is
/// new, even if other programs put the same element at the same time.
Value Functions::put(ir::Builder& b, uint32_t map, Value key, Value element, Maps::PutFlags flags)
{
    if (!layout_.replaces_elements())
        return maps_.put(b, map, key, element, flags);
    if (flags == Maps::kPutNew)
        return make(b, map, key, element);
    const auto change = [&] { return error_of(b, maps_.put(b, map, key, element, Maps::kPutThere)); };
    const auto make_or_change = [&] {
        const Value made = make(b, map, key, element);
        return b.select(Op::Eq, made, b.constant(-EEXIST), change, [&] { return made; });
    };
    const Value changed = change();
    return b.select(Op::Eq, changed, b.constant(-ENOENT), make_or_change, [&] { return changed; });
}

void Functions::remove(ir::Builder& b, uint32_t map, Value key)
{
    const Value failed = b.call_helper(kMapDelete, {b.map_ref(map), key});
    if (layout_.replaces_elements())
        b.if_then(Op::Eq, error_of(b, failed), b.constant(0), [&] { b.call_local(count_loss(Loss::Deleted), {}); });
}

uint32_t Functions::element(uint32_t map, uint8_t width)
{
    const uint32_t losing = count_loss(Loss::Dynamic);
    if (layout_.replaces_elements())
        for (const Loss counted : {Loss::Created, Loss::Deleted})
            count_loss(counted);
    const ir::Map& array = module_.out.module.maps[map];
    return once("dt_put_" + array.name + "_" + std::to_string(width), {{Mem::MapValue, array.key_size}, Parameter{}},
                [&](ir::Builder& b) {
                    const Value key = b.param(0), number = b.param(1);
                    const ir::BlockId keep = b.block(), remove = b.block(), full = b.block(), done = b.block();
                    b.branch(Op::Ne, number, b.constant(0), keep, remove);
                    b.enter(remove);
                    this->remove(b, map, key);
                    b.ret(b.constant(0));
                    b.enter(keep);
                    const Value element = b.stack_addr(b.slot(8));
                    b.store(8, element, 0, b.constant(0));
                    b.store(width, element, 0, number);
                    const Value failed = put(b, map, key, element, Maps::kPutAny);
                    b.branch(Op::Ne, failed, b.constant(0), full, done);
                    b.enter(full);
                    b.call_local(losing, {});
                    b.ret(b.constant(1));
                    b.enter(done);
                    b.ret(b.constant(0));
                });
}

// Calls functions of bpf-runtime that contain loops. The verifier analyzes a function with pointer parameters again at
// each call; a thousand such calls would exceed the verifier's limit. If the arguments are in the scratch slot, they
// can be passed as numbers: the slot's index and offsets. A helper function, which is verified only once, converts the
// numbers and makes the call.

namespace {

using RuntimeArgument = Functions::RuntimeArgument;

constexpr std::size_t kMaxParameters = 5; // a BPF function has at most this number of parameters

std::optional<int64_t> constant_value(ir::Builder& b, Value value)
{
    const ir::Instr& instr = b.instr(value);
    return instr.op == Op::Const ? std::optional(instr.imm) : std::nullopt;
}

/// Returns the constant offset of an address in the scratch slot, or nothing if the address is elsewhere or the offset
/// is not constant.
std::optional<int64_t> offset_in(ir::Builder& b, Value slot, Value place)
{
    if (place == slot)
        return 0;
    const ir::Instr& instr = b.instr(place);
    return instr.op == Op::Add && instr.a == slot ? constant_value(b, instr.b) : std::nullopt;
}

/// Returns the arguments for the helper function, which makes the call to bpf-runtime: the slot's index, then all
/// arguments of the call except constants and addresses in the slot. Returns nothing if there are too many arguments or
/// an address is outside of the slot.
std::optional<std::vector<Value>> numbers_of(ir::Builder& b, Value slot, const std::vector<RuntimeArgument>& handed)
{
    std::vector<Value> numbers{b.load(8, slot)};
    for (const RuntimeArgument& each : handed) {
        const auto offset = each.size != 0 ? offset_in(b, slot, each.value) : std::nullopt;
        if (each.size != 0 && !offset)
            return std::nullopt;
        if (offset)
            numbers.push_back(b.constant(*offset));
        else if (!constant_value(b, each.value))
            numbers.push_back(each.value);
    }
    return numbers.size() <= kMaxParameters ? std::optional(numbers) : std::nullopt;
}

} // namespace

Value Functions::call_long(ir::Builder& b, Value slot, const std::string& name,
                           const std::vector<RuntimeArgument>& handed, bool yields_address)
{
    const auto numbers = numbers_of(b, slot, handed);
    if (!numbers) {
        std::vector<Value> arguments;
        for (const RuntimeArgument& each : handed)
            arguments.push_back(each.value);
        return b.call_runtime(name, arguments);
    }
    std::string kind = name + "_apart";
    std::vector<std::optional<int64_t>> constants;
    for (const RuntimeArgument& each : handed) {
        constants.push_back(each.size == 0 ? constant_value(b, each.value) : std::nullopt);
        kind += "_" + (constants.back() ? std::to_string(static_cast<uint64_t>(*constants.back()))
                       : each.size != 0 ? "p" + std::to_string(each.size)
                                        : "n");
    }
    this->slot(); // creates the function of slot() now, because once() requires that called functions exist
    const uint32_t function = once_separate(
        kind, [&](ir::Builder& into) { fill_long(into, name, handed, constants, yields_address); }, numbers->size());
    return b.call_local(function, *numbers);
}

/// Generates the helper function for calls of a function of bpf-runtime. It finds the scratch slot by its index,
/// computes the addresses in the slot, and makes the call.
void Functions::fill_long(ir::Builder& b, const std::string& name, const std::vector<RuntimeArgument>& handed,
                          const std::vector<std::optional<int64_t>>& constants, bool yields_address)
{
    const ir::BlockId none = b.block();
    const Value slot = claimed_slot(b, b.param(0), none);
    std::vector<Value> arguments;
    uint32_t parameter = 1;
    for (std::size_t i = 0; i < handed.size(); ++i) {
        if (constants[i]) {
            arguments.push_back(b.constant(*constants[i]));
            continue;
        }
        Value given = b.param(parameter++);
        if (handed[i].size != 0) {
            const ir::BlockId inside = b.block();
            // The comparison never fails; it gives the verifier a bound for the offset.
            b.branch(Op::ULt, b.constant(layout_.scratch_size - handed[i].size), given, none, inside);
            b.enter(inside);
            given = b.binary(Op::Add, slot, given);
            b.instr(given).mem = Mem::MapValue;
            b.instr(given).region = handed[i].size;
        }
        arguments.push_back(given);
    }
    const Value result = b.call_runtime(name, arguments);
    b.ret(yields_address ? b.call_runtime("dt_address", {result}) : b.constant(0));
    b.enter(none);
    b.ret(b.constant(0));
}

// Reads memory of the current process by a walk through the kernel's page tables
// (docs/decisions/85-user-memory-by-page-tables.md).

namespace {

/// Emits the walk through the page tables for one address. If the page is not in memory, control goes to block
/// `nothing_`.
class PageWalk {
public:
    PageWalk(ir::Builder& b, const machine::Paging& paging, uint32_t cast) : b_(b), paging_(paging), cast_(cast) {}

    void run(int64_t table_at)
    {
        const Value mm = b_.param(0);
        Value table = word(mm, table_at);
        const Value deep = number(paging_.deep_below);
        table = b_.select(
            Op::ULt, memory_, deep, [&] { return next(table, paging_.shifts.front()); }, [&] { return table; });
        for (const uint32_t shift : paging_.shifts.subspan(1, paging_.shifts.size() - 2))
            table = next(table, shift);
        const uint32_t last = paging_.shifts.back();
        const Value entry = entry_of(table, last);
        expect(entry, paging_.needed | paging_.odd);
        b_.ret(inside(entry, last));
        b_.enter(nothing_);
        b_.ret(b_.constant(0));
    }

private:
    Value number(uint64_t value) { return b_.constant(static_cast<int64_t>(value)); }
    Value word(Value address, int64_t offset) { return b_.load(8, b_.readable(address, cast_), offset); }

    Value entry_of(Value table, uint32_t shift)
    {
        constexpr uint64_t kIndex = 511;
        const Value moved = b_.binary(Op::LShr, address_, b_.constant(shift - 3));
        return word(b_.binary(Op::Add, table, b_.binary(Op::And, moved, number(kIndex << 3))), 0);
    }

    /// Emits a check of a page-table entry. Of the bits in `bits`, exactly those in paging_.needed must be set,
    /// otherwise control goes to block `nothing_`.
    void expect(Value entry, uint64_t bits)
    {
        const ir::BlockId there = b_.block();
        b_.branch(Op::Eq, b_.binary(Op::And, entry, number(bits)), number(paging_.needed), there, nothing_);
        b_.enter(there);
    }

    /// Yields the kernel address of the byte that the process knows by `address`. The page-table entry gives the page,
    /// and the low `shift` bits of the address are the offset in it.
    Value inside(Value entry, uint32_t shift)
    {
        const uint64_t rest = (uint64_t{1} << shift) - 1;
        const Value page = b_.binary(Op::And, entry, number(paging_.address & ~rest));
        return b_.binary(Op::Add, b_.binary(Op::Add, memory_, page), b_.binary(Op::And, address_, number(rest)));
    }

    Value next(Value table, uint32_t shift)
    {
        const Value entry = entry_of(table, shift);
        expect(entry, paging_.needed);
        const ir::BlockId large = b_.block(), further = b_.block();
        b_.branch(Op::Ne, b_.binary(Op::And, entry, number(paging_.large)), b_.constant(0), large, further);
        b_.enter(large);
        b_.ret(inside(entry, shift));
        b_.enter(further);
        return b_.binary(Op::Add, memory_, b_.binary(Op::And, entry, number(paging_.address)));
    }

    ir::Builder& b_;
    const machine::Paging& paging_;
    const uint32_t cast_;
    const Value memory_ = b_.param(1), address_ = b_.param(2);
    const ir::BlockId nothing_ = b_.block();
};

} // namespace

std::optional<uint32_t> Functions::page(uint64_t table)
{
    const uint32_t cast = module_.world.readable_cast();
    const auto paging = machine::paging(module_.world.machine());
    if (cast == 0 || !paging)
        return std::nullopt;
    return once_separate(
        "dt_page", [&](ir::Builder& b) { PageWalk(b, *paging, cast).run(static_cast<int64_t>(table)); }, 3);
}

} // namespace dt::lower
