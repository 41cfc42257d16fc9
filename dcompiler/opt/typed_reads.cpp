// Replaces bpf_probe_read_kernel() and bpf_probe_read_kernel_str() on kernels that are locked down, which refuse both
// helpers.
//
// On a locked-down kernel, three kinds of memory are readable without a helper. Memory of the program itself is copied
// word by word. Members of objects whose type the verifier knows are loaded directly: the current task, arguments of
// typed tracepoints and of functions, and objects that such members point to. On kernels with bpf_rdonly_cast(), a load
// through its result reads any address. Every other read is an error that names the memory.
//
// D programs compute with addresses, but the verifier permits no arithmetic on a pointer to an object. So each such
// pointer has a copy that is a number. Loads use the pointer, and all other code uses the number.
#include "dcompiler/opt/typed_reads.hpp"

#include <algorithm>
#include <map>

#include "dcompiler/ir/analysis.hpp"
#include "dcompiler/ir/bpf.hpp"
#include "dcompiler/opt/passes.hpp"
#include "dcompiler/opt/stack_access.hpp"

namespace dt::opt {

using ir::Instr;
using ir::kNone;
using ir::Mem;
using ir::Op;
using ir::Value;

namespace {

/// Address in a kernel object, if the verifier knows the object's type.
struct Object {
    const Type* type = nullptr; ///< kernel structure to which the object belongs
    /// pointer through which programs load; kNone: it is the current task, and a helper call yields the pointer
    Value pointer = kNone;
    int64_t offset = 0; ///< distance in bytes from `pointer` to the address

    bool operator==(const Object&) const = default;
};

/// Values that words in memory are known to have, by location. A location has two parts. For the stack, the first part
/// is the slot. For memory of a map, it is kOutside plus the value from which the addresses are computed. For words of
/// less than 8 bytes, it also contains the width. The second part is the offset.
using Words = std::map<std::pair<uint64_t, int64_t>, Value>;
constexpr uint64_t kOutside = uint64_t{1} << 32, kWidth = uint64_t{1} << 33;

uint64_t place_of(const Words::value_type& word)
{
    return word.first.first % kWidth;
}

constexpr uint32_t kMaxUnrolledCopy = 1024; // longer objects are copied by a loop
constexpr uint32_t kMaxArrayCopy = 128;     // maximum size of a character array that is copied as a string

class TypedReads {
public:
    TypedReads(ir::Module& module, ir::Function& f, const Type* context, const KernelAccess& kernel)
        : module_(module), f_(f), context_(context), kernel_(kernel), accesses_(module, f), objects_(f.instrs.size())
    {
    }

    void run()
    {
        ir::flow_forward(f_, Words{}, common_words, [this](ir::BlockId block, Words& words) { rewrite(block, words); });
    }

    /// Replaces the load of a number that the function has stored, such as a clause-local variable, by that number.
    void forward_numbers()
    {
        Aliases aliases(f_);
        ir::flow_forward(f_, Words{}, common_words, [&](ir::BlockId block, Words& words) {
            words_ = &words;
            for (const Value v : f_.blocks[block].instrs) {
                const Instr& i = f_.instrs[v];
                if (i.op == Op::Load && i.mem == Mem::None)
                    if (const auto key = word_at(i.a, i.imm, i.width); key && words.contains(*key))
                        aliases[v] = words[*key];
                forget(i);
                if (i.op != Op::Store || f_.instrs[i.b].mem != Mem::None)
                    continue;
                const Value stored = aliases.of(i.b);
                const ir::Range range = f_.instrs[stored].range, whole = ir::range_of_width(i.width, false);
                if (const auto key = word_at(i.a, i.imm, i.width);
                    key && (i.width == 8 || (range.low >= whole.low && range.high <= whole.high)))
                    words[*key] = stored;
            }
        });
        aliases.rename_all();
    }

private:
    static void common_words(Words& words, const Words& other)
    {
        std::erase_if(words, [&](const auto& word) {
            const auto found = other.find(word.first);
            return found == other.end() || found->second != word.second;
        });
    }

    void rewrite(ir::BlockId block, Words& words)
    {
        words_ = &words;
        std::vector<Value> old = std::move(f_.blocks[block].instrs);
        out_.clear();
        phis(old);
        for (const Value v : old) {
            visit(v);
        }
        f_.blocks[block].instrs = std::move(out_);
    }

    Appender code(Value v) { return {f_, out_, f_.instrs[v].at}; }

    const Object* object(Value v) const
    {
        return v != kNone && v < objects_.size() && objects_[v].type ? &objects_[v] : nullptr;
    }
    void set_object(Value v, const Object& object)
    {
        if (objects_.size() <= v)
            objects_.resize(v + 1);
        objects_[v] = object;
    }

    /// At the start of the block, phis join addresses of objects as numbers. Adds phis that join the pointers to these
    /// objects.
    void phis(const std::vector<Value>& instrs)
    {
        for (const Value v : instrs) {
            const Instr& i = f_.instrs[v];
            if (i.op != Op::Phi || i.args.empty() || !object(i.args[0]))
                continue;
            const Object first = *object(i.args[0]);
            note_alternatives(v);
            std::vector<Value> pointers;
            for (const Value arg : i.args)
                if (const Object* const each = object(arg); each && each->type == first.type &&
                                                            each->offset == first.offset &&
                                                            (each->pointer == kNone) == (first.pointer == kNone))
                    pointers.push_back(each->pointer);
            if (pointers.size() != i.args.size())
                continue;
            const Value joined =
                first.pointer == kNone ? kNone : code(v).make({.op = Op::Phi, .mem = Mem::Btf, .args = pointers});
            set_object(v, {first.type, joined, first.offset});
        }
    }

    /// Records that a phi chooses from several addresses in one object.
    void note_alternatives(Value v)
    {
        std::vector<Object> places;
        for (const Value arg : f_.instrs[v].args)
            if (const Object* const each = object(arg);
                each &&
                (places.empty() || (each->type == places.front().type && each->pointer == places.front().pointer)))
                places.push_back(*each);
        if (places.size() == f_.instrs[v].args.size())
            alternatives_[v] = std::move(places);
    }

    void visit(Value v)
    {
        Instr& i = f_.instrs[v];
        if (i.op == Op::Load)
            return load(v);
        if (i.op == Op::CallHelper && i.imm == ir::bpf::kProbeReadKernel)
            return read(v);
        if (i.op == Op::CallHelper && i.imm == ir::bpf::kProbeReadKernelStr)
            return read_text(v);
        out_.push_back(v);
        if (i.op == Op::CallHelper && (i.imm == ir::bpf::kGetCurrentTask || i.imm == ir::bpf::kGetCurrentTaskBtf)) {
            if (const Type* const task = kernel_.members.record("task_struct"))
                set_object(v, {task, i.imm == ir::bpf::kGetCurrentTaskBtf ? v : kNone, 0});
        } else if (i.op == Op::Add || i.op == Op::Sub) {
            move(v);
        }
        forget(i);
        if (i.op == Op::Store && i.width == 8)
            if (const auto word = word_at(i.a, i.imm, 8))
                (*words_)[*word] = i.b;
    }

    /// Address in memory of a map or of a caller's frame, as the sum of a base and an offset. The base is the value
    /// that remains when all additions are removed. The offset is empty if it is not constant.
    struct MapPlace {
        Value base = kNone;
        std::optional<int64_t> offset = 0;
    };
    std::optional<MapPlace> map_place(Value address) const
    {
        const auto is_memory = [this](Value v) {
            return f_.instrs[v].mem == Mem::MapValue || f_.instrs[v].mem == Mem::Stack;
        };
        if (accesses_.place(address) || !is_memory(address))
            return std::nullopt;
        MapPlace place;
        for (;;) {
            const Instr& i = f_.instrs[address];
            place.base = address;
            const bool left = (i.op == Op::Add || i.op == Op::Sub) && is_memory(i.a);
            const bool right = i.op == Op::Add && !left && is_memory(i.b);
            if (!left && !right)
                return place;
            const Instr& step = f_.instrs[left ? i.b : i.a];
            if (step.op != Op::Const)
                place.offset.reset();
            else if (place.offset)
                *place.offset += i.op == Op::Add ? step.imm : -step.imm;
            address = left ? i.a : i.b;
        }
    }

    /// Returns the location of the word at `offset` from an address, as a key of Words. Returns nothing if code that
    /// the pass cannot see may change the word.
    std::optional<Words::key_type> word_at(Value address, int64_t offset, uint8_t width) const
    {
        const uint64_t kind = width == 8 ? 0 : kWidth * width;
        if (const auto place = accesses_.place(address))
            return accesses_.is_non_escaping(place->slot)
                       ? std::optional<Words::key_type>({kind + place->slot, place->offset + offset})
                       : std::nullopt;
        const auto place = map_place(address);
        if (!place || !place->offset)
            return std::nullopt;
        return Words::key_type{kind + kOutside + place->base, *place->offset + offset};
    }

    void move(Value v)
    {
        const Instr& i = f_.instrs[v];
        const bool swapped = i.op == Op::Add && !object(i.a);
        const Object* const base = object(swapped ? i.b : i.a);
        const Instr& step = f_.instrs[swapped ? i.a : i.b];
        if (const auto places = alternatives_.find(swapped ? i.b : i.a);
            places != alternatives_.end() && step.op == Op::Const) {
            std::vector<Object> moved = places->second;
            for (Object& place : moved)
                place.offset += i.op == Op::Add ? step.imm : -step.imm;
            alternatives_[v] = std::move(moved);
        } else if (base && step.op == Op::Const)
            set_object(v, {base->type, base->pointer, base->offset + (i.op == Op::Add ? step.imm : -step.imm)});
        else if (const auto origin = origins_.find(swapped ? i.b : i.a); origin != origins_.end())
            origins_[v] = std::string(origin->second);
    }

    /// Discards the known values of words that an instruction may change. A helper that reads kernel memory changes
    /// only its destination.
    void forget(const Instr& i)
    {
        const bool is_read =
            i.op == Op::CallHelper && (i.imm == ir::bpf::kProbeReadKernel || i.imm == ir::bpf::kProbeReadKernelStr);
        forget_outside(i, is_read);
        for (const StackAccess& access : accesses_.of(i))
            if (access.kind != StackAccess::Kind::Reads && (!is_read || access.kind != StackAccess::Kind::MayDoBoth))
                std::erase_if(*words_, [&](const auto& word) {
                    return place_of(word) == access.bytes.slot && word.first.second < access.bytes.high &&
                           word.first.second + 8 > access.bytes.low;
                });
    }

    static bool is_only_read(const ir::HelperEffects& helper, std::size_t argument)
    {
        return std::any_of(helper.reads.begin(), helper.reads.end(), [&](const ir::HelperAccess& access) {
            return access.size != ir::HelperAccess::Size::None && access.pointer == argument;
        });
    }

    /// Returns whether an argument of the call is an address that is computed from `base`.
    bool is_passed(const Instr& call, Value base) const
    {
        return std::any_of(call.args.begin(), call.args.end(), [&](Value argument) {
            const auto place = map_place(argument);
            return place && place->base == base;
        });
    }

    /// Returns how many bytes a call may access at an address, if that is known.
    std::optional<int64_t> bytes_at(Value address) const
    {
        const uint32_t region = f_.instrs[address].region;
        return region != 0 ? std::optional<int64_t>(region) : std::nullopt;
    }

    /// For words in maps and in frames of callers: discards the known values that an instruction may change.
    void forget_outside(const Instr& i, bool is_read)
    {
        if (i.op == Op::Store)
            return forget_at(map_place(i.a), i.imm, i.width);
        if (is_read) {
            const Instr& size = f_.instrs[i.args[1]];
            return forget_at(map_place(i.args[0]), 0,
                             size.op == Op::Const ? std::optional<int64_t>(size.imm) : std::nullopt);
        }
        if (i.op == Op::CallLocal)
            std::erase_if(*words_, [&](const auto& word) {
                const auto base = static_cast<Value>(place_of(word) - kOutside);
                return place_of(word) >= kOutside && (!is_callers_frame(base) || is_passed(i, base));
            });
        const ir::HelperEffects* const row = ir::effects(i);
        for (std::size_t n = 0; n < i.args.size(); ++n)
            if (!(row && is_only_read(*row, n)))
                forget_at(map_place(i.args[n]), 0, bytes_at(i.args[n]));
        if (i.a != kNone && ir::has(i.op, ir::kEffect))
            forget_at(map_place(i.a), 0, bytes_at(i.a));
    }

    /// Returns whether an address is the frame that a function with some of the clauses gets from its caller. The frame
    /// is on the caller's stack, and no other address in the function points to it.
    bool is_callers_frame(Value address) const
    {
        const Instr& i = f_.instrs[address];
        const Instr& given = i.op == Op::NonNull ? f_.instrs[i.a] : i;
        return !f_.context_type.empty() && given.op == Op::Param && given.imm == 1;
    }

    /// Discards the known values of words that a write to memory may change. `size` is the number of bytes written, if
    /// it is constant. Different addresses in the same kind of memory may denote the same word.
    void forget_at(const std::optional<MapPlace>& place, int64_t offset, std::optional<int64_t> size)
    {
        if (!place)
            return;
        std::erase_if(*words_, [&](const auto& word) {
            if (place_of(word) < kOutside)
                return false;
            const auto base = static_cast<Value>(place_of(word) - kOutside);
            if (base != place->base)
                return f_.instrs[base].mem == f_.instrs[place->base].mem &&
                       is_callers_frame(base) == is_callers_frame(place->base);
            const int64_t low = place->offset.value_or(0) + offset;
            return !place->offset || !size || (word.first.second < low + *size && word.first.second + 8 > low);
        });
    }

    /// Splits a pointer to an object in two: a new value is the pointer for loads, and `v` itself becomes a number.
    void split(Value v, const Type* type)
    {
        const Instr before = f_.instrs[v];
        const Value pointer =
            code(v).make({.op = Op::Load, .width = 8, .mem = Mem::Btf, .a = before.a, .imm = before.imm});
        number_of(pointer, v);
        set_object(v, {type, pointer, 0});
    }

    /// Makes `v` an ordinary number equal to the address in `pointer`, so that programs can compute with it.
    void number_of(Value pointer, Value v)
    {
        const Value swapped = code(v).make({.op = Op::BSwap, .width = 8, .a = pointer});
        const Span at = f_.instrs[v].at;
        f_.instrs[v] = {.op = Op::BSwap, .width = 8, .a = swapped, .at = at};
        out_.push_back(v);
    }

    void load(Value v)
    {
        const Instr& i = f_.instrs[v];
        const Instr& base = f_.instrs[i.a];
        if (base.op == Op::Param && base.mem == Mem::Context && context_ && i.width == 8 && i.imm % 8 == 0 &&
            i.mem == Mem::None) {
            const auto index = static_cast<std::size_t>(i.imm / 8);
            if (index < context_->parameters.size())
                if (const Type* const target = kernel_.members.pointed_to(context_->parameters[index]))
                    return split(v, target);
        }
        out_.push_back(v);
        if (i.width != 8)
            return;
        if (const auto key = word_at(i.a, i.imm, 8)) {
            const auto word = words_->find(*key);
            if (word == words_->end())
                return;
            if (const auto places = alternatives_.find(word->second); places != alternatives_.end())
                alternatives_[v] = std::vector<Object>(places->second);
            if (const Object* const known = object(word->second))
                set_object(v, Object(*known));
            if (const auto origin = origins_.find(word->second); origin != origins_.end())
                origins_[v] = std::string(origin->second);
        } else if (const Object* const from = object(i.a); from && i.mem == Mem::Btf) {
            const auto member = kernel_.members.access(from->type, from->offset + i.imm, 8);
            if (member && member->target)
                set_object(v, {member->target, v, 0});
        }
    }

    // ---- replacement of helper calls that read kernel memory ---------------------------------------------------

    void read(Value v)
    {
        const Instr call = f_.instrs[v];
        const Value to = call.args[0], from = call.args[2];
        const Instr& size = f_.instrs[call.args[1]];
        const bool may_be_null = f_.instrs[from].mem == Mem::MapOrNull;
        const bool is_own = f_.instrs[from].mem == Mem::MapValue || f_.instrs[from].mem == Mem::Stack;
        forget(call);
        if (may_be_null || (is_own && (size.op != Op::Const || size.imm > kMaxUnrolledCopy)))
            return copy_by_loop(v);
        if (size.op == Op::Const && is_own)
            return copy_own(v, to, from, static_cast<uint32_t>(size.imm));
        if (size.op == Op::Const && object(from) && copy_object(v, to, *object(from), size.imm))
            return;
        if (size.op == Op::Const && object(from) && copy_of_tcp_socket(v, to, *object(from), size.imm))
            return;
        if (size.op == Op::Const && alternatives_.contains(from) && copy_alternative(v, to, from, size.imm))
            return;
        if (size.op == Op::Const && size.imm == 1 && read_character(v, to, from))
            return;
        if (size.op == Op::Const && kernel_.readable_cast != 0 && size.imm <= kMaxUnrolledCopy)
            return copy_anywhere(v, to, from, static_cast<uint32_t>(size.imm));
        refuse(v, from);
    }

    void result_is(Value v, const Instr& result)
    {
        const Span at = f_.instrs[v].at;
        f_.instrs[v] = result;
        f_.instrs[v].at = at;
        out_.push_back(v);
    }
    void succeed(Value v) { result_is(v, {.op = Op::Const, .range = {0, 0}}); }
    /// Turns `v` into -1 if the number is less than the bound, else into 0.
    void fail_below(Value v, Value number, int64_t bound)
    {
        const Value zero = code(v).constant(0), most = code(v).constant(bound);
        const Value below = code(v).make({.op = Op::ULt, .range = {0, 1}, .a = number, .b = most});
        result_is(v, {.op = Op::Sub, .a = zero, .b = below});
    }

    /// Returns the widest access that the verifier accepts at an offset from an address. If the address is on the
    /// stack, the access must be aligned.
    uint8_t width_at(Value address, int64_t offset, int64_t left) const
    {
        const auto place = accesses_.place(address);
        const bool is_stack = f_.instrs[address].mem == Mem::Stack;
        const int64_t at = place ? place->offset + offset : offset;
        for (const uint8_t width : {8, 4, 2})
            if (width <= left && (!is_stack || (place && at % width == 0)))
                return width;
        return 1;
    }

    void store(Value v, uint8_t width, Value to, int64_t offset, Value value)
    {
        code(v).make({.op = Op::Store, .width = width, .a = to, .b = value, .imm = offset});
    }
    Value load_from(Value v, uint8_t width, Value from, int64_t offset, Mem yields = Mem::None)
    {
        return code(v).make({.op = Op::Load,
                             .width = width,
                             .mem = yields,
                             .range = ir::range_of_width(width, false),
                             .a = from,
                             .imm = offset});
    }
    Value plain_number(Value v, Value pointer)
    {
        const Value swapped = code(v).make({.op = Op::BSwap, .width = 8, .a = pointer});
        return code(v).make({.op = Op::BSwap, .width = 8, .a = swapped});
    }

    bool is_zeros(Value from) const
    {
        const Instr& i = f_.instrs[from];
        if (i.op != Op::DataAddr || module_.data[static_cast<std::size_t>(i.imm)].section != ".rodata")
            return false;
        const auto& bytes = module_.data[static_cast<std::size_t>(i.imm)].bytes;
        return std::all_of(bytes.begin(), bytes.end(), [](uint8_t byte) { return byte == 0; });
    }

    void copy_own(Value v, Value to, Value from, uint32_t size)
    {
        const bool zeros = is_zeros(from);
        const Value zero = zeros ? code(v).constant(0) : kNone;
        const auto source = accesses_.place(from);
        for (uint32_t at = 0; at < size;) {
            const uint8_t width = zeros ? width_at(to, at, size - at)
                                        : std::min(width_at(to, at, size - at), width_at(from, at, size - at));
            Value word = zeros ? zero : load_from(v, width, from, at);
            // for the verifier, a pointer that is stored on the stack and loaded again is still a pointer, so the code
            // converts it to a number
            if (source && width == 8) {
                const auto known = words_->find({source->slot, source->offset + at});
                if (known != words_->end() && f_.instrs[known->second].mem != Mem::None)
                    word = plain_number(v, word);
            }
            store(v, width, to, at, word);
            at += width;
        }
        succeed(v);
    }

    /// Copies bytes of an object member by member. Returns false if the verifier does not permit the loads. `from` is a
    /// copy, because set_object() moves objects in memory.
    bool copy_object(Value v, Value to, Object from, int64_t size)
    {
        struct Piece {
            int64_t at;
            uint8_t width;
            std::optional<MemberAccess> member; // member with the bytes; empty if they are padding
        };
        std::vector<Piece> pieces;
        for (int64_t at = 0; at < size; at += pieces.back().width) {
            Piece piece{at, 0, {}};
            for (uint8_t width = width_at(to, at, size - at); width != 0 && !piece.member; width /= 2) {
                piece.width = width;
                piece.member = kernel_.members.access(from.type, from.offset + at, width);
            }
            if (!piece.member && !kernel_.members.is_padding(from.type, from.offset + at))
                return false;
            pieces.push_back(piece);
        }
        const Value pointer =
            from.pointer != kNone
                ? from.pointer
                : code(v).make({.op = Op::CallHelper, .mem = Mem::Btf, .imm = ir::bpf::kGetCurrentTaskBtf});
        for (const Piece& piece : pieces) {
            Value word = piece.member ? load_from(v, piece.width, pointer, from.offset + piece.at,
                                                  piece.member->target ? Mem::Btf : Mem::None)
                                      : code(v).constant(0);
            if (piece.member && piece.member->target) {
                const Value loaded = word;
                word = plain_number(v, loaded);
                set_object(word, {piece.member->target, loaded, 0});
            }
            store(v, piece.width, to, piece.at, word);
            if (const auto key = word_at(to, piece.at, 8); key && piece.width == 8) {
                (*words_)[*key] = word;
                if (piece.member && !piece.member->target)
                    origins_[word] = kernel_.members.name_at(from.type, from.offset + piece.at);
            }
        }
        if (from.pointer == kNone)
            succeed(v);
        else
            fail_below(v, plain_number(v, pointer), 1);
        return true;
    }

    /// Copies members of a TCP socket that lie behind its first part, struct sock. Returns false if the object is not a
    /// TCP socket.
    bool copy_of_tcp_socket(Value v, Value to, Object from, int64_t size)
    {
        const Type* const whole = kernel_.members.record("tcp_sock");
        if (!whole || from.type->name != "sock" || from.pointer == kNone)
            return false;
        const int64_t width = width_at(to, 0, size);
        for (int64_t at = 0; at < size; at += width)
            if (size % width != 0 || !kernel_.members.access(whole, from.offset + at, static_cast<uint32_t>(width)))
                return false;
        for (int64_t at = 0; at < size; at += width) {
            const Value offset = code(v).constant(from.offset + at), bytes = code(v).constant(width);
            store(
                v, static_cast<uint8_t>(width), to, at,
                code(v).make({.op = Op::CallRuntime, .args = {from.pointer, offset, bytes}, .name = "dt_tcp_member"}));
        }
        succeed(v);
        return true;
    }

    /// Copies from one of several positions in an object; which one is only known at run time. The code loads from all
    /// positions, and so needs no branch. A position that the verifier does not permit is unreadable. Returns false if
    /// it permits none.
    bool copy_alternative(Value v, Value to, Value from, int64_t size)
    {
        const uint8_t width = width_at(to, 0, size);
        std::vector<Object> places = alternatives_.at(from);
        std::erase_if(places, [&](const Object& place) {
            for (int64_t at = 0; at < size; at += width)
                if (size % width != 0 || !kernel_.members.access(place.type, place.offset + at, width))
                    return true;
            return place.pointer == kNone;
        });
        if (places.empty())
            return false;
        const Value number = plain_number(v, places.front().pointer);
        std::vector<Value> is_it;
        for (const Object& place : places) {
            const Value offset = code(v).constant(place.offset);
            const Value address = code(v).make({.op = Op::Add, .a = number, .b = offset});
            is_it.push_back(code(v).make({.op = Op::Eq, .range = {0, 1}, .a = from, .b = address}));
        }
        for (int64_t at = 0; at < size; at += width) {
            Value word = code(v).constant(0);
            for (std::size_t i = 0; i < places.size(); ++i) {
                const Value loaded = load_from(v, width, places[i].pointer, places[i].offset + at);
                const Value chosen = code(v).make({.op = Op::Mul, .a = loaded, .b = is_it[i]});
                word = code(v).make({.op = Op::Or, .a = word, .b = chosen});
            }
            store(v, width, to, at, word);
        }
        Value is_any = code(v).constant(0);
        for (const Value one : is_it)
            is_any = code(v).make({.op = Op::Or, .a = is_any, .b = one});
        const Value one = code(v).constant(1);
        result_is(v, {.op = Op::Sub, .a = is_any, .b = one}); // 0 or, as after a failed read, -1
        return true;
    }

    /// An address in an array of an object, as the sum of one element's address and a number.
    struct Element {
        Object array;
        Value index;
    };
    std::optional<Element> element(Value address) const
    {
        int64_t moved = 0;
        for (Value index = kNone;;) {
            if (const Object* const known = object(address); known && index != kNone)
                return Element{{known->type, known->pointer, known->offset + moved}, index};
            const Instr& i = f_.instrs[address];
            if (i.op != Op::Add)
                return std::nullopt;
            const Instr& left = f_.instrs[i.a];
            const Instr& right = f_.instrs[i.b];
            if (left.op == Op::Const || right.op == Op::Const) {
                moved += left.op == Op::Const ? left.imm : right.imm;
                address = left.op == Op::Const ? i.b : i.a;
                continue;
            }
            const bool is_left = object(i.a) || (!object(i.b) && left.op == Op::Add);
            if (index != kNone)
                return std::nullopt;
            index = is_left ? i.b : i.a;
            address = is_left ? i.a : i.b;
        }
    }

    /// Reads one character of an array in an object, at an index that is not constant. The verifier permits no load
    /// there, so the code copies the whole array.
    bool read_character(Value v, Value to, Value from)
    {
        const auto found = element(from);
        const int64_t characters =
            found ? kernel_.members.characters_at(found->array.type, found->array.offset) : int64_t{0};
        if (characters <= 0 || characters > kMaxArrayCopy)
            return false;
        const Value copy = array_copy(v, found->array, characters), most = code(v).constant(characters);
        const Value character =
            code(v).make({.op = Op::CallRuntime, .args = {copy, found->index, most}, .name = "dt_character"});
        store(v, 1, to, 0, character);
        succeed(v);
        return true;
    }

    void copy_anywhere(Value v, Value to, Value from, uint32_t size)
    {
        const Value readable =
            code(v).make({.op = Op::Readable, .mem = Mem::Btf, .a = from, .imm = kernel_.readable_cast});
        for (uint32_t at = 0; at < size;) {
            const uint8_t width = width_at(to, at, size - at);
            store(v, width, to, at, load_from(v, width, readable, at));
            at += width;
        }
        fail_below(v, from, kFirstPage);
    }

    // ---- replacement of helper calls by loops of bpf-runtime ---------------------------------------------------

    /// Returns the number of bytes from an address to the end of its memory, in the program's own memory. Returns 0 if
    /// it is unknown.
    int64_t room_behind(Value address) const
    {
        for (int64_t passed = 0;;) {
            const Instr& i = f_.instrs[address];
            if (i.op == Op::NonNull) {
                address = i.a;
                continue;
            }
            const bool left = (i.op == Op::Add || i.op == Op::Sub) && f_.instrs[i.a].mem != Mem::None;
            const bool right = i.op == Op::Add && !left && f_.instrs[i.b].mem != Mem::None;
            if (!left && !right)
                return i.region > passed ? i.region - passed : 0;
            const Instr& step = f_.instrs[left ? i.b : i.a];
            if (step.op != Op::Const)
                return i.region;
            passed += i.op == Op::Add ? step.imm : -step.imm;
            address = left ? i.a : i.b;
        }
    }

    void copy_by_loop(Value v)
    {
        const Instr call = f_.instrs[v];
        const int64_t rooms[] = {room_behind(call.args[0]), room_behind(call.args[2])};
        const Instr& size = f_.instrs[call.args[1]];
        int64_t most = size.op == Op::Const ? size.imm : INT32_MAX;
        for (const int64_t room : rooms)
            if (room != 0)
                most = std::min(most, room);
        const Value limit = code(v).constant(most);
        result_is(
            v, {.op = Op::CallRuntime, .args = {call.args[0], call.args[1], call.args[2], limit}, .name = "dt_copy"});
    }

    void read_text(Value v)
    {
        const Instr call = f_.instrs[v];
        const Value from = call.args[2];
        const Mem mem = f_.instrs[from].mem;
        forget(call);
        if (mem == Mem::MapValue || mem == Mem::MapOrNull || mem == Mem::Stack)
            return copy_text(v, call, from, room_behind(from));
        const Object* const known = object(from);
        const int64_t characters = known ? kernel_.members.characters_at(known->type, known->offset) : int64_t{0};
        if (characters > 0 && characters <= kMaxArrayCopy) {
            const Value copy = array_copy(v, *known, characters);
            return copy_text(v, call, copy, characters + 1);
        }
        if (kernel_.readable_cast != 0 && text_from_anywhere(v, call, from))
            return;
        refuse(v, from);
    }

    /// Copies a character array of an object to the destination and appends a NUL.
    Value array_copy(Value v, Object from, int64_t characters)
    {
        const auto size = static_cast<uint32_t>((characters + 8) / 8 * 8);
        const auto [slot, is_new] = copies_.try_emplace(size, static_cast<uint32_t>(f_.slots.size()));
        if (is_new)
            f_.slots.push_back({.size = size});
        const Value copy = code(v).make({.op = Op::StackAddr, .mem = Mem::Stack, .region = size, .imm = slot->second});
        const Value pointer =
            from.pointer != kNone
                ? from.pointer
                : code(v).make({.op = Op::CallHelper, .mem = Mem::Btf, .imm = ir::bpf::kGetCurrentTaskBtf});
        int64_t at = 0;
        for (; at + 8 <= characters; at += 8)
            store(v, 8, copy, at, load_from(v, 8, pointer, from.offset + at));
        store(v, 8, copy, size - 8, code(v).constant(0));
        for (; at < characters; ++at)
            store(v, 1, copy, at, load_from(v, 1, pointer, from.offset + at));
        return copy;
    }

    void copy_text(Value v, const Instr& call, Value from, int64_t room)
    {
        const Instr& size = f_.instrs[call.args[1]];
        int64_t most = room_behind(call.args[0]);
        if (size.op == Op::Const)
            most = most != 0 ? std::min(most, size.imm) : size.imm;
        const Value limit = code(v).constant(room != 0 ? room : most), bound = code(v).constant(most);
        result_is(
            v,
            {.op = Op::CallRuntime, .args = {call.args[0], call.args[1], from, bound, limit}, .name = "dt_copy_text"});
    }

    /// Copies as many bytes as the destination has, and ends the string at its first NUL. Bytes of unreadable memory
    /// are zeros.
    bool text_from_anywhere(Value v, const Instr& call, Value from)
    {
        const Instr& size = f_.instrs[call.args[1]];
        const int64_t most = size.op == Op::Const ? size.imm : room_behind(call.args[0]);
        if (most <= 0 || most > kMaxUnrolledCopy)
            return false;
        const Value readable =
            code(v).make({.op = Op::Readable, .mem = Mem::Btf, .a = from, .imm = kernel_.readable_cast});
        for (int64_t at = 0; at < most;) {
            const uint8_t width = width_at(call.args[0], at, most - at);
            store(v, width, call.args[0], at, load_from(v, width, readable, at));
            at += width;
        }
        const Value limit = code(v).constant(most);
        result_is(v, {.op = Op::CallRuntime, .args = {call.args[0], call.args[1], limit, from}, .name = "dt_end_text"});
        return true;
    }

    void refuse(Value v, Value from)
    {
        std::string name;
        if (const Object* const known = object(from))
            name = kernel_.members.name_at(known->type, known->offset);
        else if (const auto origin = origins_.find(from); origin != origins_.end())
            name = "the memory that " + origin->second + " points to";
        kernel_.refuse(f_.instrs[v].at, name);
        succeed(v);
    }

    static constexpr int64_t kFirstPage = 4096; // neither programs nor the kernel use addresses below this one

    ir::Module& module_;
    ir::Function& f_;
    const Type* context_; ///< type of the traced function, whose arguments are in the context; may be null
    const KernelAccess& kernel_;
    StackAccesses accesses_;
    std::vector<Object> objects_; // indexed by IR value
    // for an address that may be one of several positions in an object: these positions
    std::map<Value, std::vector<Object>> alternatives_;
    // for a number that was read from a member of an object: the member's name
    std::map<Value, std::string> origins_;
    // for each size, the stack slot for copies of character arrays; all copies use it, because each is used immediately
    std::map<uint32_t, uint32_t> copies_;
    Words* words_ = nullptr;
    std::vector<Value> out_;
};

/// Returns, for each function, the function type whose parameters are the words of its context. A function that
/// programs of different sections call has none.
std::vector<const Type*> contexts_of(const ir::Module& module, ObjectMembers& members)
{
    std::vector<const Type*> contexts(module.functions.size(), nullptr);
    std::vector<bool> is_known(module.functions.size(), false);
    for (std::size_t i = 0; i < contexts.size(); ++i)
        if (!module.functions[i].section.empty()) {
            contexts[i] = members.prototype(module.functions[i].section);
            is_known[i] = true;
        }
    for (bool again = true; again;) {
        again = false;
        for (std::size_t i = 0; i < contexts.size(); ++i)
            for (const ir::Block& block : module.functions[i].blocks)
                for (const Value v : block.instrs) {
                    const Instr& call = module.functions[i].instrs[v];
                    if (!is_known[i] || call.op != Op::CallLocal || call.args.empty() ||
                        module.functions[i].instrs[call.args[0]].mem != Mem::Context)
                        continue;
                    const auto callee = static_cast<std::size_t>(call.imm);
                    if (is_known[callee] && contexts[callee] != contexts[i] && contexts[callee]) {
                        contexts[callee] = nullptr;
                        again = true;
                    } else if (!is_known[callee]) {
                        contexts[callee] = contexts[i];
                        is_known[callee] = again = true;
                    }
                }
    }
    return contexts;
}

} // namespace

void replace_kernel_reads(ir::Module& module, const KernelAccess& kernel)
{
    // Folds constants first. The object that a translator reads may depend on a constant from the provider. Translators
    // store their input in clause-local variables, whose values may in turn determine an object.
    constexpr uint32_t kEverywhere = UINT32_MAX;
    constexpr int kNesting = 4; // the passes repeat; their number limits how deep translators and inlines may be nested
    for (ir::Function& f : module.functions) {
        remove_unreachable(f);
        for (int i = 0; i < kNesting; ++i) {
            fold(f);
            simplify_branches(f);
            remove_unreachable(f);
            fold(f);
            TypedReads(module, f, nullptr, kernel).forward_numbers();
        }
        // equal arguments must be the same value; otherwise the pass takes them for different objects
        common_subexpressions(f, kEverywhere);
        fold(f);
        simplify_branches(f);
        fold(f);
    }
    const std::vector<const Type*> contexts = contexts_of(module, kernel.members);
    for (std::size_t i = 0; i < contexts.size(); ++i)
        TypedReads(module, module.functions[i], contexts[i], kernel).run();
}

} // namespace dt::opt
