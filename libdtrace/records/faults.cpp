// Names and texts of faults (dtrace-output(7), FAULTS AND DROPS).
#include "libdtrace/records/faults.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "dcompiler/interface/render.hpp"
#include "libdtrace/format/text.hpp"

namespace dt::consume {

namespace {

enum class Detail : uint8_t { None, Hex, Decimal };

struct FaultText {
    uint32_t code;
    std::string_view text;
    Detail detail;
};

constexpr FaultText kFaults[] = {
    {1, "invalid address", Detail::Hex},
    {2, "invalid alignment", Detail::Hex},
    {3, "illegal operation", Detail::None},
    {4, "divide-by-zero", Detail::None},
    {5, "out of scratch space", Detail::None},
    {6, "invalid kernel access", Detail::None},
    {7, "invalid user access", Detail::None},
    {8, "tuple stack overflow", Detail::None},
    {9, "bad stack", Detail::Hex},
    {10, "invalid size", Detail::Hex},
    {11, "index out of bounds", Detail::Decimal},
    {1000, "library-level fault", Detail::None},
};

constexpr uint32_t kInvalidAddress = 1;

FaultText known_fault(uint32_t code)
{
    for (const FaultText& entry : kFaults)
        if (entry.code == code)
            return entry;
    return {code, "unknown fault", Detail::None};
}

constexpr uint64_t kUserEnd = uint64_t{1} << 47; // first address after the user part of the address space
constexpr uint64_t kPage = 4096;
// AT_FDCWD (fcntl.h). System calls that expect a directory's descriptor interpret this value as the current working
// directory.
constexpr int32_t kAtFdcwd = -100;

/// Returns a suggestion for the user if the faulting address reveals a mistake in the script, otherwise an empty text.
std::string_view hint_for(const dt_fault& fault, std::string_view expression)
{
    if (fault.code != kInvalidAddress || fault.value == 0)
        return {};
    const uint64_t upper = fault.value >> 32;
    if (static_cast<int32_t>(fault.value) == kAtFdcwd && (upper == 0 || upper == UINT32_MAX))
        return "this is AT_FDCWD, a directory descriptor and not an address: the path is the next argument (openat: "
               "arg1)";
    if (fault.value < kPage)
        return "an address close to NULL: a member accessed through a NULL pointer, or a number that is not an address";
    if (fault.value >= kUserEnd)
        return {};
    if (expression.find("copyin") != std::string_view::npos)
        return "the page is not in memory yet, or the address is not of this process: read it at the return of the "
               "system call";
    return "a user address: read it with copyin() or copyinstr()";
}

} // namespace

std::string_view fault_name(uint32_t code)
{
    return known_fault(code).text;
}

std::string fault_text(const dt_fault& fault)
{
    const FaultText known = known_fault(fault.code);
    format::Text text;
    text.append(known.text);
    const bool has_no_address = fault.code == kInvalidAddress && fault.value == UINT64_MAX;
    if (known.detail == Detail::Hex && !has_no_address) {
        text.append(" (0x");
        format::append_hex(text, fault.value);
        text.append(')');
    } else if (known.detail == Detail::Decimal) {
        text.append(" (");
        format::append_signed(text, static_cast<int64_t>(fault.value));
        text.append(')');
    }
    if (fault.pc != -1) {
        text.append(" at BPF pc ");
        format::append_signed(text, fault.pc);
    }
    return std::string(text.view());
}

void Faults::explain(const Schema& schema, FaultMessages manner, uint64_t now)
{
    schema_ = &schema;
    manner_ = manner;
    period_.begin(now);
}

/// Returns the source location of a fault, or null if several locations are possible. A statement may be in several
/// programs, and in several functions of one program.
const Span* Faults::place_of(uint32_t probe, const dt_fault& fault) const
{
    const auto serves = [probe](const ProgramPlan& plan) {
        return std::find(plan.probes.begin(), plan.probes.end(), probe) != plan.probes.end();
    };
    const auto plan = std::find_if(schema_->programs.begin(), schema_->programs.end(), serves);
    const auto is_code_of_it = [&](uint32_t statement) {
        return statement == fault.stmt || (fault.stmt < schema_->statements.size() &&
                                           schema_->statements[fault.stmt].code_of.count(statement) != 0);
    };
    const Span* found = nullptr;
    for (const FaultPlace& place : schema_->faults) {
        const bool fits = plan != schema_->programs.end() && place.function >= plan->first_function &&
                          place.function < plan->end_function && is_code_of_it(place.statement) && place.pc == fault.pc;
        if (fits && found)
            return nullptr;
        if (fits)
            found = &place.at;
    }
    return found;
}

/// Returns the key by which repetitions of an error are recognized. Errors of the consumer itself have no source
/// location, so their text is the key. If a statement has too many different texts, they share one key.
Faults::FaultLocation Faults::place_of_error(const output::ErrorReport& error, const dt_fault* fault) const
{
    constexpr std::size_t kMaxPlaces = 1000;
    if (fault)
        return {fault->stmt, fault->pc, fault->code};
    return {error.stmt, INT64_MIN, reported_.size() < kMaxPlaces ? std::hash<std::string_view>()(error.text) : 0};
}

void Faults::tell(const output::ErrorReport& error, const dt_fault* fault)
{
    const std::string message(error.text);
    if (!schema_ || (!manner_.places && manner_.lines == UINT64_MAX)) {
        output::print_message(output_, message);
        return sink_->error(error);
    }
    const auto [reported, is_new] = reported_.try_emplace(place_of_error(error, fault), error);
    if (!reported->second.limiter.admits(manner_.lines))
        return;
    const Span* at = is_new && manner_.places && fault ? place_of(error.probe.id, *fault) : nullptr;
    std::string shown;
    if (at && at->source)
        shown =
            render_location(*at, hint_for(*fault, std::string_view(at->source->text).substr(at->offset, at->length)));
    output::print_message(output_, shown.empty() ? message : message + "\n" + shown);
    sink_->error(error);
}

void Faults::report_repeated(uint64_t now, bool last)
{
    if (!last && !period_.is_over(now))
        return;
    const std::string when = period_.end(now);
    for (auto& [place, reported] : reported_) {
        const uint64_t counted = reported.limiter.end_period(), all = reported.limiter.all_counted();
        if (last ? all == 0 : counted == 0)
            continue;
        output::ErrorReport more = reported.first;
        const std::string text =
            reported.message + (last ? ": repeated " + grouped(all) + (all == 1 ? " time" : " times")
                                     : ": and " + grouped(counted) + " more" + when);
        more.text = text;
        more.time = now;
        more.repeated = counted;
        output::print_message(output_, text);
        if (counted != 0)
            sink_->error(more);
    }
    if (last)
        reported_.clear();
}

} // namespace dt::consume
