// Lowers one statement (a clause for one of its probe descriptions) into the BPF function that is being built.
//
// Each statement is lowered twice. The first run, into a temporary function, measures the statement's needs: bytes of
// sample and scratch memory, possible faults. So the second run, which emits the code, claims, clears and reserves only
// memory that is used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dcompiler/lower/clause/clause_state.hpp"
#include "dcompiler/lower/clause/expressions.hpp"
#include "dcompiler/lower/clause/memory.hpp"
#include "dcompiler/lower/clause/strings.hpp"
#include "dcompiler/lower/clause/variables.hpp"
#include "dcompiler/lower/core/context.hpp"
#include "dcompiler/lower/core/hooks.hpp"

namespace dt::lower {

// Lowers built-in variables, which are properties of the firing and of the thread that caused it.

class Builtins : public ClausePart {
public:
    using ClausePart::ClauseComponent;

    Operand curcpu_member(const TExpr& e);
    /// yields, as a number, the address of a CPU's cpuinfo_t; 0 if there is no such CPU
    ir::Value cpu_info(ir::Value cpu);
    ir::Value at(const Location& where); ///< loads the datum at a Location (locations.cpp)
    ir::Value is_compat_call();          ///< yields 1 if a 32-bit program made the system call, else 0
    /// Yields the system-call argument at a Location::CallArgument. With `of_narrow` the argument is read as a 32-bit
    /// program passes it, otherwise as a 64-bit program does. The caller must know which of the two made the call.
    ir::Value call_argument(const Location& where, bool of_narrow);
    /// Reads the system-call arguments with the wanted indices. Returns their values by index.
    std::map<uint32_t, ir::Value> read_arguments(const std::set<uint32_t>& wanted);
    ir::Value task(); ///< yields the address of the current task's task_struct
    ir::Value process_id();
    ir::Value thread_id();
    /// Writes the thread's name, 16 bytes. With `pad`, also zeroes the bytes after the name's NUL.
    void thread_name_into(ir::Value dst, int64_t offset, bool pad);
    ir::Value probe_id();
    /// Yields a component of the probe's name, from 0 (provider) to 3 (name). The result is a literal if the BPF
    /// program serves only one probe. Otherwise it is the number (name id) that stands for the component.
    Operand probe_component(int which);
    Operand name_text(ir::Value id);
    Operand constant_text(const std::string& whole); ///< yields the string as a constant, truncated to strsize

private:
    /// Returns the value of the system-call argument with this index (Location::CallArgument) if earlier code of the
    /// clause has read it, else kNone.
    ir::Value known_argument(uint32_t index) const;
    /// emits a read of the argument unless earlier code has read it; known_argument() then returns the value
    void find_argument(uint32_t index);
    ir::Value kernel_memory(const Location& where);
    ir::Value dynamic_array(const Location& where);
    ir::Value saved_registers();
    ir::Value user_register(const Location& where);
    ir::Value refused();
    ir::Value chosen(const Location& where);
    ir::Value exit_reason(const Location& where); ///< yields how a task ended: CLD_EXITED, CLD_KILLED, CLD_DUMPED
    ir::Value span_word(uint32_t word);
    ir::Value computed(const Location& where);
    ir::Value thread_pointer();
    ir::Value ecb_field(std::size_t offset);
    std::optional<int64_t> offset_in_current_task(std::string_view member);
    std::optional<int64_t> id_in_current_task(std::string_view member);
};

// Writes stacks as D values, as keys and into samples, without the tracer's own frames.

class Builtins;

class Stacks : public ClausePart {
public:
    Stacks(ClauseState& whole, Builtins& builtins) : ClauseComponent(whole), builtins_(builtins) {}

    Operand stack_value(const TExpr& e);
    /// Yields the flags of bpf_get_stack() for a stack without the tracer's frames and without the next `skip` frames.
    ir::Value stack_flags(bool user, uint32_t skip = 0);
    bool stack_begins_with(StackBegin what) const;
    bool stack_has_tracer() const; ///< whether kernel stacks begin with tracer frames; also true in BEGIN, END
    /// Writes at most the given number of frames of the user stack to the address `to`. Yields the number of bytes, or
    /// a negative errno. With `interprets`, frames of interpreted programs replace those of their interpreters.
    ir::Value user_frames(uint32_t frames, ir::Value to, bool interprets = false);
    /// Writes the stack for an action with flag kStack, such as stack(), to its destination.
    void stack_into(const Action& action, uint32_t frames, ir::Value dst, int64_t offset);

private:
    /// Returns whether the probe is a tracepoint. At a tracepoint, user registers are those that the task had when it
    /// entered the kernel, and the stack may begin with the tracepoint's iterator (the kernel's loop over programs).
    bool is_tracepoint() const;
    ir::Value error_frames();
    std::optional<KernelSymbol> iterator_of_stack();
    ir::Value fixed_tracer_frames();
    ir::Value tracer_frames();
    ir::Value returned_function();
    void kernel_stack_into(uint32_t frames, ir::Value to);
    std::optional<uint32_t> address_space_of_task() const;
    ir::Value probed_returns(ir::Value walk);
    ir::Value unwound(uint32_t frames, ir::Value walk, uint32_t mm, bool interprets);
    ir::Value interpreted(uint32_t frames, ir::Value mixed);
    ir::Value followed(uint32_t frames, ir::Value to);
    void branch_on_frame_pointer(ir::BlockId yes, ir::BlockId no);
    Builtins& builtins_;
};

// Lowers aggregating functions: computes the key, finds its entry in a map, and updates the value.

class Aggregations : public HookComponent {
public:
    using HookComponent::ClauseComponent;

    void aggregate(const TStmt& s);
    /// Yields the address of the element that contains the value of an aggregation without keys. The verifier requires
    /// a check whether the element exists; control would go to `missing`.
    ir::Value unkeyed_element(const AggregationSchema& schema, ir::BlockId missing);

private:
    /// Result of code that looks up a key in a map and creates it if necessary.
    struct Entry {
        std::vector<ir::Value> found;  ///< address of the key's value, in each of the blocks that jump to `join`
        ir::Value updated = ir::kNone; ///< result of the map update that creates the key
    };

    /// Key of an element in a map, and the layout of the element's value.
    struct MapKey {
        ir::Value key;
        uint32_t value_size;   ///< size of the value in bytes
        uint32_t words_offset; ///< offset of the words of the aggregation's value in the element's value
        /// emits code for the initial value of a new element, and yields its address
        std::function<ir::Value()> new_value;
    };

    void add_alone(const std::function<void()>& add);
    ir::Value unkeyed_value(const Aggregation& aggregation, const AggregationSchema& schema);
    ir::Value keys_of(const TStmt& s, const AggregationSchema& schema);
    ir::Value keyed_value(const TStmt& s, const AggregationSchema& schema, ir::Value key, ir::BlockId done);
    void drop_key(ir::Value status);
    MapKey whole_key(const AggregationSchema& schema, ir::Value key);
    MapKey digest_of(const AggregationSchema& schema, ir::Value key);
    Entry entry_in(const std::function<ir::Value()>& map, const MapKey& key, ir::BlockId full, ir::BlockId join,
                   const std::function<void()>& when_made = {});
    Entry overflow_value(const TStmt& s, const AggregationSchema& schema, const MapKey& key, ir::BlockId lost,
                         ir::BlockId join);
    void aggregation_key(const TExpr& e, const Datum& datum, ir::Value key);
};

// Lowers actions, such as printf(): evaluates their arguments and records the data for the consumer.

class Actions : public HookComponent {
public:
    using HookComponent::ClauseComponent;

    void action(const TStmt& s);
    /// Evaluates `e` and stores the result directly in the sample, as a new datum.
    Datum record(const TExpr& e);
    void address_into(const Action& action, const std::vector<TExpr*>& args, const Datum& datum, ir::Value dst,
                      int64_t offset);
};

/// Returns whether a firing of the statement sends a sample to the consumer.
bool emits_sample(const Statement& statement);
/// Returns whether samples of the statement may lack some records, because their actions are under an `if`. Which
/// records are present is then known only at run time.
bool has_guarded_records(const Statement& statement);

class ClauseLowering : public ClauseState {
public:
    ClauseLowering(Context& context, const Statement& statement, const Needs& needs);

    /// Emits the predicate, the body and the sending of the sample. Control continues at block `next`, which the caller
    /// then enters.
    void lower(ir::BlockId next);
    /// Lowers a clause that is too long for one BPF function. `needs` must include a scratch slot. Control continues at
    /// block `next`, which the caller then enters.
    void lower_in_parts(const Parts& parts, ir::BlockId next);
    /// Bytes of temporaries that a clause in several BPF functions needs, besides the temporaries of its statements.
    static constexpr uint32_t kPartsScratch = 16;

    // ---- Components that lower the clause, one class for each topic. Each component receives references to the
    // earlier components that it uses, and does not access other components.
    Builtins builtins{*this};
    Stacks stacks{*this, builtins};
    VariablePlaces places{*this};
    Area area{*this, places};
    Strings strings{*this, builtins};
    Memory memory{*this, area, strings};
    Variables variables{*this, places, memory, strings};
    // The following components lower calls of built-ins through the table in hooks.hpp. A built-in may use every
    // component of the clause.
    Expressions expressions{*this};
    Actions actions{*this};
    Aggregations aggregations{*this};

    /// Yields the address of the struct dt_spec for a speculation id. Control goes to `none` if the id is invalid.
    ir::Value speculation_state(ir::Value id, ir::BlockId none);
    /// emits code that makes the clause's samples part of an existing speculation
    void begin_speculation(ir::Value id, ir::Value serial);
    void end_when_full();
    /// Records that commit() or discard() has ended a speculation. `last` is the time of its last sample, or 0.
    void ends_speculation(ir::Value last) { ended_at_ = arms_ == 0 ? last : ended_at_; }

private:
    void statements(const std::vector<TStmt*>& list);
    void read_clocks(const std::function<bool(VariableRole clock)>& is_used);
    void begin_clause();
    void begin_sample();
    void record_thread();
    void place_sample();
    void zero_holes();
    void finish();
    void emit_sample();
    void send_sample();
    bool speculates() const { return speculating_ != Speculating::No; }
    ir::Value speculation();
    ir::Value speculation_id();
    void count_speculated(ir::Value id, int64_t samples, ir::Value time = ir::kNone);
    ir::Value time_of_sample();
    void drop_sample(ir::Value id);
    void freeze_without_record();
    void claim_slot();
    ir::Value claim_free_slot();
    bool uses(const std::vector<TStmt*>& list, VariableRole clock) const;
    void find_assigned(std::initializer_list<const std::vector<TExpr*>*> lists, const TExpr* root);
    void fault_exit();

    // Functions for long clauses, whose statements are in several BPF functions (clause.cpp).
    ir::Value part(const std::function<void()>& body, bool first = false);
    void leave_unless_continuing(ir::Value result);
    void list_in_parts(const std::vector<TStmt*>& list);
    void if_in_parts(const TStmt& s);
    void keep_clocks();
    void find_clocks();
    const Parts* parts_ = nullptr;
    ir::BlockId clause_ends_ = 0;     ///< block at the end of the clause, in the first of its functions
    std::vector<std::string> clocks_; ///< clocks that the clause has read

    ir::Value ended_at_ = ir::kNone; ///< time of the last sample of a speculation that the clause has certainly ended
    bool emits_ = false, guarded_ = false;
    /// Whether the clause has called speculate() before the current statement. Maybe: only inside an `if`.
    enum class Speculating : uint8_t { No, Maybe, Yes } speculating_ = Speculating::No;
};

} // namespace dt::lower
