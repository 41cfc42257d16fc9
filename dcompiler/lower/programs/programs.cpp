// Lowers the programs: one per attach plan. Each program checks that tracing is on, finds the probe that fired, runs
// the applicable statements in program order, and releases the scratch slot (memory of the firing). If a program has
// many statements, they are distributed over subprograms of limited size, each verified separately. The verifier's work
// is then the sum over the subprograms and not the product of all branches.
#include <algorithm>
#include <cstddef>
#include <set>
#include <span>

#include "dcompiler/lower/clause/clause.hpp"
#include "dcompiler/lower/clause/thread_time.hpp"
#include "dcompiler/lower/core/context.hpp"
#include "dcompiler/lower/core/functions.hpp"
#include "dcompiler/lower/core/groups.hpp"
#include "dcompiler/lower/core/helper_programs.hpp"
#include "dcompiler/lower/counting/counters.hpp"
#include "dcompiler/lower/counting/hit_counts.hpp"
#include "dcompiler/lower/counting/sampling.hpp"
#include "dcompiler/lower/programs/program_entry.hpp"

namespace dt::lower {

// Completes the schema, and creates the maps that the consumer expects. Called when all programs are lowered.

void finish_schema(ModuleLowering& module);

// A statement and its needs, which measure_all() has found by lowering the statement once.
struct Planned {
    GroupStatement use;
    Needs needs;
};

/// Returns the indices of the system-call arguments that are read as soon as the program knows whether a 32-bit or a
/// 64-bit program made the call.
std::set<uint32_t> shared_arguments(std::span<const Planned> planned);

/// Emits lookups of map elements with values of aggregations without keys, and stores their addresses in
/// context.unkeyed. Must be called at the beginning of the function.
void share_unkeyed(Context& context, std::span<const Planned> planned);

namespace {

// A function takes further statements until their sum would exceed this number of IR instructions. In large programs
// the limit is a fraction of all instructions, because the kernel allows 256 functions per program.
constexpr std::size_t kFunctionBudget = 800;
constexpr std::size_t kMaxChunks = 150;
// Clauses of at least this size are distributed over several functions.
constexpr std::size_t kMaxInOne = 4 * kFunctionBudget;

class Programs {
public:
    explicit Programs(ModuleState state) : module_(std::move(state))
    {
        if (module_.parts.may_follow || module_.parts.is_later)
            lay_out_shared();
    }

    Lowered run(PhaseTimes* steps)
    {
        Group errors;
        std::vector<Group> groups = group_by_plan(module_.program, module_.world, errors);
        done(steps, "plan");
        error_plan_ = errors.plan;
        module_.out.schema.statements.resize(module_.program.statements.size());
        for (const Statement& s : module_.program.statements) {
            module_.out.schema.statements[s.id].id = s.id;
            module_.out.schema.destructive |= s.destructive;
        }
        module_.replaces_returns = std::any_of(
            groups.begin(), groups.end(), [](const Group& group) { return group.plan->kind_info().replaces_return; });
        find_shared_aggregations(groups);
        place_counters(module_, groups);
        for (Group& group : groups)
            name_probes(group);

        std::vector<Planned> planned_errors = measure_all(errors);
        std::vector<std::vector<Planned>> planned;
        for (const Group& group : groups)
            planned.push_back(measure_all(group));
        spare_stack(planned_errors, planned);
        // drops the functions that were created while statements were measured, but keeps maps and data
        module_.out.module.functions.clear();
        module_.functions.forget();

        error_scratch_ = needs(planned_errors, &Needs::scratch);
        for (std::size_t i = 0; i < groups.size(); ++i)
            if (needs(planned[i], &Needs::faults))
                lower_errors(groups[i].plan->kind_info(), planned_errors);
        for (std::size_t i = 0; i < groups.size(); ++i)
            lower_group(groups[i], planned[i]);
        std::set<const AttachPlan*> start_hooks; // plans for the same activities have a common hook at their start
        for (const Group& group : groups) {
            const AttachPlan* const start_hook = group.plan->start_hook.get();
            if (start_hook && !group.plan->kind_info().entry_and_return && start_hooks.insert(start_hook).second)
                add_start_programs(module_, group);
            if (group.plan->is_enabled_probe)
                emit_is_enabled_program(group);
        }
        if (module_.maps.has(kOnCpuMap) && !module_.parts.programs.contains(kOnCpuProgram))
            add_on_cpu_program(module_);
        if (module_.maps.has(DT_MAP_ACCOUNTS))
            add_account_programs(module_);
        if (module_.maps.has(DT_MAP_HISTORY))
            add_history_programs(module_);
        add_thread_program(module_);
        if (!module_.options.pin.empty() && module_.options.pintimeout != 0)
            add_pin_timeout_program(module_);
        if (module_.options.followchildren != "none" && module_.world.target().pid != 0 && !module_.parts.is_later)
            add_follow_programs(module_);
        finish_schema(module_);
        done(steps, "lower");
        return std::move(module_.out);
    }

private:
    /// A trace can have several objects, which are compiled one after the other. Creates the data that they share. All
    /// objects have these data at the same offsets, whatever clauses they contain.
    void lay_out_shared()
    {
        for (const std::string& name : module_.parts.names)
            module_.layout.name_id(name);
        for (const Variable& variable : module_.program.variables)
            if (variable.scope == Scope::Global && variable.keys.empty())
                module_.data.global(variable);
            else if (module_.layout.is_shared(variable))
                module_.data.shared(variable.name, sizeof(uint64_t));
        if (module_.layout.self_is_shared())
            module_.data.shared(kSharedSelf, module_.layout.self_size());
        const auto& statements = module_.program.statements;
        if (std::any_of(statements.begin(), statements.end(),
                        [](const Statement& statement) { return statement.speculates; }))
            module_.data.speculations();
    }

    void emit_is_enabled_program(const Group& group)
    {
        if (module_.world.can_write_user())
            return add_is_enabled_program(module_, *group.plan);
        module_.diagnostics.warning(group.statements.front().statement->at,
                                    "is-enabled tests of these probes return 0: this kernel does not allow BPF "
                                    "programs to write to the memory of processes (bpf_probe_write_user)");
    }

    /// Moves samples from the BPF stack to the scratch slot if three functions may call each other: the main function,
    /// a function with clauses or of ERROR, and a runtime function. The kernel allows 512 bytes of stack per chain.
    void spare_stack(std::vector<Planned>& errors, std::vector<std::vector<Planned>>& groups)
    {
        groups.push_back(std::move(errors));
        for (std::vector<Planned>& list : groups)
            for (Planned& p : list)
                if (is_long(p) || (p.needs.sample && (!groups.back().empty() || weight(list) > 1))) {
                    p.needs.scratch = true;
                    p.needs.temporaries += is_long(p) ? ClauseLowering::kPartsScratch : 0;
                    reserve_scratch(p.needs);
                }
        errors = std::move(groups.back());
        groups.pop_back();
    }

    void reserve_scratch(const Needs& n)
    {
        module_.layout.scratch_size = std::max(module_.layout.scratch_size,
                                               module_.layout.fixed_scratch_size() + n.sample_room() + n.temporaries);
    }

    /// Finds aggregations whose updates may interrupt each other on one CPU: those that several programs update, and
    /// those of a program that the kernel does not protect against recursion.
    void find_shared_aggregations(const std::vector<Group>& groups)
    {
        std::map<const Aggregation*, std::size_t> owner;
        for (std::size_t i = 0; i < groups.size(); ++i)
            for (const GroupStatement& use : groups[i].statements) {
                std::vector<const TStmt*> work(use.statement->body.begin(), use.statement->body.end());
                while (!work.empty()) {
                    const TStmt* s = work.back();
                    work.pop_back();
                    work.insert(work.end(), s->then.begin(), s->then.end());
                    work.insert(work.end(), s->otherwise.begin(), s->otherwise.end());
                    if (!s->aggregation)
                        continue;
                    const auto [found, fresh] = owner.try_emplace(s->aggregation, i);
                    if ((!fresh && found->second != i) || interrupts_itself(module_, *groups[i].plan))
                        module_.layout.shared_aggregations.insert(s->aggregation);
                }
            }
    }

    void name_probes(Group& group)
    {
        for (const PlannedProbe& planned : group.plan->probes)
            group.names.push_back(module_.layout.name_ids(*planned.probe));
    }

    /// Lowers each statement into a temporary function to measure how much memory it needs.
    std::vector<Planned> measure_all(const Group& group)
    {
        std::vector<Planned> planned;
        for (const GroupStatement& use : group.statements) {
            ir::Function draft;
            draft.name = "draft";
            draft.param_mem = {Mem::Context};
            draft.param_region = {0};
            ir::Builder b(draft);
            Context context(module_, b, group.plan.get(), use.probes.front());
            context.context = b.param(0);
            context.frame = b.stack_addr(b.slot(frame_size()));
            if (group.plan->probes.size() > 1) {
                context.ecb = b.load(8, context.frame, 0, Mem::MapValue, group.ecb_size());
            }
            context.statement_number_at = use.number_at;
            context.done = b.block();
            const ir::BlockId next = b.block();
            ClauseLowering clause(context, *use.statement, {});
            clause.lower(next);
            planned.push_back({use, clause.measured()});
            if (planned.back().needs.scratch)
                reserve_scratch(planned.back().needs);
        }
        return planned;
    }

    uint32_t frame_size() const { return FrameLayout::kThis + module_.layout.this_stack_size(); }

    /// Returns a new, empty subprogram. Its parameters are the firing's frame and, if `ecb_size` is not 0, the probe's
    /// dt_ecb.
    ir::Function part(std::string name, const ProgramKindInfo& kind, uint32_t ecb_size) const
    {
        ir::Function f;
        f.name = std::move(name);
        f.verified_separately = module_.world.features().memory_parameters;
        f.context_type = context_of(kind);
        f.param_mem = {Mem::Context, Mem::MapOrNull};
        f.param_region = {0, frame_size()};
        if (ecb_size != 0) {
            f.param_mem.push_back(Mem::MapOrNull);
            f.param_region.push_back(ecb_size);
        }
        f.params = static_cast<uint32_t>(f.param_mem.size());
        return f;
    }

    /// Returns the name of the program's context type. For a context of type void there is no name that Linux 7.2 would
    /// accept, so the parameter gets a tag instead.
    std::string context_of(const ProgramKindInfo& kind) const
    {
        // Kernels where bpf_rdonly_cast() works for any address also have tags of parameters, because these are older
        // (Linux 6.8).
        const bool has_tags = module_.world.readable_cast() != 0;
        return std::string(kind.context == "void" && has_tags ? ir::kTaggedContext : kind.context);
    }

    static void take_parameters(ir::Builder& b, Context& context)
    {
        const auto memory = [&](uint32_t number) {
            const Value given = b.param(number);
            const ir::BlockId there = b.block();
            b.branch(Op::Ne, given, b.constant(0), there, context.done);
            b.enter(there);
            return b.not_null(given);
        };
        context.context = b.param(0);
        context.frame = memory(1);
        if (b.function().params > 2)
            context.ecb = memory(2);
    }

    /// Emits a subprogram that reports a fault and runs the ERROR clauses. The clause that faults calls it with the
    /// firing's frame.
    void lower_errors(const ProgramKindInfo& kind, const std::vector<Planned>& planned)
    {
        if (errors_.count(kind.context))
            return;
        const ir::Function f = part("dt_error_" + std::to_string(errors_.size()), kind, 0);
        const uint32_t index = static_cast<uint32_t>(module_.out.module.functions.size());
        errors_[kind.context] = index;
        module_.out.module.functions.push_back(f);
        // When a function is added to the module, the others move in memory. So this function is built as a separate
        // object and moved into the module at the end.
        ir::Function built = f;
        ir::Builder b(built);
        begin(kind, "dt_error_chunk_" + std::to_string(errors_.size()) + "_", planned);
        Context context(module_, b, error_plan_.get(), planned.empty() ? nullptr : planned.front().use.probes.front());
        context.in_error = true;
        context.calls = 1;
        context.done = b.block();
        take_parameters(b, context);
        report_fault(context);
        if (needs(planned, &Needs::area))
            free_area(context);
        for (const Planned& p : planned)
            lower_statement(b, context, p);
        b.jump(context.done);
        b.enter(context.done);
        b.ret(b.constant(0));
        module_.out.module.functions[index] = std::move(built);
        std::vector<uint32_t>& all = module_.out.schema.error_functions;
        all.push_back(index);
        all.insert(all.end(), clause_functions_.begin(), clause_functions_.end());
    }

    void lower_group(const Group& group, const std::vector<Planned>& planned)
    {
        const auto first_function = static_cast<uint32_t>(module_.out.module.functions.size());
        const std::string name = "dt_program_" + std::to_string(module_.out.schema.programs.size());
        ir::Function main;
        main.name = name;
        main.section = group.plan->section();
        main.param_mem = {Mem::Context};
        main.param_region = {0};
        ir::Builder b(main);
        begin(group.plan->kind_info(), "dt_chunk_" + std::to_string(module_.out.schema.programs.size()) + "_", planned);
        last_ = group.statements.back().statement;
        Context context(module_, b, group.plan.get(), group.plan->probes.front().probe);
        context.context = b.param(0);
        const ir::BlockId leave = b.block();
        const std::optional<uint32_t> tick =
            group.plan->counts_runs ? std::optional(count_tick(module_, b, leave)) : std::nullopt;
        context.timing_switch = group.timing_switch;
        context.tests_timing_switch = group.timing_switch && weight(planned) > 1;
        frame_slot_ = slot_cell_ = std::nullopt;
        if (group.timing_switch && !context.tests_timing_switch) {
            const ir::BlockId on = b.block();
            test_timing_switch(context, on);
            Context plain = context;
            plain.is_timed = false;
            lower_firing(b, plain, group, planned, leave);
            b.enter(on);
            b.is_cold();
            context.stack = plain.stack;
        }
        lower_firing(b, context, group, planned, leave);
        b.enter(leave);
        b.ret(b.constant(group.plan->kind_info().entry_and_return ? kSkipReturn : 0));

        ProgramPlan plan{name, group.plan, {}};
        for (const PlannedProbe& planned : group.plan->probes)
            plan.probes.push_back(planned.probe->id);
        module_.out.module.functions.push_back(std::move(main));
        plan.tick = tick;
        plan.first_counted = group.first_counted;
        plan.may_sample = context.is_weighted;
        plan.keeps_state = keeps_state(group) && !group.has_pairs();
        plan.pairs = group.has_pairs();
        plan.first_function = first_function;
        plan.end_function = static_cast<uint32_t>(module_.out.module.functions.size());
        plan.clause_functions = std::move(clause_functions_);
        module_.out.schema.programs.push_back(std::move(plan));
    }

    /// Lowers the code of the whole program. At its end, control is in block `leave`.
    void lower_firing(ir::Builder& b, Context& context, const Group& group, const std::vector<Planned>& planned,
                      ir::BlockId leave)
    {
        // The ERROR clauses of a fault find the scratch slot through the frame, like all clauses of the firing.
        const bool faults = needs(planned, &Needs::faults);
        const bool scratch = needs(planned, &Needs::scratch) || (error_scratch_ && faults);
        // If is_one is set, one function contains all statements; otherwise there are several.
        const bool is_one = weight(planned) <= 1;
        const ir::BlockId others = group.others && context.is_timed ? b.block() : leave;

        context.done = b.block();
        ProgramEntry(module_, b, group, leave, others)
            .find_probe(context, is_one ? shared_arguments(planned) : std::set<uint32_t>());
        const Value stands_for = sample_out(context, group, leave);
        count_hit_start(context, group.first_counted);
        make_frame(b, context, planned, scratch);
        store_weight(context, stands_for);
        begin_cost(context, group.first_counted);
        if (faults)
            context.error_function = errors_.at(group.plan->kind_info().context);
        if (is_one) {
            share_unkeyed(context, planned);
            for (std::size_t i = 0; i < planned.size(); ++i) {
                context.slot_is_free = std::none_of(planned.begin(), planned.begin() + static_cast<std::ptrdiff_t>(i),
                                                    [](const Planned& p) { return p.needs.scratch; });
                lower_statement(b, context, planned[i], i > 0);
            }
        } else {
            call_chunks(b, context, planned);
        }
        b.jump(context.done);
        b.enter(context.done);
        count_hit(context, group.first_counted);
        release(b, context, scratch);
        end_cost(context, group);
        b.jump(leave);
        if (others != leave) {
            b.enter(others);
            b.is_cold();
            count_other(context, *group.others, leave);
        }
    }

    static bool needs(const std::vector<Planned>& planned, bool Needs::*what)
    {
        return std::any_of(planned.begin(), planned.end(), [what](const Planned& p) { return p.needs.*what; });
    }

    /// Returns the number of functions over which the statements should be distributed.
    static std::size_t weight(const std::vector<Planned>& planned)
    {
        std::size_t instructions = 0;
        for (const Planned& p : planned)
            instructions += p.needs.instructions;
        return (instructions + kFunctionBudget - 1) / kFunctionBudget;
    }

    /// Resets the state for the next program of the object.
    void begin(const ProgramKindInfo& kind, std::string chunk_name, const std::vector<Planned>& planned)
    {
        chunk_name_ = std::move(chunk_name);
        kind_ = &kind;
        budget_ = std::max(kFunctionBudget, weight(planned) * kFunctionBudget / kMaxChunks);
        chunks_ = 0;
        clause_functions_.clear();
    }

    static bool is_long(const Planned& planned) { return planned.needs.instructions > kMaxInOne; }

    /// Creates the frame. Programs must write all its bytes before they pass it to a subprogram.
    void make_frame(ir::Builder& b, Context& context, const std::vector<Planned>& planned, bool scratch)
    {
        const bool chunks = weight(planned) > 1, faults = needs(planned, &Needs::faults);
        // Both copies of the code use the same stack slots, so each is created only once.
        const auto slot = [&](std::optional<uint32_t>& kept, uint32_t size) {
            if (!kept)
                kept = b.slot(size);
            return b.stack_addr(*kept);
        };
        context.frame = slot(frame_slot_, frame_size());
        if (scratch && !chunks && !(faults && error_scratch_)) {
            context.slot_cell = slot(slot_cell_, 8);
            b.store(8, context.slot_cell, 0, b.constant(0));
        }
        if (chunks || faults)
            b.store(8, context.frame, FrameLayout::kSlot, b.constant(0));
        for (uint32_t at = FrameLayout::kFault; chunks && at < FrameLayout::kThis; at += 8)
            b.store(8, context.frame, at, b.constant(0));
        for (uint32_t at = 0; at < module_.layout.this_stack_size(); at += 8)
            b.store(8, context.frame, FrameLayout::kThis + at, b.constant(0));
        for (uint32_t i = 0; i < context.span.size() && module_.layout.has_span_words(); ++i)
            b.store(8, context.frame, FrameLayout::kThis + module_.layout.span_words() + 8 * i, context.span[i]);
    }

    void release(ir::Builder& b, Context& context, bool scratch)
    {
        if (!scratch)
            return;
        const bool by_number = context.slot_cell == kNone;
        const Value slot = by_number ? b.load(8, context.frame, FrameLayout::kSlot)
                                     : b.load(8, context.slot_cell, 0, Mem::MapOrNull, 8);
        const ir::BlockId held = b.block(), done = b.block();
        b.branch(Op::Ne, slot, b.constant(0), held, done);
        b.enter(held);
        b.store(8, by_number ? module_.functions.claimed_slot(b, slot, done) : b.not_null(slot), 0, b.constant(0));
        b.jump(done);
        b.enter(done);
    }

    void lower_statement(ir::Builder& b, Context& context, const Planned& planned, bool later = false)
    {
        const ir::BlockId next = b.block();
        const Statement& statement = *planned.use.statement;
        const bool is_timed = times_alone(context, planned.use);
        const ir::BlockId ends = is_timed || counts_clauses(context) ? b.block() : next;
        b.at(statement.at);
        if (later && module_.layout.has_exit() && !is_end(context)) {
            // After an exit() on any CPU, no clause starts any more.
            const ir::BlockId go = b.block();
            const Value activity =
                b.load(4, b.data_addr(module_.data.state(), sizeof(dt_state)), offsetof(dt_state, activity));
            b.branch(Op::ULe, activity, b.constant(DT_HANDOVER), go, context.done);
            b.enter(go);
        }
        if (context.ecb != kNone && !planned.use.all) {
            const ir::BlockId applies = b.block();
            const Value word = b.load(8, context.ecb, static_cast<int64_t>(sizeof(dt_ecb) + planned.use.bit / 64 * 8));
            const Value bit =
                b.binary(Op::And, word, b.constant(static_cast<int64_t>(uint64_t{1} << (planned.use.bit % 64))));
            b.branch(Op::Ne, bit, b.constant(0), applies, next);
            b.enter(applies);
        }
        context.shape = planned.use.probes.empty() ? nullptr : planned.use.probes.front();
        context.statement_number_at = planned.use.number_at;
        count_clause_start(context, statement);
        ClauseLowering clause(context, statement, planned.needs);
        if (is_long(planned)) {
            const auto add = [&](const auto& body) {
                return call_new(b, context, [&](ir::Builder&, Context& inner) { body(inner); });
            };
            clause.lower_in_parts({add, budget_}, ends);
        } else {
            clause.lower(ends);
        }
        b.at(ir::kNoText);
        if (ends != next) {
            b.enter(ends);
            count_clause(context, statement);
            if (is_timed)
                end_clause_cost(context, statement);
            b.jump(next);
        }
        keep_schema(planned.use, std::move(clause.schema()));
        context.stack.used = 0;
        b.enter(next);
    }

    /// Stores the schema of a statement for all statements that share its code.
    void keep_schema(const GroupStatement& use, StatementSchema schema)
    {
        std::vector<StatementSchema>& all = module_.out.schema.statements;
        const uint32_t id = schema.id;
        for (const auto& [probe, owner] : use.owners) {
            if (owner->id == id || all[owner->id].code_of.count(id) != 0)
                continue;
            std::set<uint32_t> code_of = std::move(all[owner->id].code_of);
            code_of.insert(id);
            all[owner->id] = schema;
            all[owner->id].id = owner->id;
            all[owner->id].code_of = std::move(code_of);
        }
        // The statement keeps its list `code_of`, because in another program it may run the code of a different
        // statement.
        schema.code_of = std::move(all[id].code_of);
        all[id] = std::move(schema);
    }

    /// Returns whether the time of the statement is measured separately (-x cost). The time of a program's last
    /// statement ends with the firing.
    bool times_alone(const Context& context, const GroupStatement& use) const
    {
        return module_.options.times_hits() && context.is_timed && !context.in_error && use.statement != last_;
    }

    static bool is_end(const Context& context) { return context.shape && context.shape->id == kEndProbe; }

    /// Creates a function that receives the firing's frame, lets `fill` emit its code, and emits a call of it. Yields
    /// the call's result, a Parts::Result.
    template <typename Fill> Value call_new(ir::Builder& caller, const Context& outer, const Fill& fill)
    {
        ir::Function f = part(chunk_name_ + std::to_string(chunks_++), *kind_,
                              outer.ecb == kNone ? 0 : caller.instr(outer.ecb).region);
        ir::Builder b(f);
        Context context = outer;
        static_cast<FunctionContext&>(context) = {};
        context.b = &b;
        context.calls = outer.calls + 1;
        context.done = b.block();
        take_parameters(b, context);
        fill(b, context);
        b.enter(context.done);
        b.ret(b.constant(Parts::kDone));
        module_.out.module.functions.push_back(std::move(f));
        const uint32_t index = static_cast<uint32_t>(module_.out.module.functions.size() - 1);
        clause_functions_.push_back(index);
        std::vector<Value> arguments{outer.context, outer.frame};
        if (outer.ecb != kNone)
            arguments.push_back(outer.ecb);
        return caller.call_local(index, std::move(arguments));
    }

    /// Lowers statements in order into subprograms of limited size.
    void call_chunks(ir::Builder& main, Context& outer, const std::vector<Planned>& planned)
    {
        for (std::size_t i = 0; i < planned.size();) {
            if (is_long(planned[i])) {
                lower_statement(main, outer, planned[i], i > 0);
                ++i;
                continue;
            }
            const Value stop = call_new(main, outer, [&](ir::Builder& b, Context& context) {
                std::size_t used = 0;
                do {
                    used += planned[i].needs.instructions;
                    lower_statement(b, context, planned[i], i > 0);
                    ++i;
                } while (i < planned.size() && !is_long(planned[i]) && used + planned[i].needs.instructions <= budget_);
                b.ret(b.constant(Parts::kContinue));
            });
            const ir::BlockId on = main.block();
            main.branch(Op::Ne, stop, main.constant(Parts::kContinue), outer.done, on);
            main.enter(on);
        }
    }

    ModuleLowering module_;
    const ProgramKindInfo* kind_ = nullptr; ///< kind of the program being lowered
    const Statement* last_ = nullptr;       ///< last statement of the program
    /// two stack slots: for the frame, and for the pointer to the scratch slot (FunctionContext::slot_cell)
    std::optional<uint32_t> frame_slot_, slot_cell_;
    std::size_t budget_ = 0, chunks_ = 0;          ///< maximum size of the program's functions, and their number so far
    std::string chunk_name_;                       ///< prefix of the functions' names
    std::vector<uint32_t> clause_functions_;       ///< indices of the functions with clauses lowered so far
    std::shared_ptr<const AttachPlan> error_plan_; ///< attach plan of ERROR; null if ERROR has no clause
    bool error_scratch_ = false;                   ///< whether ERROR clauses need the scratch slot
    /// for each context type, index of the function that lower_errors() has created
    std::map<std::string_view, uint32_t> errors_;
};

} // namespace

Lowered lower(const Program& program, World& world, const CompileOptions& options, Diagnostics& diagnostics,
              StackUse stack, const ObjectParts& parts, PhaseTimes* steps)
{
    return Programs({program, world, options, diagnostics, stack, parts}).run(steps);
}

namespace {

/// Returns whether the consumer prints a line for the sample. For a clause with only commit() and discard() it does
/// not.
bool has_line(const StatementSchema& s)
{
    return s.records.empty() || std::any_of(s.records.begin(), s.records.end(),
                                            [](const Record& r) { return !r.action || !r.action->has(kSpeculation); });
}

/// Creates the maps of an aggregation that later objects of the trace may use.
void make_shared_maps(ModuleLowering& module, const Aggregation& aggregation, const AggregationSchema& schema)
{
    if (!schema.short_keys_map.empty())
        module.maps.short_keys_map(aggregation);
    if (schema.overflow_map.empty())
        return;
    module.maps.overflow(aggregation);
    module.data.overflow_keys();
}

/// Creates maps also for aggregations whose clauses match no probe, because the consumer reads all aggregations.
void make_untouched_maps(ModuleLowering& module)
{
    for (const Aggregation& aggregation : module.program.aggregations) {
        AggregationSchema& schema = module.out.schema.aggregations[aggregation.id];
        if (!aggregation.function)
            continue;
        if (!module.maps.has(schema.map))
            schema.key_size == 0 ? module.maps.unkeyed(schema) : module.maps.aggregation(aggregation);
        if (module.parts.may_follow || module.parts.is_later)
            make_shared_maps(module, aggregation, schema);
        if (!schema.overflow_map.empty() && !module.maps.has(schema.overflow_map))
            schema.overflow_map.clear();
    }
}

} // namespace

void finish_schema(ModuleLowering& module)
{
    Schema& schema = module.out.schema;
    schema.scratch_size = module.layout.scratch_size;
    for (StatementSchema& s : schema.statements) {
        const Statement& statement = module.program.statements[s.id];
        s.clause = statement.description;
        s.prints_line = statement.records && has_line(s);
        if (emits_sample(statement))
            schema.largest_sample = std::max<uint32_t>(schema.largest_sample, sizeof(dt_sample) + s.data_size);
    }
    module.maps.buffers();
    module.maps.losses();
    make_untouched_maps(module);
}

// Finds values that the statements of a program share: arguments that several statements read, and map elements that
// several update.

/// Returns the arguments that several statements read, but not more than fit in registers. For a single statement,
/// returns those that it reads first.
std::set<uint32_t> shared_arguments(std::span<const Planned> planned)
{
    constexpr std::size_t kMax = 2;
    if (planned.size() == 1) {
        const Needs& only = planned.front().needs;
        return planned.front().use.statement->predicate ? only.predicate_arguments : only.call_arguments;
    }
    std::set<uint32_t> read, shared;
    for (const Planned& p : planned)
        for (const uint32_t index : p.needs.call_arguments)
            if (!read.insert(index).second && shared.size() < kMax)
                shared.insert(index);
    return shared;
}

namespace {

/// Minimum number of statements with predicates that make a shared lookup worthwhile. If all predicates are false, the
/// lookup was useless and costs as much as one predicate; otherwise it saves at least one lookup.
constexpr std::size_t kManyUsers = 4;

} // namespace

/// Emits lookups of the elements with values of aggregations without keys, at the start of the program. An element is
/// looked up there if many statements use it, or if at least two use it in every firing. Other elements are looked up
/// in the statement, so that a firing whose predicates are false does no lookup. If a lookup at the start fails, the
/// firing ends. So the verifier need not follow a second state.
void share_unkeyed(Context& context, std::span<const Planned> planned)
{
    std::map<std::string, std::size_t> users;
    for (const Planned& p : planned)
        for (const auto& [map, aggregation] : p.needs.unkeyed)
            users[map] += context.ecb == ir::kNone || p.use.all;
    for (const Planned& p : planned)
        for (const auto& [map, aggregation] : p.needs.unkeyed)
            if (const bool always = p.needs.always_unkeyed.contains(map); (context.ecb == ir::kNone || p.use.all) &&
                                                                          users[map] >= (always ? 2 : kManyUsers) &&
                                                                          !context.unkeyed.contains(map)) {
                ClauseLowering clause(context, *p.use.statement, {});
                const AggregationSchema& schema = context.module.layout.agg_schema(*aggregation);
                context.unkeyed[map] = clause.aggregations.unkeyed_element(schema, context.done);
                context.stack.used = 0;
            }
}

} // namespace dt::lower
