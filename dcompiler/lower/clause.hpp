// Lowering of one statement (a clause under one description) into the function under construction.
//
// A statement is lowered twice: once into a throw-away function to learn what it needs (bytes of sample and scratch,
// whether it can fault), then for real. So nothing is claimed, cleared or reserved that is not used, and no size is
// guessed.
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

class ClauseLowering : public ClauseState {
public:
    ClauseLowering(Context& context, const Statement& statement, const Needs& needs);

    /// Emits predicate, body and sample; control falls through to `next`, which the caller then enters.
    void lower(ir::BlockId next);
    /// The same for a long clause, whose needs say that it has a scratch slot.
    void lower_in_parts(const Parts& parts, ir::BlockId next);
    /// Bytes of temporaries that it then needs more.
    static constexpr uint32_t kPartsScratch = 16;

    // ---- its parts, a class for each concern. Each is given those before it that it uses, and knows no other.
    Builtins builtins{*this};
    Stacks stacks{*this, builtins};
    VariablePlaces places{*this};
    Area area{*this, places};
    Strings strings{*this, builtins};
    Memory memory{*this, area, strings};
    Variables variables{*this, places, memory, strings};
    // These call hooks of the built-in table, which may use whatever a clause has.
    Expressions expressions{*this};
    Actions actions{*this};
    Aggregations aggregations{*this};

    ir::Value speculation_state(ir::Value id, ir::BlockId none); ///< struct dt_spec of an id, or control to `none`
    void begin_speculation(ir::Value id, ir::Value serial);      ///< a live one's
    void end_when_full();
    /// commit() or discard(): `last` is the time of the last sample of what it ends, or 0.
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
    void lose_sample(ir::Value id);
    void freeze_without_record();
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

    ir::Value ended_at_ = ir::kNone; ///< where it is known that the clause has ended a speculation
    bool emits_ = false, guarded_ = false;
    enum class Speculating : uint8_t {
        No,
        Perhaps,
        Yes
    } speculating_ = Speculating::No; ///< Perhaps: after a speculate() under an if
};

} // namespace dt::lower
