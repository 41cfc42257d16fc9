// State of the clause being lowered: its sample, faults, temporaries, and cached values (computed once per clause). All
// components that lower the clause use it, through the base class ClauseComponent.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dcompiler/lower/core/context.hpp"
#include "dcompiler/lower/core/groups.hpp"

namespace dt::lower {

class ClauseState {
public:
    ClauseState(Context& context, const Statement& statement, const Needs& needs)
        : values(context), context_(context), statement_(statement), needs_(needs)
    {
        schema_.id = statement.id;
    }

    Values values;

    /// Records that the clause uses memory of alloca() or copyin(), or pointers to it.
    void uses_area() { measured_.area = true; }
    /// Records that the clause reads system-call argument `index` (Location::CallArgument).
    void uses_call_argument(uint32_t index) { measured_.call_arguments.insert(index); }
    /// Records that the clause updates this aggregation, which has no keys. `map` is the name of the map with its
    /// value.
    void uses_unkeyed(const Aggregation& aggregation, const std::string& map)
    {
        measured_.unkeyed.emplace(map, &aggregation);
        if (!statement_.predicate && cache_.size() == 1)
            measured_.always_unkeyed.emplace(map, &aggregation);
    }
    /// Returns the indices of the system-call arguments that the code from here on may read: in the predicate, those of
    /// the predicate; in the body, those of the clause. Returns an empty set in the first lowering, which measures
    /// them.
    const std::set<uint32_t>& call_arguments_ahead() const
    {
        return in_predicate_ ? needs_.predicate_arguments : needs_.call_arguments;
    }
    /// Returns the needs of the statement (memory, scratch slot, faults), as the first of its two lowerings measured
    /// them.
    Needs measured() const { return measured_; }
    StatementSchema& schema() { return schema_; }

    // ---- the sample

    /// Reserves space in the sample for a datum. Returns the datum; its offset counts from the beginning of the
    /// sample's data.
    Datum reserve(const Type* type, uint32_t size, uint32_t align);
    Datum reserve(Datum::Kind kind, uint32_t size, uint32_t align);
    ir::Value sample() const { return sample_; }
    static int64_t sample_offset(const Datum& d) { return static_cast<int64_t>(sizeof(dt_sample) + d.offset); }
    /// Notes that the clause always stores all bytes of the datum, so they need not be zeroed.
    void fills(const Datum& datum);
    /// Starts the description of an action's record in the schema. Inside if/else, also emits code that sets the
    /// record's bit in the guard word. The bit shows the consumer that the sample has the record.
    Record& add_record(const Action* action);

    // ---- control flow

    /// Emits code that reports fault `code` with `value` and leaves the clause. This ends the current block.
    void fault(uint32_t code, ir::Value value);
    void fault_if(ir::Op cmp, ir::Value a, ir::Value b, uint32_t code, ir::Value value);
    void count_loss(Loss loss);
    /// Leaves the clause without reporting a fault. Used if a dynamic variable finds no room, or if speculate() gets an
    /// id that belongs to no speculation.
    void abandon() { b().jump(next_); }
    void stop_tracing(ir::Value status); ///< ends the trace, as exit() does
    /// Emits a wakeup of the consumer. With `often`, a few more instructions avoid the call while the consumer is
    /// awake. BEGIN and END need no wakeup, because the consumer runs them.
    void wake(bool often);

    // ---- temporaries, valid until the current D statement ends
    ir::Value stack_temporary(uint32_t size);
    void release_stack(uint32_t size)
    {
        context_.stack.used -= size;
    } ///< frees the last stack temporary, which has `size` bytes, before the D statement ends
    ir::Value scratch_temporary(uint32_t size);
    /// Allocates a temporary: on the stack if it is small, otherwise in scratch memory. Stores the kind of memory in
    /// `mem`.
    ir::Value temporary(uint32_t size, ir::Mem& mem);
    /// Allocates a temporary. Returns the base address of all temporaries of its kind (stack or scratch), and the
    /// temporary's offset from this address. The offset is small enough for a memory operand.
    std::pair<ir::Value, int64_t> temporary_place(uint32_t size);
    /// allocates a temporary; returns its offset in the scratch slot
    uint32_t take_scratch(uint32_t size);
    /// largest offset that a memory operand of an instruction can have
    static constexpr uint32_t kFarthestOffset = 32760;
    ir::Value slot(); ///< yields the address of the scratch slot
    /// Bytes of temporaries allocated so far, in scratch memory and on the stack. give_back() frees everything that was
    /// allocated since the call of mark().
    struct Mark {
        uint32_t scratch, stack;
    };
    Mark mark() const { return {scratch_used_, context_.stack.used}; }
    void give_back(Mark mark)
    {
        scratch_used_ = mark.scratch;
        context_.stack.used = mark.stack;
    }

    ir::Builder& b() { return *context_.b; }
    ModuleLowering& module() { return context_.module; }
    Context& context() { return context_; }
    const Statement& statement() const { return statement_; }
    /// Yields the id of the statement (Statement::id). If several statements share this code, it is the id of the one
    /// whose probe has fired.
    ir::Value statement_number();
    /// Yields a value that the clause computes only once. Blocks that the first computation dominates reuse it.
    ir::Value cached(const std::string& key, const std::function<ir::Value()>& make);
    /// Yields process id << 32 | thread id, as in the tracer's pid namespace; 0 for tasks outside of it.
    ir::Value pid_tgid();
    /// Returns the value for which cached() has already emitted code under this key, or kNone.
    ir::Value known(const std::string& key) const;
    void remember(const std::string& key, ir::Value value) { cache_.back().emplace(key, value); }
    /// Emits the code of `body` as one branch of an if/else. Afterwards cached() forgets the values that it has
    /// computed in this branch, because the other branch does not compute them.
    void arm(const std::function<void()>& body);
    /// Returns whether the variable is a string that the current D statement assigns. The string must then be copied
    /// when it is read.
    bool is_assigned(const Variable* variable) const { return assigned_.count(variable) != 0; }

protected:
    bool sample_in_scratch() const;
    uint32_t take_stack(uint32_t size); ///< allocates stack temporaries; returns their offset in the slot
    bool fits_stack(uint32_t size);

    /// Samples up to this size are on the stack. Larger ones, and all samples of clauses with a scratch slot, are in
    /// the slot.
    static constexpr uint32_t kMaxSampleOnStack = 128;

    Context& context_;
    const Statement& statement_;
    Needs needs_, measured_;
    StatementSchema schema_;
    ir::BlockId next_ = 0, fault_block_ = 0;
    bool faulted_ = false;
    bool in_predicate_ = false;
    ir::Value sample_ = ir::kNone, slot_ = ir::kNone;
    uint32_t data_size_ = 0;
    uint32_t scratch_used_ = 0;
    int arms_ = 0; ///< current nesting depth of if/else
    int guards_ = 0;
    bool unguarded_ = false;
    std::vector<std::map<std::string, ir::Value>> cache_{1};
    std::set<const Variable*> assigned_;
};

// Base class of the components that lower a clause: it gives access to the clause, its builder and its module.

class ClauseLowering;

template <typename Clause> class ClauseComponent {
public:
    /// The component refers to the clause, which must outlive it.
    explicit ClauseComponent(Clause& whole) : clause(whole) {}

protected:
    ClauseComponent(const ClauseComponent&) = delete;
    ClauseComponent& operator=(const ClauseComponent&) = delete;
    ~ClauseComponent() = default;

    ir::Builder& b() const { return clause.b(); }
    ModuleLowering& module() const { return clause.module(); }
    Context& context() const { return clause.context(); }

    Clause& clause;
};

/// Base class of components that use the clause's state. Of the other components, they use only those that their
/// constructors receive.
using ClausePart = ClauseComponent<ClauseState>;
/// Base class of components that call the functions of built-ins (hooks); these functions may use the whole clause.
using HookComponent = ClauseComponent<ClauseLowering>;

} // namespace dt::lower
