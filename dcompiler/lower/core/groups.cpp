// Requests attach plans for the probes of a program, and distributes its statements to them. A statement is a clause
// for one of its probe descriptions. If a clause means the same for two descriptions, its two statements share one
// piece of code.
#include "dcompiler/lower/core/groups.hpp"

#include <iterator>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "dcompiler/sema/program/builtins.hpp"

namespace dt::lower {

/// Returns whether the statements have the same code in programs of one attach plan. Uses of args[] are equal if they
/// read the same arguments with the same types. The comparison takes time proportional to the clause's size, but most
/// differences are found early.
bool is_same_code(const Statement& a, const Statement& b, ProbeSource& probes);

namespace {

using Probes = std::vector<const Probe*>;

bool by_id(const Probe* a, const Probe* b)
{
    return a->id < b->id;
}

/// Sorts probes by id and removes duplicates.
void make_set(Probes& probes)
{
    if (!std::is_sorted(probes.begin(), probes.end(), by_id))
        std::sort(probes.begin(), probes.end(), by_id);
    probes.erase(std::unique(probes.begin(), probes.end()), probes.end());
}

using Plans = std::vector<std::shared_ptr<const AttachPlan>>;

/// Splits an attach plan into one plan for each attach cookie of its targets. The cookie becomes the new plan's
/// constant selector. So kernels where programs cannot read cookies have a program for each probe.
void split_by_cookie(const AttachPlan& plan, Plans& plans)
{
    AttachPlan common = plan;
    common.targets.clear();
    common.probes.clear();
    common.per_process_selectors.clear();
    common.return_probe_ranges.clear();
    std::map<uint64_t, AttachPlan> by_cookie;
    for (const AttachTarget& target : plan.targets) {
        AttachPlan& part = by_cookie.try_emplace(target.cookie, common).first->second;
        part.targets.push_back(target);
        part.targets.back().cookie = 0;
    }
    std::map<uint64_t, AttachPlan*> by_selector;
    for (auto& [cookie, part] : by_cookie) {
        part.selector = Location{Location::Kind::Constant, 0, static_cast<int64_t>(cookie)};
        by_selector[cookie] = &part;
    }
    for (const PerProcessSelector& each : plan.per_process_selectors)
        if (const auto part = by_cookie.find(each.common_selector); part != by_cookie.end()) {
            part->second.per_process_selectors.push_back(each);
            by_selector[each.selector] = &part->second;
        }
    std::map<const Probe*, AttachPlan*> by_probe;
    for (const PlannedProbe& planned : plan.probes)
        if (const auto part = by_selector.find(planned.selector); part != by_selector.end()) {
            part->second->probes.push_back(planned);
            by_probe[planned.probe] = part->second;
        }
    for (const ReturnProbeRange& range : plan.return_probe_ranges)
        if (const auto part = by_probe.find(range.probe); part != by_probe.end())
            part->second->return_probe_ranges.push_back(range);
    for (auto& [cookie, part] : by_cookie) {
        if (part.probes.size() == 1 && part.per_process_selectors.empty())
            part.selector = std::nullopt;
        if (&part != &by_cookie.begin()->second)
            // one program answers the is-enabled checks of processes for all these plans
            part.is_enabled_probe = nullptr;
        plans.push_back(std::make_shared<const AttachPlan>(std::move(part)));
    }
}

/// Returns whether a clause records the kernel stack of the current thread.
bool records_kernel_stacks(const Program& program)
{
    const auto records = [](const auto& node) {
        return node.action && node.action->has(kStack) && !node.action->has(kOfProcess) && !node.action->has(kOfWaker);
    };
    return std::any_of(program.exprs.begin(), program.exprs.end(), records) ||
           std::any_of(program.stmts.begin(), program.stmts.end(), records);
}

/// Splits an attach plan for function returns into one plan per function, so that each program knows its function. If
/// the targets are alternative names of one function, the only plan has the first name that the kernel knows. All plans
/// share the hook at the functions' entries.
void split_by_function(const AttachPlan& plan, World& world, Plans& plans)
{
    std::vector<AttachTarget> targets = plan.targets;
    if (plan.alternatives) {
        const auto is_there = [&](const AttachTarget& each) { return world.symbol({}, each.where).has_value(); };
        const auto found = std::find_if(targets.begin(), targets.end(), is_there);
        targets = {found == targets.end() ? targets.front() : *found};
    }
    for (AttachTarget& target : targets) {
        AttachPlan part = plan;
        part.targets = {std::move(target)};
        part.alternatives = false;
        plans.push_back(std::make_shared<const AttachPlan>(std::move(part)));
    }
}

/// Returns plans whose programs can identify the fired probe. If they record kernel stacks at function returns, they
/// can also identify the function. Newer kernels have helpers for both; for these kernels the plans are returned
/// unchanged.
Plans identifying(Plans planned, const Program& program, World& world)
{
    const Features& features = world.features();
    Plans probes, functions;
    for (auto& plan : planned)
        if (plan->selector && plan->selector->kind == Location::Kind::Cookie && !features.attach_cookie)
            split_by_cookie(*plan, probes);
        else
            probes.push_back(std::move(plan));
    if (features.func_ip || !records_kernel_stacks(program))
        return probes;
    for (auto& plan : probes)
        if (plan->kind_info().stack == StackBegin::Returned && plan->targets.size() > 1)
            split_by_function(*plan, world, functions);
        else
            functions.push_back(std::move(plan));
    return functions;
}

/// Requests attach plans for all enabled probes. If a clause of a probe calls return(), the probe is attached to a hook
/// that can replace the function's result.
Plans plans_of(const Program& program, World& world)
{
    ProbeSource& source = world.probes();
    Probes overridden, enabled, usual;
    for (const Statement& statement : program.statements) {
        Probes& probes = statement.overrides ? overridden : enabled;
        probes.insert(probes.end(), statement.probes.begin(), statement.probes.end());
    }
    make_set(overridden);
    make_set(enabled);
    std::set_difference(enabled.begin(), enabled.end(), overridden.begin(), overridden.end(), std::back_inserter(usual),
                        by_id);
    ProbeNeeds needs;
    for (const Statement& statement : program.statements)
        if (!statement.variables.empty())
            for (const Probe* probe : statement.probes)
                needs.variables[probe].insert(statement.variables.begin(), statement.variables.end());
    Plans planned = source.plan(usual, needs);
    needs.overrides = true;
    if (!overridden.empty())
        for (auto& plan : source.plan(overridden, needs))
            planned.push_back(std::move(plan));
    return identifying(std::move(planned), program, world);
}

/// Assigns a bit in dt_ecb.mask to each statement that does not apply to all probes of the group. For code that several
/// statements share, assigns an offset in dt_ecb, which will contain the id of the statement that applies to the probe.
void number_statements(Group& group)
{
    for (GroupStatement& s : group.statements) {
        std::sort(s.probes.begin(), s.probes.end());
        s.probes.erase(std::unique(s.probes.begin(), s.probes.end()), s.probes.end());
        s.all = s.probes.size() == group.plan->probes.size();
        if (!s.all)
            s.bit = group.mask_bits++;
    }
    for (GroupStatement& s : group.statements)
        if (!s.owners.empty())
            s.number_at = group.numbers_at() + 4 * group.numbers++;
}

/// Returns whether the statement may share the code of the statement before it. Statements that match the same probe
/// cannot share code, because it must then run twice for that probe.
bool may_join(const GroupStatement& before, const Statement& statement, const Probes& probes, ProbeSource& source)
{
    if (!is_same_code(*before.statement, statement, source))
        return false;
    const std::unordered_set<const Probe*> these(probes.begin(), probes.end());
    return std::none_of(before.probes.begin(), before.probes.end(),
                        [&](const Probe* probe) { return these.count(probe) != 0; });
}

void enable(Group& group, const Statement& statement, Probes probes, ProbeSource& source)
{
    if (group.statements.empty() || !may_join(group.statements.back(), statement, probes, source)) {
        group.statements.push_back({&statement, std::move(probes), false, 0, {}, 0});
        return;
    }
    GroupStatement& before = group.statements.back();
    if (before.owners.empty())
        for (const Probe* probe : before.probes)
            before.owners[probe] = before.statement;
    for (const Probe* probe : probes)
        before.owners[probe] = &statement;
    before.probes.insert(before.probes.end(), probes.begin(), probes.end());
}

/// A probe and the attach plan to which it belongs. Lists of these pairs are sorted by probe, because look-ups among
/// tens of thousands must be fast.
struct Served {
    const Probe* probe;
    const std::shared_ptr<const AttachPlan>* plan;
};

std::vector<Served> served_by(const Plans& plans)
{
    std::vector<Served> served;
    for (const auto& plan : plans)
        for (const PlannedProbe& planned : plan->probes)
            served.push_back({planned.probe, &plan});
    std::stable_sort(served.begin(), served.end(),
                     [](const Served& a, const Served& b) { return a.probe->id < b.probe->id; });
    return served;
}

/// Returns the statement's probes grouped by attach plan. The plans are in the order of their first probe.
std::vector<std::pair<std::shared_ptr<const AttachPlan>, Probes>> dealt_out(const Statement& statement,
                                                                            const std::vector<Served>& served)
{
    std::vector<std::pair<std::shared_ptr<const AttachPlan>, Probes>> dealt;
    std::unordered_map<const AttachPlan*, std::size_t> index;
    auto at = served.begin();
    for (const Probe* probe : statement.probes) {
        // fast path: the next entry of `served` is usually that of the statement's next probe
        if (at == served.end() || at->probe != probe)
            at = std::partition_point(served.begin(), served.end(),
                                      [probe](const Served& each) { return each.probe->id < probe->id; });
        for (; at != served.end() && at->probe == probe; ++at) {
            const auto [place, is_new] = index.try_emplace(at->plan->get(), dealt.size());
            if (is_new)
                dealt.push_back({*at->plan, {}});
            dealt[place->second].second.push_back(probe);
        }
    }
    return dealt;
}

} // namespace

std::vector<uint32_t> Group::statements_of(const Probe& probe) const
{
    std::vector<uint32_t> numbers;
    for (const GroupStatement& use : statements)
        if (use.all || std::binary_search(use.probes.begin(), use.probes.end(), &probe)) {
            const auto owner = use.owners.find(&probe);
            numbers.push_back(owner == use.owners.end() ? use.statement->id : owner->second->id);
        }
    return numbers;
}

std::vector<Group> group_by_plan(const Program& program, World& world, Group& errors)
{
    ProbeSource& source = world.probes();
    const Plans plans = plans_of(program, world);
    const std::vector<Served> served = served_by(plans);
    std::vector<Group> groups;
    std::unordered_map<const AttachPlan*, std::size_t> index;
    for (const Statement& statement : program.statements)
        for (auto& [plan, probes] : dealt_out(statement, served)) {
            const bool is_error = plan->kind_info().section.empty();
            if (!is_error && index.try_emplace(plan.get(), groups.size()).second)
                groups.push_back({plan, {}, 0});
            Group& group = is_error ? errors : groups[index.at(plan.get())];
            group.plan = plan;
            enable(group, statement, std::move(probes), source);
        }
    for (Group& group : groups)
        number_statements(group);
    if (errors.plan)
        number_statements(errors);
    return groups;
}

// Compares the typed trees of two statements. Corresponding nodes must have the same position in the source text, so
// that line numbers and reports of faults are equal too.

namespace {

bool is_same_place(const Span& a, const Span& b)
{
    return a.source == b.source && a.offset == b.offset && a.length == b.length;
}

class Comparison {
public:
    Comparison(const Statement& a, const Statement& b, ProbeSource& probes) : a_(a), b_(b), probes_(probes) {}

    bool holds()
    {
        if (!add(a_.predicate, b_.predicate) || !add(a_.body, b_.body))
            return false;
        while (!exprs_.empty() || !stmts_.empty()) {
            if (!exprs_.empty()) {
                const auto [a, b] = exprs_.back();
                exprs_.pop_back();
                if (!is_same(*a, *b) || !add(a->kids, b->kids))
                    return false;
                continue;
            }
            const auto [a, b] = stmts_.back();
            stmts_.pop_back();
            if (!is_same(*a, *b) || !add(a->expr, b->expr) || !add(a->then, b->then) ||
                !add(a->otherwise, b->otherwise) || !add(a->args, b->args) || !add(a->keys, b->keys))
                return false;
        }
        return true;
    }

private:
    bool add(const TExpr* a, const TExpr* b)
    {
        if (a && b)
            exprs_.emplace_back(a, b);
        return !a == !b;
    }

    bool add(const std::vector<TExpr*>& a, const std::vector<TExpr*>& b)
    {
        bool good = a.size() == b.size();
        for (std::size_t i = 0; good && i < a.size(); ++i)
            good = add(a[i], b[i]);
        return good;
    }

    bool add(const std::vector<TStmt*>& a, const std::vector<TStmt*>& b)
    {
        if (a.size() != b.size())
            return false;
        for (std::size_t i = 0; i < a.size(); ++i)
            stmts_.emplace_back(a[i], b[i]);
        return true;
    }

    static bool is_same(const TStmt& a, const TStmt& b)
    {
        return a.kind == b.kind && is_same_place(a.at, b.at) && a.action == b.action &&
               a.aggregation == b.aggregation && a.aggregations == b.aggregations && a.has_format == b.has_format &&
               a.format == b.format;
    }

    bool is_same(const TExpr& a, const TExpr& b)
    {
        return a.op == b.op && a.type == b.type && is_same_place(a.at, b.at) && a.value == b.value &&
               a.variable == b.variable && a.builtin == b.builtin && a.subroutine == b.subroutine &&
               a.action == b.action && a.member == b.member && a.compound == b.compound && a.post == b.post &&
               a.is_signed == b.is_signed && a.scratch == b.scratch && a.text == b.text && is_same_argument(a);
    }

    /// Compares the arguments that args[n] denotes in two statements; they depend on the probes' signatures.
    bool is_same_argument(const TExpr& e)
    {
        if (e.op != TOp::Builtin || e.builtin->role != VariableRole::Arguments)
            return true;
        const auto place = [&](const Statement& statement) {
            return probes_.signature(*statement.probes.front()).arguments.at(static_cast<std::size_t>(e.value)).mapping;
        };
        return place(a_) == place(b_);
    }

    const Statement& a_;
    const Statement& b_;
    ProbeSource& probes_;
    std::vector<std::pair<const TExpr*, const TExpr*>> exprs_; ///< pairs of nodes that are not compared yet
    std::vector<std::pair<const TStmt*, const TStmt*>> stmts_;
};

} // namespace

bool is_same_code(const Statement& a, const Statement& b, ProbeSource& probes)
{
    const bool is_same_clause = a.program == b.program && a.body.size() == b.body.size() &&
                                (a.body.empty() || is_same_place(a.body[0]->at, b.body[0]->at)) &&
                                a.records == b.records && a.speculates == b.speculates &&
                                a.conditional_records == b.conditional_records && a.overrides == b.overrides;
    return is_same_clause && Comparison(a, b, probes).holds();
}

} // namespace dt::lower
