// Lowering of one statement (a clause under one description) into the function under construction.
//
// A statement is lowered twice: once into a throw-away function to learn what it needs (bytes of sample and scratch, whether it can
// fault), then for real. So nothing is claimed, cleared or reserved that is not used, and no size is guessed.
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "dcompiler/lower/groups.hpp"
#include "dcompiler/lower/hooks.hpp"
#include "dcompiler/lower/module.hpp"
#include "dcompiler/lower/operand.hpp"

namespace dt::lower {

/// DTRACEFLT_* codes that compiled code raises (language reference 8.3).
enum Fault : uint32_t {
    kFaultBadAddress = 1,
    kFaultIllegalOperation = 3,
    kFaultDivideByZero = 4,
    kFaultNoScratch = 5,
    kFaultBadStack = 9,
    kFaultBadSize = 10,
    kFaultBadIndex = 11,
};

/// What measuring a statement found out.
struct Needs {
    bool measured = false;    ///< this is known, not yet to be found out
    uint32_t sample = 0;      ///< bytes of struct dt_sample and data; 0: emits none
    uint32_t temporaries = 0; ///< bytes of scratch beyond the sample
    bool scratch = false;     ///< uses the slot at all
    bool area = false;        ///< uses memory of alloca() or copyin(), or pointers to it
    bool predicate_scratch = false;
    bool faults = false;
    std::size_t instructions = 0;              ///< of IR, roughly
    std::map<const TStmt*, std::size_t> sizes; ///< the same of each D statement
};

/// What the functions of a firing share: on the stack of its program, reached by its subprograms through a pointer. Numbers only, because
/// the kernel lets no pointer through memory into a function that it verifies apart.
struct FrameLayout {
    static constexpr uint32_t kSlot = 0;  ///< 1 + number of the claimed scratch slot, or 0; unused with Context::slot_cell
    static constexpr uint32_t kFault = 8; ///< arg0..arg5 of ERROR: 0, probe, statement, pc, code, value
    static constexpr uint32_t kThis = 56; ///< this-> scalars
};

/// The stack of a function beyond the frame, reused by one D statement after the other: one slot for temporaries, taken and given back in
/// order, and one for samples.
struct StackPool {
    uint32_t temporaries = ir::kNone;
    uint32_t used = 0; ///< bytes of it
    uint32_t sample = ir::kNone;
};

/// What a program knows of the beginning of what ended (AttachPlan::beginning), in the frame behind the this-> scalars.
struct SpanWords {
    static constexpr uint32_t kNoted = 0, kElapsed = 1, kCount = 3;
};

/// The function statements are lowered into.
struct FunctionContext {
    ir::Builder* b = nullptr;
    ir::Value context = ir::kNone; ///< the BPF context
    ir::Value frame = ir::kNone;   ///< address of the frame
    /// Where the pointer to the scratch slot, or 0, is kept, in a program that nobody else claims a slot for; else the frame has its number.
    ir::Value slot_cell = ir::kNone;
    ir::Value ecb = ir::kNone;     ///< dt_ecb of the firing probe, when the group has several
    ir::BlockId done = 0;          ///< leaves the program: release, return
    std::vector<ir::Value> span{}; ///< SpanWords as values, where this function has found them out
    uint32_t calls = 0;            ///< BPF functions between the program and this one
    StackPool stack{};
};

/// That function, and what is the same in all functions of a program.
struct Context : FunctionContext {
    Context(ModuleLowering& into, ir::Builder& builder, const AttachPlan* of, const Probe* probe)
        : module(into), plan(of), shape(probe), in_error(of && of->kind == ProgramKind::FaultCall)
    {
        b = &builder;
    }

    ModuleLowering& module;
    const AttachPlan* plan = nullptr;       ///< how it is hooked; null: a fault is reported that no ERROR clause hears of
    const Probe* shape = nullptr;           ///< a probe of the plan; null likewise
    std::optional<uint32_t> error_function; ///< reports a fault and runs the ERROR clauses; parameters: context, frame
    bool in_error = false;
};

/// How a clause too long for one function is spread over several: `add` makes one, lets `body` fill it and calls it from the function the
/// clause begins in. Returns what the call returns; a part that ends the firing returns kDone.
struct Parts {
    enum Result : int64_t { kOn, kDone, kClauseEnds, kNo }; ///< kNo: the condition tested there is false
    std::function<ir::Value(const std::function<void(const FunctionContext&)>& body)> add;
    std::size_t budget = 0; ///< IR instructions of one, about
};

/// Whether a firing of the statement sends a sample to the consumer.
bool emits_sample(const Statement& statement);
/// Whether which records its sample has is known only when it fires.
bool has_guarded_records(const Statement& statement);

class ClauseLowering {
public:
    ClauseLowering(Context& context, const Statement& statement, const Needs& needs);

    /// Emits predicate, body and sample; control falls through to `next`, which the caller then enters.
    void lower(ir::BlockId next);
    /// The same for a long clause, whose needs say that it has a scratch slot.
    void lower_in_parts(const Parts& parts, ir::BlockId next);
    /// Bytes of temporaries that it then needs more.
    static constexpr uint32_t kPartsScratch = 16;

    /// After a measuring run.
    Needs measured() const { return measured_; }
    StatementSchema& schema() { return schema_; }

    // ---- expressions (expressions.cpp, conditions.cpp, arithmetic.cpp)
    Operand expression(const TExpr& e);
    Operand evaluate(const TExpr& e); ///< expression() without giving temporaries back
    ir::Value value(const TExpr& e);  ///< expression() of a number
    void condition(const TExpr& e, ir::BlockId yes, ir::BlockId no);
    ir::Value truth(const TExpr& e); ///< 0 or 1
    ir::Value narrow(ir::Value v, const Type* type);
    ir::Value arithmetic(TOp op, ir::Value left, ir::Value right, bool is_signed, int64_t scale);
    Operand conditional(const TExpr& e);
    ir::Value objects_differ(const TExpr& left, const TExpr& right); ///< structs or stacks; 0: equal, byte by byte
    Operand stack_value(const TExpr& e);
    void text_or_null(const TExpr& e, ir::Value buffer, uint32_t size, ir::BlockId join, std::vector<ir::Value>& results);
    void text_or_null(Operand from, ir::Value buffer, uint32_t size, ir::BlockId join, std::vector<ir::Value>& results, const Span& at);
    Operand own_copy(const Operand& from, const Span& at);

    // ---- memory (memory.cpp)
    /// An lvalue in memory: deref, member, index, symbol, struct variables.
    struct Place {
        ir::Value address = ir::kNone;
        int64_t offset = 0;
        ir::Mem mem = ir::Mem::Kernel;
        const Type* type = nullptr;
        const Member* bits = nullptr; ///< a bit-field
        uint32_t size = 0;            ///< room, for MapValue and Stack
        bool scratch = false;
        ir::Value origin = ir::kNone; ///< the pointer that was followed: 0 in it is what a NULL fault reports
    };
    Place place(const TExpr& e, bool write = false);
    Place character(const TExpr& e);
    Operand load(const Place& place, const Span& at);
    uint32_t object_size(const Type* real) const;
    ir::Value extend_bits(ir::Value v, uint32_t start, uint32_t width, const Type* type);
    void store(const Place& place, const Operand& operand, const Span& at);
    /// Copies `size` bytes at `place` to dst (loadable memory); faults when they cannot be read.
    void copy_bytes(const Place& place, ir::Value dst, int64_t dst_offset, uint32_t size);
    void zero(ir::Value dst, int64_t offset, uint32_t size);
    void copy(ir::Value src, int64_t src_offset, ir::Value dst, int64_t dst_offset, uint32_t size); ///< loadable to loadable

    // ---- strings (strings.cpp)
    /// The string's text into dst, at most `size` bytes with its NUL. With `pad` every byte after the text is 0 (hash keys).
    void text_into(const TExpr& e, ir::Value dst, int64_t offset, uint32_t size, bool pad);
    void text_into(const Operand& text, ir::Value dst, int64_t offset, uint32_t size, bool pad, const Span& at);
    Operand text(const TExpr& e); ///< an operand that stays valid until the statement ends
    Operand loadable_text(const Operand& text, const Span& at);
    ir::Value compare_text(const TExpr& e); ///< 0 or 1
    ir::Value is_zero_address(ir::Op op, ir::Value address);
    Operand present(Operand text);
    ir::Value is_null_text(const TExpr& e);
    uint32_t text_size(const Type* type) const;
    /// Where the subroutine being lowered puts the text it makes: the place its caller wants it, else a temporary. `size` in: wanted,
    /// out: granted. The subroutine must leave what follows the text's NUL as it is: it may be a hash key's padding.
    ir::Value text_buffer(uint32_t& size, ir::Mem& mem);
    ir::Value text_temporary(uint32_t size, ir::Mem& mem);
    /// The same for a runtime function: a map value of at least `size` bytes at a multiple of 8. Without `exact` the function may also
    /// write beyond the text, within `size`.
    ir::Value text_result(uint32_t size, bool exact);
    ir::Value interior(ir::Value base, int64_t offset, uint32_t region);
    ir::Value address_number(const Operand& from);     ///< the address of text or bytes, for arithmetic that the verifier must not see
    ir::Value at_most(ir::Value size, uint32_t limit); ///< the smaller, unsigned; the verifier knows
    ir::Value text_order(const Operand& left, const Operand& right, const Span& at);
    ir::Value present_order(const Operand& left, const Operand& right, const Span& at);
    ir::Value equals_literal(const TExpr& e, const Operand& left, const std::string& literal);
    ir::Value differs_from_literal(const Operand& other, const std::string& literal);
    ir::Value order_to_truth(ir::Value order, TOp op);

    // ---- scratch memory of the program (scratch.cpp)
    /// Base address, as a number, of what alloca() and copyin() give out in this firing.
    ir::Value area_address();
    /// The same as a pointer; how many bytes of it are given out, and can be at most.
    ir::Value area();
    ir::Value area_used();
    uint32_t area_most();
    bool has_area() { return area_most() != 0; }
    /// Faults unless `size` (a number) bytes at the scratch address are given out; returns their offset in area(), at most area_most().
    ir::Value area_offset(ir::Value address, ir::Value size);
    /// Takes `size` bytes (a number) of the area; returns their offset in area().
    ir::Value allocate(ir::Value size);
    /// The place itself or, if it is reached through a scratch pointer, where it is in memory that can be loaded and stored. What else
    /// a scratch pointer may point to (D arrays, strings) can be read like kernel memory.
    Place checked(const Place& place, uint32_t size, bool write = false);
    /// Faults unless a scratch pointer that points into the area has `size` bytes there.
    void check_in_area(ir::Value address, ir::Value size);
    /// The text at a scratch pointer: it ends where the memory does.
    Operand scratch_text(ir::Value address, uint32_t size);
    ir::Value array_element(ir::Value address, uint32_t size);

    // ---- variables (variables.cpp)
    /// A D variable with its key evaluated: once, however often it is then read and written.
    struct Target {
        const Variable* variable = nullptr;
        ir::Value key = ir::kNone; ///< address of the key tuple, for associative arrays
    };
    Target target(const TExpr& e);
    Operand read(const Target& target);
    void write(const Target& target, const Operand& operand, const Span& at);
    void erase(const Target& target);
    void free_self_storage(ir::Value storage);
    ir::Value forget_value(ir::Value v);
    Place variable_place(const Target& target, bool write);
    ir::Value make_element(uint32_t map, ir::Value key, ir::Value found, uint32_t size);
    void write_number_element(const Target& target, ir::Value number);
    void write_element(const Target& target, const Operand& operand, uint32_t room, const Span& at);
    Operand assign_nullable(const Target& target, Operand fresh, const Span& at);
    Operand read_variable(const TExpr& e) { return read(target(e)); }
    Operand assign(const TExpr& e);
    Operand compound(const TExpr& e, const Operand& old, ir::Value right);
    ir::Value stored(ir::Value v, const TExpr& left);
    /// Writes a tuple of values, each at the next multiple of `align`, to dst.
    void tuple_into(const std::vector<TExpr*>& keys, const std::vector<const Type*>& types, ir::Value dst, int64_t offset);
    void characters_into(const Place& from, ir::Value dst, int64_t offset, uint32_t size);
    void key_into(const TExpr& e, const Type* type, ir::Value dst, int64_t offset, uint32_t size);

    // ---- builtins (builtin_variables.cpp, subroutines.cpp)
    Operand builtin(const TExpr& e);
    Operand call(const TExpr& e);
    Operand hooked(LowerExpr lower, const TExpr& e);
    ir::Value at(const Location& where); ///< loads it (locations.cpp)
    ir::Value span_word(uint32_t word);
    ir::Value task(); ///< the current one
    ir::Value process_id();
    ir::Value thread_id();
    void thread_name_into(ir::Value dst, int64_t offset); ///< 16 bytes, zeros after the name
    ir::Value probe_id();
    ir::Value pid_tgid(); ///< the process's id << 32 | the thread's, in the tracer's pid namespace; 0: not there
    ir::Value ecb_field(std::size_t offset);
    /// 0 provider … 3 name: a literal when the program has one probe, else a number: the name's id.
    Operand probe_component(int which);
    Operand name_text(ir::Value id);
    Operand curcpu_member(const TExpr& e);

    // ---- statements (actions.cpp, aggregations.cpp)
    void statements(const std::vector<TStmt*>& list);
    void action(const TStmt& s);
    void aggregate(const TStmt& s);
    /// The flags of bpf_get_stack() for a stack without the tracer's own frames and `skip` more.
    ir::Value stack_flags(bool user, uint32_t skip = 0);
    bool stack_begins_with(StackBegin what) const;
    bool is_tracepoint() const;    ///< the firing's, where user registers are the task's and the stack may begin with the iterator
    bool stack_has_tracer() const; ///< or with frames of the tracer, as that of BEGIN and END
    ir::Value error_frames();
    std::optional<KernelSymbol> iterator_of_stack();
    ir::Value fixed_tracer_frames();
    ir::Value tracer_frames();
    void kernel_stack_into(uint32_t frames, ir::Value to);
    void user_stack_into(uint32_t frames, ir::Value to);
    ir::Value user_stack_bytes(uint32_t frames);
    void branch_on_frame_pointer(ir::BlockId yes, ir::BlockId no);
    void stack_into(bool user, uint32_t frames, ir::Value dst, int64_t offset);
    void address_into(const Action& action, const std::vector<TExpr*>& args, const Datum& datum, ir::Value dst, int64_t offset);
    ir::Value unkeyed_value(const AggregationSchema& schema);
    ir::Value keys_of(const TStmt& s, const AggregationSchema& schema);
    /// What came of looking for a key in a map.
    struct Entry {
        std::vector<ir::Value> found;  ///< one for each block that jumps to `join`
        ir::Value updated = ir::kNone; ///< the status of making it
    };
    Entry entry_in(const std::function<ir::Value()>& map, const AggregationSchema& schema, ir::Value key, ir::BlockId full, ir::BlockId join,
                   const std::function<void()>& when_made = {});
    Entry overflow_value(const TStmt& s, const AggregationSchema& schema, ir::Value key, ir::BlockId lost, ir::BlockId join);
    ir::Value keyed_value(const TStmt& s, const AggregationSchema& schema, ir::Value key, ir::BlockId done);
    void aggregation_key(const TExpr& e, const Datum& datum, ir::Value key);

    // ---- the sample
    /// Room for one datum in the sample; returns its Datum (offset from the sample's data).
    Datum reserve(const Type* type, uint32_t size, uint32_t align);
    Datum reserve(Datum::Kind kind, uint32_t size, uint32_t align);
    ir::Value sample() const { return sample_; }
    static int64_t sample_offset(const Datum& d) { return static_cast<int64_t>(sizeof(dt_sample) + d.offset); }
    /// Evaluates e straight into a fresh datum of the sample.
    Datum record(const TExpr& e);
    /// Starts the schema record of an action; under if/else also marks the guard word.
    Record& add_record(const Action* action);

    // ---- control
    /// Reports fault `code` with `value` and leaves the clause. The current block ends.
    void fault(uint32_t code, ir::Value value);
    void fault_if(ir::Op cmp, ir::Value a, ir::Value b, uint32_t code, ir::Value value);
    void lose(Loss loss);
    /// Leaves the clause without a trace: a dropped dynamic variable, speculate() on a dead id.
    void abandon() { b().jump(next_); }
    void stop_tracing(ir::Value status); ///< exit()

    // ---- temporaries, valid until the current D statement ends
    ir::Value stack_temporary(uint32_t size);
    void release_stack(uint32_t size) { context_.stack.used -= size; } ///< of the last one, when it is not needed any more
    ir::Value scratch_temporary(uint32_t size);
    /// Stack when small, else scratch; `mem` tells which.
    ir::Value temporary(uint32_t size, ir::Mem& mem);
    /// The same as a base that all temporaries of its kind have in common, and an offset that instructions can take.
    std::pair<ir::Value, int64_t> temporary_place(uint32_t size);
    ir::Value slot(); ///< the scratch slot
    /// Both results, the first made first. It waits for the second: when too many already do, in the scratch slot and not on the stack.
    std::pair<ir::Value, ir::Value> in_turn(const std::function<ir::Value()>& first, const std::function<ir::Value()>& second);
    std::pair<ir::Value, ir::Value> values(const TExpr& first, const TExpr& second);

    ir::Builder& b() { return *context_.b; }
    ModuleLowering& module() { return context_.module; }
    Context& context() { return context_; }
    const Statement& statement() const { return statement_; }
    /// A value computed once per clause: found again wherever its first use dominates.
    ir::Value cached(const std::string& key, const std::function<ir::Value()>& make);
    /// Runs `body` as one arm of a branch: what it caches is forgotten after it.
    void arm(const std::function<void()>& body);
    ir::Value speculation_state(ir::Value id, ir::BlockId none); ///< struct dt_spec of an id, or control to `none`
    void begin_speculation(ir::Value id, ir::Value serial);      ///< a live one's
    void end_when_full();

private:
    std::optional<int64_t> offset_in_task_at_hand(std::string_view member);
    std::optional<int64_t> id_in_task_at_hand(std::string_view member);
    bool sample_in_scratch() const;
    uint32_t take_scratch(uint32_t size); ///< room for a temporary: its offset in the slot
    uint32_t take_stack(uint32_t size);   ///< likewise in the slot of stack temporaries
    bool fits_stack(uint32_t size);
    static constexpr uint32_t kFarthestOffset = 32760; ///< of an instruction's memory operand
    void read_clocks(const std::function<bool(VariableRole clock)>& is_used);
    void begin_clause();
    void begin_sample();
    void place_sample();
    void finish();
    void emit_sample();
    void send_sample();
    bool speculates() const { return speculating_ != Speculating::No; }
    ir::Value speculation();
    ir::Value speculation_id();
    void count_speculated(ir::Value id, int64_t samples);
    void lose_sample(ir::Value id);
    void claim_slot();
    void begin_area();
    ir::Value area_word(int64_t which);
    bool uses(const std::vector<TStmt*>& list, VariableRole clock) const;
    void find_assigned(std::initializer_list<const std::vector<TExpr*>*> lists, const TExpr* root);
    void fault_exit();

    // a long clause (long_clause.cpp)
    ir::Value part(const std::function<void()>& body, bool first = false);
    void leave_unless_on(ir::Value result);
    void list_in_parts(const std::vector<TStmt*>& list);
    void if_in_parts(const TStmt& s);
    void keep_clocks();
    void find_clocks();
    const Parts* parts_ = nullptr;
    ir::BlockId clause_ends_ = 0;     ///< in the function the clause begins in
    std::vector<std::string> clocks_; ///< that the clause has read

    struct TextTarget {
        ir::Value address = ir::kNone;
        uint32_t size = 0;
        ir::Mem mem = ir::Mem::None;
        bool padded = false;              ///< zeroed, and to stay so after the text
    } target_;                            ///< of the call about to be lowered
    std::vector<TextTarget> targets_{{}}; ///< none, then those of the calls being lowered; taken by text_buffer(), so that no argument can

    Context& context_;
    const Statement& statement_;
    Needs needs_, measured_;
    StatementSchema schema_;
    ir::BlockId next_ = 0, fault_block_ = 0;
    bool faulted_ = false, emits_ = false;
    ir::Value sample_ = ir::kNone, slot_ = ir::kNone;
    uint32_t data_size_ = 0;
    uint32_t scratch_used_ = 0;
    int arms_ = 0;    ///< depth of if/else
    int waiting_ = 0; ///< results that wait for others: in_turn()
    int guards_ = 0;
    bool unguarded_ = false, guarded_ = false;
    enum class Speculating : uint8_t { No, Perhaps, Yes } speculating_ = Speculating::No; ///< Perhaps: after a speculate() under an if
    std::vector<std::map<std::string, ir::Value>> cache_{1};
    std::set<const Variable*> assigned_; ///< strings assigned in the middle of the D statement being lowered
};

} // namespace dt::lower
