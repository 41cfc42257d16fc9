// Computes the estimate from the firing rates that generated minimal programs (counting programs) count, and from the
// modelled time of the final program.
#include "libdtrace/estimate/estimate.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <random>
#include <set>
#include <string_view>
#include <unordered_map>

#include "dcompiler/interface/probes.hpp"
#include "libdtrace/consumer/consumer.hpp"
#include "libdtrace/estimate/hook_costs.hpp"
#include "libdtrace/output/output.hpp"
#include "libdtrace/trace/program_set.hpp"

namespace dt {
namespace {

using SteadyClock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

// If the kernel can attach probes only one by one and there are more probes than this, a random selection of them is
// attached and counted. Attaching a single probe takes up to 70 ms.
constexpr std::size_t kMaxSingly = 256;
// Number of samples per second from which the consumer opens mmap rings: 500 samples per pass of 100 ms.
constexpr double kSamplesOfMmapRings = 5000;
constexpr std::size_t kFew = 16;
constexpr std::chrono::milliseconds kLongestPass{100};

/// Expected cost of one firing of a probe.
struct PlannedProbe {
    double time = 0, fast_time = 0; ///< time of the programs in ns, without and with mmap rings
    /// part of `time`, in ns, that the counting program needs too, for example for predicates
    double asking = 0;
    double samples = 0, bytes = 0;
    /// has_predicate: some clause of the probe has a predicate. has_other_predicate: some clause has a predicate that
    /// the counting programs cannot evaluate.
    bool has_predicate = false, has_other_predicate = false;
};

bool fires(const Probe& probe)
{
    return probe.id != kBeginProbe && probe.id != kEndProbe && probe.id != kErrorProbe;
}

class Estimator {
public:
    Estimator(const EstimateRequest& request, const EstimateListener& listener) : request_(request), listener_(listener)
    {
    }

    Result<std::optional<double>> run()
    {
        plan();
        done(request_.steps, "cost of the code");
        estimate_.all = estimate_.counted = planned_.size();
        estimate_.cpus = static_cast<uint32_t>(std::max(sysconf(_SC_NPROCESSORS_ONLN), 1L));
        if (planned_.empty()) {
            listener_(estimate_);
            return std::optional<double>();
        }
        if (Result<void> opened = nowhere_.open("/dev/null"); !opened)
            return opened.error();
        evaluates_predicates_ = std::any_of(statements().begin(), statements().end(), [](const Statement& statement) {
            return !portable_predicate(statement).empty();
        });
        const bool are_single = rehearse();
        done(request_.steps, "rehearsal");
        Result<void> counted = are_single ? Result<void>() : load(counting_program(statements()));
        // The counting program may not compile because a predicate uses a name that only the script defines. If so, it
        // is compiled again without predicates.
        if (!counted) {
            evaluates_predicates_ = false;
            counted = load(counting_program(probes_));
        }
        if (counted && (are_single || singly_attached() > kMaxSingly)) {
            estimate_.counted = kMaxSingly;
            evaluates_predicates_ = false;
            counted = load(counting_program(pick(kMaxSingly)), Which::Picked);
        }
        if (counted)
            counted = count();
        if (!counted)
            return counted.error();
        listener_(estimate_);
        return std::optional(detach());
    }

private:
    const std::deque<Statement>& statements() const { return request_.compiler.program().statements; }

    /// Computes, for each probe, the data that do not depend on firings: the modelled time of its programs, and its
    /// samples.
    void plan()
    {
        const Schema& schema = request_.trace.object().schema;
        for (const Statement& statement : statements())
            for (const Probe* probe : statement.probes) {
                if (!fires(*probe))
                    continue;
                const auto [planned, is_new] = planned_.try_emplace(probe->id);
                if (is_new)
                    probes_.push_back(probe);
                planned->second.has_predicate |= statement.predicate != nullptr;
                planned->second.has_other_predicate |= has_other_predicate(statement);
                if (statement.id < schema.statements.size() && statement.records) {
                    planned->second.samples += 1;
                    planned->second.bytes += static_cast<double>(sizeof(dt_sample)) +
                                             static_cast<double>(schema.statements[statement.id].data_size);
                }
            }
        ProgramCostModel slow(request_.trace.object(), prices_, false), fast(request_.trace.object(), prices_, true);
        for (const ProgramPlan& program : schema.programs) {
            const double time = slow.time_of_program(program.name), fast_time = fast.time_of_program(program.name);
            for (const uint32_t id : program.probes)
                if (const auto planned = planned_.find(id); planned != planned_.end()) {
                    planned->second.time += time;
                    planned->second.fast_time += fast_time;
                }
        }
    }

    /// Returns the script's options for a counting program, without the script's cost limit and argument checks. If
    /// `counts` is set, firings are counted. If the counting program evaluates predicates, the outcomes of firings are
    /// also counted.
    Options options(bool counts) const
    {
        Options options = request_.trace.options();
        for (const char* option : {"quiet", "zdefs", "argref"})
            options.put(option);
        options.put("cost", counts ? "on" : "off");
        options.put("hits", counts && evaluates_predicates_ ? "on" : "off");
        if (options.compile().maxcost != 0)
            options.put("maxcost", "100%");
        return options;
    }

    enum class Which { All, Picked, Rehearsal };

    /// Compiles and loads a counting program without attaching it. If only some probes are selected, it is no error
    /// that the kernel lacks some of them.
    Result<void> load(const std::string& text, Which which = Which::All)
    {
        counting_.emplace(request_.session, options(true));
        counting_->record_phases(request_.steps);
        AttachListener listener;
        listener.wants_all = which == Which::All;
        listener.goes_on = which != Which::Rehearsal;
        counting_->set_attach_listener(std::move(listener));
        if (!counting_->add({Source::Kind::Script, "estimate.d", text}, SpecKind::Script, request_.macros))
            return Error{"could not enable tracing: cannot compile a program that counts the probes"};
        if (Result<void> compiled = counting_->compile(); !compiled)
            return compiled;
        // The counting program was compiled but not loaded, because the caller will select some of the probes and try
        // again.
        if (which == Which::All && singly_attached() > kMaxSingly)
            return {};
        begin_ = SteadyClock::now();
        return counting_->load();
    }

    /// Attaches a few probes for a trial: some kernels load programs that they cannot attach, and then a fallback is
    /// used. Returns true if each probe must be attached separately. In that case nothing is attached, because
    /// detaching would take a second.
    bool rehearse()
    {
        bool are_single = false;
        if (planned_.size() > kMaxSingly && load(counting_program(pick(kFew)), Which::Rehearsal)) {
            if (singly_attached() < kFew)
                // called for its side effect: attaching may replace the plan by a fallback plan
                static_cast<void>(counting_->attach(nowhere_));
            are_single = singly_attached() >= kFew;
        }
        counting_.reset();
        return are_single;
    }

    /// Computes, by the cost model, the time in ns by which counting makes each firing longer.
    double cost_of_counters()
    {
        const std::string text = counting_program(std::span(&probes_.front(), 1));
        double with_counters = 0, without = 0;
        // Two traces of the same clause, one without and one with counters, have the same attach plans. So the
        // difference between their modelled times is the time of counting.
        Trace plain(request_.session, options(false)), counting(request_.session, options(true));
        for (Trace* one : {&plain, &counting}) {
            if (!one->add({Source::Kind::Script, "counter.d", text}, SpecKind::Script, request_.macros) ||
                !one->compile())
                return 0;
            ProgramCostModel model(one->object(), prices_, false);
            for (const ProgramPlan& program : one->object().schema.programs)
                (one == &counting ? with_counters : without) += model.time_of_program(program.name);
        }
        return std::max(with_counters - without, 0.0);
    }

    /// Models the time of the counting programs without their counters. The measured cost of firings already includes
    /// this time, so the estimate must not add it again.
    void plan_counting()
    {
        const double counters = cost_of_counters();
        ProgramCostModel model(counting_->object(), prices_, false);
        for (const ProgramPlan& program : counting_->object().schema.programs) {
            const double time = std::max(model.time_of_program(program.name) - counters, 0.0);
            for (const uint32_t id : program.probes)
                if (const auto planned = planned_.find(id); planned != planned_.end())
                    planned->second.asking += time;
        }
    }

    std::size_t singly_attached() const
    {
        std::size_t count = 0;
        for (const ProgramPlan& program : counting_->object().schema.programs)
            count += info(program.plan->kind).attached_singly ? program.plan->targets.size() : 0;
        return count;
    }

    std::vector<const Probe*> pick(std::size_t count)
    {
        std::vector<const Probe*> picked;
        std::sample(probes_.begin(), probes_.end(), std::back_inserter(picked), count,
                    std::minstd_rand(std::random_device()()));
        return picked;
    }

    Result<void> count()
    {
        std::set<HookKind> kinds = hooks_of(counting_->object().schema);
        // The estimate also needs the overhead of the hooks that the script itself would use, even if the kernel
        // refused these hooks for the counting programs.
        for (const ProgramPlan& program : request_.trace.object().schema.programs)
            kinds.insert(program.plan->hook_kind());
        plan_counting();
        dt::done(request_.steps, "cost of the counting code");
        const SteadyClock::time_point loaded = SteadyClock::now();
        counting_->set_hook_overheads(measure_hook_overheads(kinds, false, true));
        dt::done(request_.steps, "costs of hooks");
        const SteadyClock::time_point priced = SteadyClock::now();
        Result<void> done = counting_->attach(nowhere_);
        if (!done)
            return done;
        estimate_.attaching = Seconds(SteadyClock::now() - priced + loaded - begin_).count();
        done = counting_->activate();
        const SteadyClock::time_point active = SteadyClock::now();
        if (done)
            done = wait(active + std::chrono::nanoseconds(request_.time));
        estimate_.seconds = Seconds(SteadyClock::now() - active).count();
        counting_->stop_firings();
        dt::done(request_.steps, "count");
        const TraceDrops losses = counting_->results().losses();
        const output::CostReport costs = counting_->results().costs();
        const bool are_all = estimate_.counted == estimate_.all;
        estimate_.counted -= std::min(counting_->programs().report().refused.size(), estimate_.counted);
        if (are_all) // probes that the kernel lacks never fire, so they are skipped
            estimate_.all = estimate_.counted;
        tell(losses, costs);
        dt::done(request_.steps, "cost of each probe");
        return done;
    }

    /// Detaches the counting programs. Returns the time of detaching in seconds, extrapolated from the selected probes
    /// to all probes.
    double detach()
    {
        const SteadyClock::time_point begin = SteadyClock::now();
        counting_.reset();
        return Seconds(SteadyClock::now() - begin).count() * estimate_.scale();
    }

    Result<void> wait(SteadyClock::time_point end)
    {
        while (!counting_->is_over()) {
            const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - SteadyClock::now());
            if (left.count() <= 0)
                return {};
            pollfd signal{request_.signals ? request_.signals->descriptor() : -1, POLLIN, 0};
            if (poll(&signal, 1, static_cast<int>(std::min(left, kLongestPass).count())) > 0)
                return {};
            if (Result<void> passed = counting_->pass(); !passed)
                return passed;
        }
        return {};
    }

    void tell(const TraceDrops& losses, const output::CostReport& costs)
    {
        std::map<uint32_t, double> passed;
        for (const output::HitCounts& each : losses.probes)
            if (each.fired != 0)
                passed[each.id] = static_cast<double>(each.recorded) / static_cast<double>(each.fired);
        for (const output::Cost& each : costs.probes)
            if (const auto planned = planned_.find(each.id); planned != planned_.end())
                tell(each, planned->second, passed.contains(each.id) ? passed[each.id] : 1);
        const bool has_mmap_rings = estimate_.samples * estimate_.scale() > kSamplesOfMmapRings;
        for (auto& [probe, plan, counted] : measured_) {
            const double time = has_mmap_rings ? plan->fast_time : plan->time;
            probe.program = counted + probe.passed * std::max(time - plan->asking, 0.0);
            estimate_.probes.push_back(std::move(probe));
        }
        std::stable_sort(estimate_.probes.begin(), estimate_.probes.end(),
                         [](const auto& a, const auto& b) { return a.share() > b.share(); });
    }

    void tell(const output::Cost& cost, const PlannedProbe& plan, double passed)
    {
        output::EstimatedProbe probe;
        probe.id = cost.id;
        probe.name = cost.name;
        probe.rate = static_cast<double>(cost.fired) / std::max(estimate_.seconds, 1e-9);
        probe.passed = passed;
        if (cost.outside)
            probe.outside = cost.outside->ns;
        estimate_.knows_all_outside &= probe.outside.has_value();
        estimate_.samples += probe.rate * passed * plan.samples;
        estimate_.sample_bytes += probe.rate * passed * plan.bytes;
        estimate_.has_other_predicates |= evaluates_predicates_ ? plan.has_other_predicate : plan.has_predicate;
        measured_.push_back({std::move(probe), &plan, cost.program.mean});
    }

    struct ReportedProbe {
        output::EstimatedProbe probe;
        const PlannedProbe* plan;
        double counted; ///< measured time of a firing of the counting programs, in ns
    };

    const EstimateRequest& request_;
    const EstimateListener& listener_;
    std::unordered_map<uint32_t, PlannedProbe> planned_; ///< data about each probe, by probe id
    std::vector<const Probe*> probes_;
    const InstructionCosts prices_ = measure_instruction_costs();
    std::vector<ReportedProbe> measured_;
    Output nowhere_; ///< output of the counting programs, which is discarded
    std::optional<Trace> counting_;
    SteadyClock::time_point begin_; ///< time when the loading of the counting programs began
    bool evaluates_predicates_ = false;
    output::Estimate estimate_;
};

} // namespace

Result<std::optional<double>> estimate(const EstimateRequest& request, const EstimateListener& listener)
{
    return Estimator(request, listener).run();
}

// Predicates are copied from the source text, because the syntax tree that semantic analysis returns does not contain
// the text of expressions.

namespace {

// Body of a clause that writes no sample. A clause with an empty body would write one, for the default action.
constexpr const char* kNothing = " { 1; }\n";

/// Range of the source text that an expression covers.
struct Extent {
    std::size_t begin = std::string::npos, end = 0;
};

void extend(Extent& extent, const TExpr& expr, const Source& source)
{
    if (expr.at.source == &source && expr.at.length != 0) {
        extent.begin = std::min<std::size_t>(extent.begin, expr.at.offset);
        extent.end = std::max<std::size_t>(extent.end, expr.at.offset + expr.at.length);
    }
    for (const TExpr* kid : expr.kids)
        if (kid)
            extend(extent, *kid, source);
}

/// Returns whether the expression reads no variables and has no side effects.
bool is_portable(const TExpr& expr)
{
    if (expr.op == TOp::Variable || expr.op == TOp::Assign)
        return false;
    return std::all_of(expr.kids.begin(), expr.kids.end(), [](const TExpr* kid) { return !kid || is_portable(*kid); });
}

bool is_of_tracer(const Statement& statement)
{
    return std::any_of(statement.probes.begin(), statement.probes.end(), [](const Probe* probe) {
        return probe->id == kBeginProbe || probe->id == kEndProbe || probe->id == kErrorProbe;
    });
}

} // namespace

std::string portable_predicate(const Statement& statement)
{
    if (!statement.predicate || !statement.at.source || !is_portable(*statement.predicate))
        return {};
    const std::string_view text = statement.at.source->text;
    Extent extent;
    extend(extent, *statement.predicate, *statement.at.source);
    if (extent.begin == std::string::npos || extent.begin < statement.at.offset || extent.end > text.size())
        return {};
    // An expression's range does not include its outer parentheses and unary operators, because their positions are not
    // recorded. So the range of a predicate is extended up to its slashes.
    const std::size_t open = text.find_last_not_of(" \t\n(!~-+*&", extent.begin == 0 ? 0 : extent.begin - 1);
    const std::size_t close = text.find_first_not_of(" \t\n)]", extent.end);
    if (open == std::string_view::npos || close == std::string_view::npos || text[open] != '/' || text[close] != '/')
        return {};
    return std::string(text.substr(open + 1, close - open - 1));
}

bool has_other_predicate(const Statement& statement)
{
    return statement.predicate && portable_predicate(statement).empty();
}

std::string counting_program(const std::deque<Statement>& statements)
{
    std::string text;
    for (const Statement& statement : statements) {
        if (is_of_tracer(statement))
            continue;
        const std::string predicate = portable_predicate(statement);
        text += statement.description + (predicate.empty() ? "" : " /" + predicate + "/") + kNothing;
    }
    return text;
}

std::string counting_program(std::span<const Probe* const> probes)
{
    std::string text;
    for (const Probe* probe : probes)
        text += (text.empty() ? "" : ",\n") + probe->full_name();
    return text.empty() ? text : text + kNothing;
}

} // namespace dt
