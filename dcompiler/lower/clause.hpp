// Lowering of one statement (a clause under one description) into the function under construction.
//
// A statement is lowered twice: once into a throw-away function to learn what it needs (bytes of sample and scratch, whether it can
// fault), then for real. So nothing is claimed, cleared or reserved that is not used, and no size is guessed.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dcompiler/lower/actions.hpp"
#include "dcompiler/lower/aggregations.hpp"
#include "dcompiler/lower/area.hpp"
#include "dcompiler/lower/builtins.hpp"
#include "dcompiler/lower/calls.hpp"
#include "dcompiler/lower/context.hpp"
#include "dcompiler/lower/expressions.hpp"
#include "dcompiler/lower/hooks.hpp"
#include "dcompiler/lower/memory.hpp"
#include "dcompiler/lower/stacks.hpp"
#include "dcompiler/lower/strings.hpp"
#include "dcompiler/lower/values.hpp"
#include "dcompiler/lower/variables.hpp"

namespace dt::lower {

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

    /// It uses memory of alloca() or copyin(), or pointers to it.
    void uses_area() { measured_.area = true; }
    /// After a measuring run.
    Needs measured() const { return measured_; }
    StatementSchema& schema() { return schema_; }

    // ---- its parts, a class for each concern
private:
    Context& context_;

public:
    Values values{context_};
    Expressions expressions{*this};
    Memory memory{*this};
    Strings strings{*this};
    Area area{*this};
    Variables variables{*this};
    Builtins builtins{*this};
    Calls calls{*this};
    Stacks stacks{*this};
    Actions actions{*this};
    Aggregations aggregations{*this};

    void statements(const std::vector<TStmt*>& list);

    // ---- the sample
    /// Room for one datum in the sample; returns its Datum (offset from the sample's data).
    Datum reserve(const Type* type, uint32_t size, uint32_t align);
    Datum reserve(Datum::Kind kind, uint32_t size, uint32_t align);
    ir::Value sample() const { return sample_; }
    static int64_t sample_offset(const Datum& d) { return static_cast<int64_t>(sizeof(dt_sample) + d.offset); }
    /// All bytes of it are stored, whatever they were.
    void fills(const Datum& datum);
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
    uint32_t take_scratch(uint32_t size);              ///< room for a temporary: its offset in the slot
    static constexpr uint32_t kFarthestOffset = 32760; ///< of an instruction's memory operand
    ir::Value slot();                                  ///< the scratch slot
    /// How much of both is taken; what is taken after mark() is given back by give_back().
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
    /// Its number, or that of the statement whose code this is too and which has matched the probe.
    ir::Value statement_number();
    /// A value computed once per clause: found again wherever its first use dominates.
    ir::Value cached(const std::string& key, const std::function<ir::Value()>& make);
    /// Runs `body` as one arm of a branch: what it caches is forgotten after it.
    void arm(const std::function<void()>& body);
    ir::Value speculation_state(ir::Value id, ir::BlockId none); ///< struct dt_spec of an id, or control to `none`
    void begin_speculation(ir::Value id, ir::Value serial);      ///< a live one's
    void end_when_full();
    /// The variable is a string assigned in the middle of the D statement being lowered: what is read of it must be copied.
    bool is_assigned(const Variable* variable) const { return assigned_.count(variable) != 0; }

private:
    bool sample_in_scratch() const;
    uint32_t take_stack(uint32_t size); ///< likewise in the slot of stack temporaries
    bool fits_stack(uint32_t size);
    void read_clocks(const std::function<bool(VariableRole clock)>& is_used);
    void begin_clause();
    void begin_sample();
    void place_sample();
    void zero_holes();
    void finish();
    void emit_sample();
    void send_sample();
    bool speculates() const { return speculating_ != Speculating::No; }
    ir::Value speculation();
    ir::Value speculation_id();
    void count_speculated(ir::Value id, int64_t samples);
    void lose_sample(ir::Value id);
    void claim_slot();
    ir::Value claim_free_slot();
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

    const Statement& statement_;
    Needs needs_, measured_;
    StatementSchema schema_;
    ir::BlockId next_ = 0, fault_block_ = 0;
    bool faulted_ = false, emits_ = false;
    ir::Value sample_ = ir::kNone, slot_ = ir::kNone;
    uint32_t data_size_ = 0;
    uint32_t scratch_used_ = 0;
    int arms_ = 0; ///< depth of if/else
    int guards_ = 0;
    bool unguarded_ = false, guarded_ = false;
    enum class Speculating : uint8_t { No, Perhaps, Yes } speculating_ = Speculating::No; ///< Perhaps: after a speculate() under an if
    std::vector<std::map<std::string, ir::Value>> cache_{1};
    std::set<const Variable*> assigned_;
};

inline ir::Builder& ClausePart::b() const
{
    return clause.b();
}

inline ModuleLowering& ClausePart::module() const
{
    return clause.module();
}

inline Context& ClausePart::context() const
{
    return clause.context();
}

} // namespace dt::lower
