// Lowers one statement, which is a clause for one of its probe descriptions, into the BPF function that is being built.
//
// Each statement is lowered twice. The first run, into a temporary function, measures the statement's needs: bytes of
// sample and scratch memory, possible faults. So the second run, which emits the code, claims, clears and reserves only
// memory that is used.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dcompiler/lower/clause/actions.hpp"
#include "dcompiler/lower/clause/aggregations.hpp"
#include "dcompiler/lower/clause/builtin_variables.hpp"
#include "dcompiler/lower/clause/expressions.hpp"
#include "dcompiler/lower/clause/memory.hpp"
#include "dcompiler/lower/clause/stacks.hpp"
#include "dcompiler/lower/clause/strings.hpp"
#include "dcompiler/lower/clause/variables.hpp"
#include "dcompiler/lower/core/context.hpp"
#include "dcompiler/lower/core/hooks.hpp"

namespace dt::lower {

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
    /// Bytes of temporaries that a clause of several BPF functions needs in addition to those of its statements.
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
