// Prints the reports at the end of a run in their fixed order: notes, drops, costs and firings. Also reports write
// errors while the run continues.
#include "libdtrace/consumer/run_report.hpp"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "base/text.hpp"
#include "base/time.hpp"
#include "libdtrace/buffers/rings.hpp"
#include "libdtrace/consumer/engine_source.hpp"

namespace dt::consume {

Result<void> RunReport::open(const LoadedMaps& maps, const Schema& added)
{
    Result<void> opened = costs_.open(maps, added);
    return opened ? open_firings(maps, added) : opened;
}

Result<void> RunReport::open_firings(const LoadedMaps& maps, const Schema& added)
{
    const LoadedMap* const probes = maps.section(DT_SECTION_HITS);
    const LoadedMap* const clauses = maps.section(DT_SECTION_CLAUSE_HITS);
    if (!probes || !clauses)
        return {};
    for (const LoadedMap* each : {probes, clauses})
        if (Result<void> mapped = memory_.emplace_back().open(*each, 1); !mapped)
            return mapped;
    const auto memory = [](const SharedMap& map) { return static_cast<const dt_hits*>(map.memory()); };
    HitCounters counters{added.counted,           added.hit_sets,        memory(*std::next(memory_.rbegin())),
                         added.statements.size(), added.clause_hit_sets, memory(memory_.back())};
    if (const LoadedMap* const sampling = maps.section(DT_SECTION_SAMPLING)) {
        if (Result<void> mapped = memory_.emplace_back().open(*sampling, 1); !mapped)
            return mapped;
        counters.sampling = static_cast<const dt_sampling*>(memory_.back().memory());
        counters.sampling_sets = added.sampling_sets;
    }
    firings_.push_back(std::move(counters));
    for (SharedMap& each : memory_)
        each.hide();
    return {};
}

void RunReport::add(const EngineSource& engine)
{
    costs_.add(static_cast<const dt_cost*>(engine.counters(DT_SECTION_COSTS)),
               static_cast<const dt_cost_times*>(engine.counters(DT_SECTION_COST_TIMES)));
    const auto* const probes = static_cast<const dt_hits*>(engine.counters(DT_SECTION_HITS));
    const auto* const clauses = static_cast<const dt_hits*>(engine.counters(DT_SECTION_CLAUSE_HITS));
    if (probes && clauses)
        firings_.push_back(
            {schema_.counted, schema_.hit_sets, probes, schema_.statements.size(), schema_.clause_hit_sets, clauses});
}

void RunReport::begin(uint64_t now)
{
    began_ = last_cost_ = now;
    costs_.begin(now);
}

void RunReport::tell(const output::Note& note)
{
    output::print_message(output_, note, options_.print().errors_json);
    sink_.note(note);
}

uint64_t RunReport::due() const
{
    const uint64_t every = options_.compile().cost_every;
    return every == 0 ? UINT64_MAX : last_cost_ + every;
}

void RunReport::pass(uint64_t now)
{
    if (now < due())
        return;
    last_cost_ = now;
    report_costs(now);
}

void RunReport::report_so_far(uint64_t now, bool reproducible)
{
    if (options_.print().drops)
        report_drops(losses_.drops().rows(), reproducible);
    report_costs(now);
}

std::vector<output::HitCounts> RunReport::firings(Firing which) const
{
    const Shown shown(memory_);
    if (!shown)
        return {};
    return firings_by_probe(firings_, losses_.discarded_hits(), options_.run().cpu, probes_, which);
}

std::vector<output::HitCounts> RunReport::clause_firings() const
{
    const Shown shown(memory_);
    if (!shown)
        return {};
    return firings_by_clause(firings_, losses_.discarded_hits(), options_.run().cpu, schema_.statements);
}

output::CostReport RunReport::costs(uint64_t now) const
{
    return costs_.report(now, schema_.statements, probes_, other_memory_());
}

void RunReport::report_costs(uint64_t now)
{
    if (!options_.compile().cost || !costs_.is_open())
        return;
    const output::CostReport report = costs(now);
    output::print_messages(output_, output::cost_table(report));
    sink_.costs(report);
}

void RunReport::report_annotation(uint64_t now)
{
    if (!annotate_)
        return;
    const output::Annotation code = annotate_(costs(now));
    output::print_messages(output_, output::annotation_text(code));
    sink_.annotation(code);
}

Result<void> RunReport::report_hits()
{
    if (firings_.empty())
        return {};
    const std::vector<output::HitCounts> clauses = clause_firings(), probes = firings(Firing::All);
    if (options_.compile().hits) {
        output::print_messages(output_, output::firings_table(clauses, probes));
        sink_.firings(clauses, probes);
    }
    if (!options_.compile().check_hits)
        return {};
    const Result<void> checked = check_hits(clauses, losses_.drops());
    return checked ? check_hits(probes, losses_.drops()) : checked;
}

// Estimates the number of missed timer ticks. Needs the counts of -x hits, so does nothing without that option.
void RunReport::estimate_missed_ticks()
{
    const auto is_clock = [](const ProgramPlan& program) {
        return program.plan && program.plan->period != 0 && !program.plan->counts_runs;
    };
    const auto& programs = schema_.programs;
    if (!options_.compile().hits || std::none_of(programs.begin(), programs.end(), is_clock))
        return;
    const uint64_t cpus = options_.run().cpu ? 1 : online_cpus().size();
    losses_.drops().estimate(DropReason::Throttled, missed_ticks(programs, firings(Firing::All), active_, cpus),
                             {began_, now_monotonic()});
}

void RunReport::report_drops(const std::vector<output::DropRow>& rows, bool reproducible)
{
    output::print_messages(output_, output::drop_table(rows, reproducible ? 0 : began_));
    sink_.losses(rows);
}

// Reports the table of all drop reasons if option drops is set, otherwise one line if anything was lost.
void RunReport::report_losses(bool reproducible)
{
    std::vector<output::DropRow> rows = losses_.drops().rows();
    if (options_.print().drops)
        return report_drops(rows, reproducible);
    if (!output::has_losses(rows))
        return;
    std::erase_if(rows, [](const output::DropRow& row) { return !output::has_losses({&row, 1}); });
    output::Note note{"LOST", {}, output::losses_text(rows)};
    for (const output::DropRow& row : rows)
        note.numbers.emplace_back(row.cause, row.count);
    output::print_message(output_, note, options_.print().errors_json);
    sink_.losses(rows);
}

Result<void> RunReport::finish(const std::function<std::vector<output::Note>()>& last, bool reproducible)
{
    for (const output::Note& note : last()) {
        tell(note);
        losses_.drops().add(note, {began_, now_monotonic()});
    }
    estimate_missed_ticks();
    report_losses(reproducible);
    const auto now = now_monotonic();
    report_costs(now);
    report_annotation(now);
    return report_hits();
}

// Detects and reports write errors. These are a blocked output stream, a failed rotation of the output file, and
// entries that a socket refused.

namespace {

/// Returns, for example, "12,345 bytes of 99 records were not written".
std::string not_written(const Output::Unwritten& all)
{
    return grouped(all.bytes) + (all.bytes == 1 ? " byte of " : " bytes of ") + grouped(all.records) +
           (all.records == 1 ? " record" : " records") + " were not written";
}

Output::Unwritten since(const Output::Unwritten& before, const Output::Unwritten& now)
{
    return {now.bytes - before.bytes, now.records - before.records};
}

} // namespace

/// Updates the drop counts, and reports problems other than a blocked stream.
void OutputErrors::check(uint64_t now)
{
    enter(now);
    if (const std::optional<std::string> why = output_.rotation_failure())
        run_report_.tell(
            {"NOT_ROTATED", {}, "cannot start a new output file (" + *why + "): output continues in the current file"});
}

void OutputErrors::enter(uint64_t now)
{
    drops_.add(DropReason::Output, lost() - entered_, -1, {checked_ == 0 ? now : checked_, now});
    entered_ = lost();
    checked_ = now;
}

void OutputErrors::tell(uint64_t now)
{
    check(now);
    const int reason = output_.blocked();
    if (reason != 0 && !is_blocked_) {
        is_blocked_ = true;
        run_report_.tell({"NOT_WRITTEN",
                          {},
                          std::string("cannot write output (") + std::strerror(reason) +
                              "): retrying every second, and keeping up to 16 MiB meanwhile"});
    } else if (reason == 0 && is_blocked_) {
        report_recovery();
    }
    output_.drain();
}

void OutputErrors::report_recovery()
{
    is_blocked_ = false;
    const Output::Unwritten lost = since(before_, output_.unwritten());
    before_ = output_.unwritten();
    run_report_.tell({"WRITTEN_AGAIN",
                      {{"bytes", lost.bytes}, {"records", lost.records}},
                      "output continues; " + (lost.bytes == 0 ? "nothing is missing" : not_written(lost))});
}

void OutputErrors::report_reopen_failure(const Error& why)
{
    run_report_.tell(
        {"NOT_REOPENED", {}, "cannot reopen the output file (" + why.message + "): output continues in the old file"});
}

void OutputErrors::settle(uint64_t now)
{
    output_.offer();
    // If the output is a pipe with a reader, the reader may still read the pending output before finish(). So this
    // output is not counted as lost yet.
    const bool is_read = output_.blocked() == 0 && !output_.is_connected();
    if (!is_read)
        reason_ = output_.settle();
    check(now);
    if (reason_ == 0 && is_blocked_)
        report_recovery();
}

void OutputErrors::finish(uint64_t now)
{
    const int reason = output_.settle();
    enter(now);
    if (reason != 0 || reason_ != 0)
        report_unwritten(reason != 0 ? reason : reason_);
    report_refused();
}

/// Reports unwritten output on standard error only, because the output itself cannot be written.
void OutputErrors::report_unwritten(int reason) const
{
    const Output::Unwritten all = since(begin_, output_.unwritten());
    output::print_message(output_,
                          {"NOT_WRITTEN",
                           {{"bytes", all.bytes}, {"records", all.records}},
                           std::string("cannot write output (") + std::strerror(reason) + "): " + not_written(all)},
                          options_.print().errors_json);
}

void OutputErrors::report_refused() const
{
    const uint64_t entries = refused();
    if (entries == 0)
        return;
    const Output::Refused& by = output_.refused();
    const auto counted = [](uint64_t count, const std::string& one, const std::string& several) {
        return count == 0 ? std::string() : grouped(count) + " " + (count == 1 ? one : several);
    };
    const uint64_t records = by.records - refused_before_.records;
    std::string what = counted(entries - records, "metrics message", "metrics messages");
    if (by.by.empty())
        what = counted(entries, "entry of the journal", "entries of the journal");
    else if (records != 0)
        what += (what.empty() ? "" : " and ") + counted(records, "record", "records");
    output::print_message(output_,
                          {"NOT_TAKEN",
                           {{"entries", entries}},
                           "lost: " + what + (by.by.empty() ? " (its socket" : " (" + by.by) +
                               " did not accept them: " + by.reason + ")"},
                          options_.print().errors_json);
}

} // namespace dt::consume
