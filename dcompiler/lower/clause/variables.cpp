// Lowers variables. Globals are in .bss. Variables of self-> are in task storage, or in a hash map if dynvarsize is
// set. Variables of this-> are in the firing's frame (stack) or scratch slot (per-CPU memory). Associative arrays are
// in hash maps. Option sharedvars moves self-> and arrays to .bss.
//
// Assigning 0 to a dynamic variable deletes it, and an absent variable reads as 0 (dtrace-variables(7), VARIABLES OF A
// PROGRAM). So a number needs no information on whether it is present. A string has a presence word before its
// characters, because "" is not NULL.
#include "dcompiler/lower/clause/strings.hpp"
#include "dcompiler/lower/clause/variables.hpp"
#include "dcompiler/lower/counting/hit_counts.hpp"
#include "dcompiler/lower/counting/sampling.hpp"

#include <cstddef>

namespace dt::lower {

namespace {

} // namespace

namespace {

Operand load_from(ClauseState& l, Memory& memory, const Variable& variable, Value address, int64_t offset,
                  uint32_t room)
{
    Place at;
    at.address = address;
    at.offset = offset;
    at.mem = l.b().instr(address).mem;
    at.type = variable.stored;
    at.size = room;
    return memory.load(at);
}

/// Returns the value of an absent variable. Absent strings and other objects in memory have the address 0.
Operand absent(ClauseState& l)
{
    return number(l.b().constant(0));
}

/// Yields the value of `read` if the pointer is not null, else the value of an absent variable.
template <typename Read> Operand read_if_present(ClauseState& l, Value pointer, Read read)
{
    auto& b = l.b();
    Operand found;
    const auto present = [&] {
        l.arm([&] { found = read(b.not_null(pointer)); });
        return found.value;
    };
    found.value = b.select(Op::Ne, pointer, b.constant(0), present, [&] { return absent(l).value; });
    if (found.kind == Operand::Kind::Number)
        return found;
    b.instr(found.value).mem = found.mem = Mem::MapOrNull;
    b.instr(found.value).region = found.size;
    found.may_be_null = true;
    return found;
}

/// Yields the address of a string, or 0 if the string is NULL. The presence word, which precedes the characters,
/// decides. In a global variable, 0 in this word means that the string is present; in other variables, 0 means that it
/// is absent.
Operand present_text(ClauseState& l, const Variable& variable, Value base, int64_t offset, uint32_t room)
{
    auto& b = l.b();
    const Value mark = b.load(8, base, offset - 8);
    const Value address = b.select(
        variable.scope == Scope::Global ? Op::Eq : Op::Ne, mark, b.constant(0),
        [&] { return l.values.interior(base, offset, room); }, [&] { return b.constant(0); }, Mem::MapOrNull, room);
    return {Operand::Kind::Text, address, Mem::MapOrNull, l.values.text_size(variable.type), true, false, {}};
}

Value this_base(ClauseState& l, const ThisSlot& slot)
{
    return slot.scratch ? l.slot() : l.context().frame;
}

int64_t this_offset(const ThisSlot& slot)
{
    return slot.scratch ? slot.offset : FrameLayout::kThis + slot.offset;
}

} // namespace

Operand Variables::read(const Target& t)
{
    const Variable& variable = *t.variable;
    if (!variable.type->is_string() && !variable.type->is_scalar())
        // if the variable is absent, variable_place() yields memory with zeros
        return memory_.load(places_.variable_place(t, false));
    const bool text = variable.type->is_string();
    const uint32_t room =
        text ? module().layout.string_size() : align_up(module().layout.storage_size(variable.type), 8);
    if (t.key != kNone) {
        const Value element = module().layout.is_shared(variable)
                                  ? places_.shared_element(t, b().constant(0))
                                  : b().call_helper(kMapLookup, {b().map_ref(module().maps.array(variable)), t.key},
                                                    Mem::MapOrNull, room);
        return read_if_present(clause, element,
                               [&](Value p) { return load_from(clause, memory_, variable, p, 0, room); });
    }
    switch (variable.scope) {
    case Scope::Global:
        if (text && module().layout.nullable(variable))
            return present_text(clause, variable, b().data_addr(module().data.global(variable), room + 8), 8, room);
        return load_from(clause, memory_, variable, b().data_addr(module().data.global(variable), room), 0, room);
    case Scope::Self: {
        const SelfSlot& slot = module().layout.self_slot(variable);
        return read_if_present(clause, places_.self_storage(false), [&](Value p) {
            return text ? present_text(clause, variable, p, slot.offset, room)
                        : load_from(clause, memory_, variable, p, slot.offset, room);
        });
    }
    case Scope::This: {
        const ThisSlot& slot = module().layout.this_slot(variable);
        if (text)
            return present_text(clause, variable, this_base(clause, slot), this_offset(slot), room);
        return load_from(clause, memory_, variable, this_base(clause, slot), this_offset(slot), room);
    }
    }
    return absent(clause);
}

Value VariablePlaces::self_key()
{
    const Value key = clause.stack_temporary(8);
    b().store(8, key, 0, b().call_helper(kGetCurrentTask, {}));
    return key;
}

Value VariablePlaces::shared_place(const std::string& name, uint32_t value, Value key, Value make)
{
    const uint32_t data = module().data.shared(name, value), stride = Layout::shared_stride(value);
    const Value place = b().call_local(module().functions.shared_element(name, value), {key, make});
    const auto address = [&] {
        const Value bytes = b().binary(Op::Mul, place, b().constant(stride));
        return b().binary(Op::Add, b().data_addr(data, value, sizeof(uint64_t)), bytes);
    };
    return b().select(
        Op::ULt, place, b().constant(module().layout.shared_places(value)), address, [&] { return b().constant(0); },
        Mem::MapOrNull, value);
}

/// Yields the number that identifies the thread. It is the same in kernel programs and in code inside the process,
/// unlike the address of task_struct.
Value VariablePlaces::thread_number()
{
    return b().unary(Op::ZExt, clause.pid_tgid(), 4);
}

Value VariablePlaces::shared_element(const Target& t, Value make)
{
    const int64_t front = module().layout.tuple_prefix(*t.variable);
    return shared_place(t.variable->name, sizeof(uint64_t), b().load(8, t.key, front), make);
}

Value VariablePlaces::self_storage(bool create)
{
    if (module().layout.self_is_shared())
        return shared_place(kSharedSelf, module().layout.self_size(), thread_number(), b().constant(create));
    const uint32_t map = module().maps.self(), size = module().layout.self_size();
    if (module().layout.self_is_hash()) {
        const Value key = self_key();
        const Value found = b().call_helper(kMapLookup, {b().map_ref(map), key}, Mem::MapOrNull, size);
        return create ? make_element(map, key, found, size) : found;
    }
    const Value task = clause.cached("task_btf", [&] { return b().call_helper(kGetCurrentTaskBtf, {}, Mem::Btf); });
    return module().functions.of_thread(b(), map, task, size, create);
}

/// Returns the memory of a struct or array variable. An absent dynamic variable is created for writing; a read yields
/// zeros and creates nothing. If there is no room for writing, a drop is counted and the result is memory that is never
/// read.
Place VariablePlaces::variable_place(const Target& t, bool write)
{
    const Variable& variable = *t.variable;
    Place at;
    at.type = variable.type;
    at.size = align_up(module().layout.storage_size(variable.type), 8);
    at.mem = Mem::MapValue;
    if (t.key == kNone && variable.scope == Scope::Global) {
        at.address = b().data_addr(module().data.global(variable), at.size);
        return at;
    }
    if (t.key == kNone && variable.scope == Scope::This) {
        const ThisSlot& slot = module().layout.this_slot(variable);
        at.address = clause.values.interior(this_base(clause, slot), this_offset(slot), at.size);
        at.mem = slot.scratch ? Mem::MapValue : Mem::Stack;
        return at;
    }
    int64_t offset = 0;
    uint32_t region = at.size;
    Value found;
    if (t.key == kNone) {
        offset = module().layout.self_slot(variable).offset;
        region = module().layout.self_size();
        found = self_storage(write);
    } else {
        const uint32_t map = module().maps.array(variable);
        found = b().call_helper(kMapLookup, {b().map_ref(map), t.key}, Mem::MapOrNull, region);
        if (write)
            found = make_element(map, t.key, found, region);
    }
    const ir::BlockId have = b().block(), absent = b().block(), join = b().block();
    b().branch(Op::Ne, found, b().constant(0), have, absent);
    b().enter(absent);
    const Value stand_in =
        b().data_addr(write ? module().data.dropped(at.size) : module().data.zeros(at.size), at.size);
    if (write) {
        clause.count_loss(Loss::Dynamic);
        clause.values.zero(stand_in, 0, at.size); // zeros, because `a[1].x += 5` reads the memory
    }
    b().jump(join);
    b().enter(have);
    const Value present = clause.values.interior(b().not_null(found), offset, at.size);
    b().jump(join);
    b().enter(join);
    at.address = b().phi({stand_in, present}, Mem::MapValue, at.size);
    return at;
}

/// Yields the address of the associative array's element with this key. Creates the element with zeros if necessary.
/// Yields 0 if there is no room.
Value VariablePlaces::make_element(uint32_t map, Value key, Value found, uint32_t size)
{
    const auto make = [&] {
        module().functions.put(b(), map, key, b().data_addr(module().data.zeros(size), size), Maps::kPutNew);
        return b().call_helper(kMapLookup, {b().map_ref(map), key}, Mem::MapOrNull, size);
    };
    return b().select(
        Op::Ne, found, b().constant(0), [&] { return b().not_null(found); }, make, Mem::MapOrNull, size);
}

void Variables::write(const Target& t, const Operand& operand)
{
    const Variable& variable = *t.variable;
    const bool text = variable.type->is_string();
    const uint32_t room =
        text ? module().layout.string_size() : align_up(module().layout.storage_size(variable.type), 8);
    Place to;
    to.type = variable.stored;
    to.size = room;
    if (t.key != kNone)
        return write_element(t, operand, room);
    switch (variable.scope) {
    case Scope::Global:
        to.address = b().data_addr(module().data.global(variable), room);
        to.mem = Mem::MapValue;
        if (text && module().layout.nullable(variable)) {
            b().store(8, to.address, 0, b().constant(0));
            to.address = b().data_addr(module().data.global(variable), room, 8);
        }
        return memory_.store(to, operand);
    case Scope::Self: {
        const SelfSlot& slot = module().layout.self_slot(variable);
        const Value storage = places_.self_storage(true);
        const auto store = [&] {
            to.address = b().not_null(storage);
            to.offset = slot.offset;
            to.mem = Mem::MapValue;
            if (text)
                b().store(8, to.address, to.offset - 8, b().constant(1));
            if (context().begins_pairs)
                mark_pair(context(), to.address);
            memory_.store(to, operand);
        };
        return b().if_else(
            Op::Eq, storage, b().constant(0), [&] { clause.count_loss(Loss::Dynamic); }, [&] { clause.arm(store); });
    }
    case Scope::This: {
        const ThisSlot& slot = module().layout.this_slot(variable);
        to.address = this_base(clause, slot);
        to.offset = this_offset(slot);
        to.mem = slot.scratch ? Mem::MapValue : Mem::Stack;
        if (text)
            b().store(8, to.address, to.offset - 8, b().constant(1));
        // The number's value is hidden from the verifier, except on locked-down kernels: their programs may use the
        // number as an address, so the compiler must know its origin.
        if (to.mem == Mem::Stack && operand.kind == Operand::Kind::Number && module().world.features().kernel_reads)
            return memory_.store(to, number(forget_value(operand.value)));
        return memory_.store(to, operand);
    }
    }
}

/// Yields a number that equals `v`, but whose value the verifier does not know. The verifier follows paths separately
/// if they store different constants on the stack. So each `this->flag = 1` in an `if` would double the number of
/// paths.
Value Variables::forget_value(Value v)
{
    const auto from_constants = [this](Value value) {
        const ir::Instr& i = b().instr(value);
        return i.op == Op::Const || i.op == Op::Phi || ir::is_comparison(i.op);
    };
    Value root = v;
    while (b().instr(root).op == Op::SExt || b().instr(root).op == Op::ZExt)
        root = b().instr(root).a;
    if (!from_constants(root))
        return v;
    const Value zero = clause.cached("zero", [this] {
        return b().load(8, b().data_addr(module().data.state(), sizeof(dt_state)), offsetof(dt_state, zero));
    });
    return b().binary(Op::Xor, v, zero);
}

/// Writes an element of an array of -x sharedvars. Writing 0 creates no element, because an absent one reads as 0.
void Variables::write_shared_element(const Target& t, Value number)
{
    const auto width = static_cast<uint8_t>(module().layout.storage_size(t.variable->stored));
    const ir::BlockId there = b().block(), none = b().block(), full = b().block(), done = b().block();
    const Value found = places_.shared_element(t, b().binary(Op::Ne, number, b().constant(0)));
    b().branch(Op::Ne, found, b().constant(0), there, none);
    b().enter(there);
    b().store(width, b().not_null(found), 0, number);
    b().jump(done);
    b().enter(none);
    b().branch(Op::Ne, number, b().constant(0), full, done);
    b().enter(full);
    clause.count_loss(Loss::Dynamic);
    b().jump(done);
    b().enter(done);
}

/// Writes a number to an element of an associative array. The value of a present element is overwritten without a map
/// update, which would allocate memory. Creating and deleting elements (by writing 0) is rarer and is done in a called
/// function.
void Variables::write_number_element(const Target& t, Value number)
{
    const uint32_t map = module().maps.array(*t.variable);
    const auto width = static_cast<uint8_t>(module().layout.storage_size(t.variable->type));
    const ir::BlockId there = b().block(), keep = b().block(), other = b().block(), full = b().block(),
                      done = b().block();
    const Value found = b().call_helper(kMapLookup, {b().map_ref(map), t.key}, Mem::MapOrNull, align_up(width, 8));
    b().branch(Op::Ne, found, b().constant(0), there, other);
    b().enter(there);
    b().branch(Op::Ne, number, b().constant(0), keep, other);
    b().enter(keep);
    b().store(width, b().not_null(found), 0, number);
    b().jump(done);
    b().enter(other);
    const Value failed = b().call_local(module().functions.element(map, width), {t.key, number});
    b().branch(Op::Ne, failed, b().constant(0), full, done);
    b().enter(full);
    // only records the outcome, because the called function has counted the loss already
    note(context(), Outcome::Lost);
    b().jump(done);
    b().enter(done);
}

void Variables::write_element(const Target& t, const Operand& operand, uint32_t room)
{
    const Variable& variable = *t.variable;
    if (module().layout.is_shared(variable))
        return write_shared_element(t, operand.value);
    if (operand.kind == Operand::Kind::Number && variable.type->is_scalar())
        return write_number_element(t, operand.value);
    const ir::BlockId done = b().block();
    Place to;
    to.type = variable.stored;
    to.size = room;
    to.address = clause.temporary(room, to.mem);
    if (module().layout.storage_size(variable.stored) < room || to.mem == Mem::Stack)
        clause.values.zero(to.address, 0, room);
    memory_.store(to, operand);
    const Value failed = module().functions.put(b(), module().maps.array(variable), t.key, to.address, Maps::kPutAny);
    const ir::BlockId full = b().block();
    b().branch(Op::Ne, failed, b().constant(0), full, done);
    b().enter(full);
    clause.count_loss(Loss::Dynamic);
    b().jump(done);
    b().enter(done);
}

void Variables::erase(const Target& t)
{
    const Variable& variable = *t.variable;
    if (t.key != kNone && module().layout.is_shared(variable))
        return write_shared_element(t, b().constant(0));
    if (t.key != kNone) {
        module().functions.remove(b(), module().maps.array(variable), t.key);
        return;
    }
    const bool text = variable.type->is_string();
    const uint32_t room = align_up(module().layout.storage_size(variable.type), 8);
    if (variable.scope == Scope::Self) {
        const SelfSlot& slot = module().layout.self_slot(variable);
        const Value storage = places_.self_storage(false);
        b().if_then(Op::Ne, storage, b().constant(0), [&] {
            const Value p = b().not_null(storage);
            text ? b().store(8, p, slot.offset - 8, b().constant(0)) : clause.values.zero(p, slot.offset, room);
            if (module().layout.self_is_hash())
                free_self_storage(p);
        });
    } else if (variable.scope == Scope::This) {
        const ThisSlot& slot = module().layout.this_slot(variable);
        const Value base = this_base(clause, slot);
        text ? b().store(8, base, this_offset(slot) - 8, b().constant(0))
             : clause.values.zero(base, this_offset(slot), room);
    } else {
        const Value global = b().data_addr(module().data.global(variable), text ? 8 : room);
        text ? b().store(8, global, 0, b().constant(1)) : clause.values.zero(global, 0, room);
    }
}

/// Frees the task storage of a thread if all its variables are absent.
void Variables::free_self_storage(Value storage)
{
    Value any = b().constant(0);
    for (const uint32_t word : module().layout.self_words())
        any = b().binary(Op::Or, any, b().load(8, storage, word));
    b().if_then(Op::Eq, any, b().constant(0),
                [&] { module().functions.remove(b(), module().maps.self(), places_.self_key()); });
}

/// Assigns a string that may be NULL. Assigning NULL deletes the variable.
Operand Variables::assign_nullable(const Target& t, Operand fresh)
{
    b().if_else(
        Op::Eq, fresh.value, b().constant(0), [&] { clause.arm([&] { erase(t); }); },
        [&] { clause.arm([&] { write(t, strings_.present(fresh)); }); });
    return fresh;
}

} // namespace dt::lower
