// Builds a decoding plan (RecordPlan) for each statement of a schema, and executes the plan for each sample of the
// statement.
#include "libdtrace/records/decode.hpp"

#include <algorithm>
#include <cstddef>

#include "libdtrace/losses/drop_stats.hpp"
#include "libdtrace/output/messages.hpp"
#include "libdtrace/records/actions.hpp"

namespace dt::consume {

namespace {

const Error kMismatch{"Data record list does not match statement"};
const Error kTooFar{"Data record offset exceeds buffer boundary"};

std::string error_message(const output::ErrorReport& error, std::string_view text)
{
    return "error in dt_clause_" + std::to_string(error.stmt) + " for probe ID " + std::to_string(error.probe.id) +
           " (" + error.probe.name + "): " + std::string(text);
}

// ---- plans ----------------------------------------------------------------------------------------------------------

Result<void> bind_formats(RecordPlan& plan, const Aggregations& aggregations)
{
    const Record& record = *plan.record;
    if (!record.has_format)
        return {};
    const auto parsed = format::parse(record.format);
    if (!parsed)
        return parsed.error();
    if (record.aggregations.empty()) {
        auto bound = format::BoundFormat::bind(parsed.value(), record.data);
        if (!bound)
            return bound.error();
        plan.format = std::move(bound.value());
        return {};
    }
    for (const uint32_t id : record.aggregations) {
        auto bound =
            format::BoundFormat::bind(parsed.value(), aggregations.schema(id).keys, record.aggregations.size());
        if (!bound)
            return bound.error();
        bound->written = record.format;
        plan.formats.push_back(std::move(bound.value()));
    }
    return {};
}

Result<RecordPlan> plan_record(const StatementSchema& statement, const Record& record, const Aggregations& aggregations)
{
    RecordPlan plan;
    plan.record = &record;
    for (const Datum& datum : record.data)
        if (!format::fits(datum, statement.data_size))
            return kTooFar;
    for (const uint32_t id : record.aggregations)
        if (id >= aggregations.count())
            return kMismatch;
    if (record.guard >= 64 || (record.guard >= 0 && statement.guard_offset < 0))
        return kMismatch;
    if (record.guard >= 0)
        plan.guard = uint64_t{1} << record.guard;
    const ActionHandler action = record.action ? handler(*record.action) : ActionHandler{};
    if (!action.run)
        return plan;
    if (record.data.size() < action.data || record.aggregations.size() < action.aggregations)
        return kMismatch;
    plan.run = action.run;
    plan.ends_speculation = action.ends_speculation;
    plan.truncatable = truncatable_data(record.data);
    if (Result<void> bound = bind_formats(plan, aggregations); !bound)
        return bound.error();
    return plan;
}

Result<StatementPlan> plan_statement(const StatementSchema& schema, const Aggregations& aggregations)
{
    StatementPlan plan;
    plan.data_size = schema.data_size;
    plan.guard_offset = schema.guard_offset;
    plan.thread_offset = schema.thread_offset;
    plan.prints_line = schema.prints_line;
    plan.only_discards = schema.only_discards();
    if (schema.guard_offset >= 0 && static_cast<uint64_t>(schema.guard_offset) + sizeof(uint64_t) > schema.data_size)
        return kTooFar;
    if (schema.thread_offset >= 0 &&
        static_cast<uint64_t>(schema.thread_offset) + sizeof(RecordedThread) > schema.data_size)
        return kTooFar;
    for (const Record& record : schema.records) {
        auto planned = plan_record(schema, record, aggregations);
        if (!planned)
            return planned.error();
        if (planned->run)
            plan.records.push_back(std::move(planned.value()));
    }
    return plan;
}

} // namespace

bool must_escape(const Options& options, const Output& output)
{
    return options.print().escape == "on" || (options.print().escape == "auto" && output.terminal());
}

Decoder::Decoder(ProbeSource& probes, Options& options_, Output& output_, const format::Environment& env_,
                 Aggregations& aggregations_, Speculations& speculations_, Losses& losses, output::Sink& sink_)
    : options(options_), output(output_), env(env_), aggregations(aggregations_), speculations(speculations_),
      sink(&sink_), faults_(output_, sink), losses_(losses), probes_(probes)
{
}

Result<void> Decoder::plan(const std::vector<StatementSchema>& statements)
{
    plans_.clear();
    for (const StatementSchema& statement : statements) {
        auto planned = plan_statement(statement, aggregations);
        if (!planned)
            return planned.error();
        plans_.push_back(std::move(planned.value()));
    }
    return {};
}

bool Decoder::handle(const Sample& sample)
{
    if (sample.stmt == DT_STMT_FAULT) {
        report_fault(sample);
        return true;
    }
    if (sample.stmt >= plans_.size() || sample.size < plans_[sample.stmt].data_size)
        return true;
    const Speculations::Verdict verdict = sample.spec == 0 ? Speculations::Verdict::Print : speculations.take(sample);
    if (verdict == Speculations::Verdict::Print) {
        print(sample);
        return true;
    }
    const bool has_room = verdict != Speculations::Verdict::NoRoom;
    if (DiscardedHits::Seen none; !has_room)
        losses_.count_speculative_drop(sample, none);
    end_speculations(sample);
    return has_room;
}

bool StatementPlan::has(const RecordPlan& record, const Sample& sample) const
{
    return record.guard == 0 || (record.guard & format::load<uint64_t>(sample.data + guard_offset)) != 0;
}

output::FiringThread StatementPlan::thread(const Sample& sample) const
{
    if (thread_offset < 0)
        return {};
    const auto* const at = sample.data + thread_offset;
    return {format::load<uint32_t>(at + offsetof(RecordedThread, pid)),
            format::load<uint32_t>(at + offsetof(RecordedThread, tid)),
            format::load_text(at + offsetof(RecordedThread, name), sizeof RecordedThread::name)};
}

bool Decoder::is_awaited(const Sample& sample) const
{
    return sample.spec == 0 && (sample.stmt >= plans_.size() || !plans_[sample.stmt].only_discards);
}

bool Decoder::freezes(const Sample& sample) const
{
    if (sample.stmt >= plans_.size() || sample.size < plans_[sample.stmt].data_size)
        return false;
    const StatementPlan& plan = plans_[sample.stmt];
    return std::any_of(plan.records.begin(), plan.records.end(), [&](const RecordPlan& record) {
        return record.record->action->has(kFreezes) && plan.has(record, sample);
    });
}

/// Ends the speculations that the clause of a speculative sample committed or discarded. This happens even if the
/// sample itself is lost.
void Decoder::end_speculations(const Sample& sample)
{
    const StatementPlan& plan = plans_[sample.stmt];
    for (const RecordPlan& record : plan.records)
        if (record.ends_speculation && plan.has(record, sample))
            record.run(*this, sample, record);
}

void Decoder::print(const Sample& sample)
{
    const StatementPlan& plan = plans_[sample.stmt];
    const Symbols::Moment moment(env.symbols, sample.time);
    const output::Line line{sample.time,      sample.cpu,         sample.stmt, probes_.of(sample.probe),
                            plan.prints_line, plan.thread(sample)};
    sink->begin(line);
    for (const RecordPlan& record : plan.records)
        if (plan.has(record, sample)) {
            record.run(*this, sample, record);
            count_truncated(sample, record);
        }
    sink->end(line);
    output.drain();
}

void Decoder::count_truncated(const Sample& sample, const RecordPlan& record)
{
    for (const Datum* datum : record.truncatable)
        if (const std::optional<DropReason> cut = truncation_of(*datum, sample.data))
            losses_.drops().add(*cut, 1, sample.cpu, {sample.time, sample.time});
}

void Decoder::report_fault(const Sample& sample)
{
    if (sample.size < sizeof(dt_fault))
        return;
    const auto fault = format::load<dt_fault>(sample.data);
    output::ErrorReport error{sample.time, sample.cpu,  fault.stmt, probes_.of(sample.probe), {}, {},
                              fault.code,  fault.value, fault.pc};
    error.fault = fault_name(fault.code);
    const std::string message = error_message(error, fault_text(fault));
    error.text = message;
    losses_.drops().add(DropReason::Fault, 1, sample.cpu, {sample.time, sample.time});
    faults_.tell(error, &fault);
}

void Decoder::report_error(const Sample& sample, const std::string& text)
{
    output::ErrorReport error{sample.time, sample.cpu, sample.stmt, probes_.of(sample.probe), {}, {}};
    const std::string message = error_message(error, text);
    error.text = message;
    faults_.tell(error, nullptr);
}

void Decoder::keep_first_failure(Result<void> result)
{
    if (!result && !failure_)
        failure_ = result.error();
}

Result<void> Decoder::take_failure()
{
    if (!failure_)
        return {};
    const Error error = *failure_;
    failure_.reset();
    return error;
}

void Decoder::finish_speculation(uint32_t serial, bool commit)
{
    for (const Speculations::Kept& kept : speculations.end(serial, commit))
        print(kept.sample());
}

} // namespace dt::consume
