// What a clause being lowered has come to: its sample, faults, temporaries, and what it has computed before. All parts
// of lowering stand on it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dcompiler/lower/values.hpp"

namespace dt::lower {

class ClauseState {
public:
    ClauseState(Context& context, const Statement& statement, const Needs& needs)
        : values(context), context_(context), statement_(statement), needs_(needs)
    {
        schema_.id = statement.id;
    }

    Values values;

    /// It uses memory of alloca() or copyin(), or pointers to it.
    void uses_area() { measured_.area = true; }
    /// It reads this Location::CallArgument.
    void uses_call_argument(uint32_t index) { measured_.call_arguments.insert(index); }
    /// It updates this aggregation, which has no keys and is in that map.
    void uses_unkeyed(const Aggregation& aggregation, const std::string& map)
    {
        measured_.unkeyed.emplace(map, &aggregation);
        if (!statement_.predicate && cache_.size() == 1)
            measured_.always_unkeyed.emplace(map, &aggregation);
    }
    /// Those that may be read from here on: of the predicate, or of all the clause. Empty while measuring.
    const std::set<uint32_t>& call_arguments_ahead() const
    {
        return in_predicate_ ? needs_.predicate_arguments : needs_.call_arguments;
    }
    /// After a measuring run.
    Needs measured() const { return measured_; }
    StatementSchema& schema() { return schema_; }

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
    /// The consumer is to look at what there is now. `often`: a few instructions more, and no call where it is awake.
    /// In BEGIN and END it does so anyway: it runs them.
    void wake(bool often);

    // ---- temporaries, valid until the current D statement ends
    ir::Value stack_temporary(uint32_t size);
    void release_stack(uint32_t size)
    {
        context_.stack.used -= size;
    } ///< of the last one, when it is not needed any more
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
    ir::Value pid_tgid(); ///< the process's id << 32 | the thread's, in the tracer's pid namespace; 0: not there
    /// What was computed under that key, or kNone.
    ir::Value known(const std::string& key) const;
    void remember(const std::string& key, ir::Value value) { cache_.back().emplace(key, value); }
    /// Runs `body` as one arm of a branch: what it caches is forgotten after it.
    void arm(const std::function<void()>& body);
    /// The variable is a string assigned in the middle of the D statement being lowered: what is read of it must be
    /// copied.
    bool is_assigned(const Variable* variable) const { return assigned_.count(variable) != 0; }

protected:
    bool sample_in_scratch() const;
    uint32_t take_stack(uint32_t size); ///< room in the slot of stack temporaries: its offset there
    bool fits_stack(uint32_t size);

    /// A sample of at most this many bytes is built on the stack, unless the clause has a scratch slot anyway.
    static constexpr uint32_t kMostSampleOnStack = 128;

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
    int arms_ = 0; ///< depth of if/else
    int guards_ = 0;
    bool unguarded_ = false;
    std::vector<std::map<std::string, ir::Value>> cache_{1};
    std::set<const Variable*> assigned_;
};

} // namespace dt::lower
