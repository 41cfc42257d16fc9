// Detects write errors: a blocked stream, a failed file rotation, and entries that a socket refused.
#include "libdtrace/consume/output_troubles.hpp"

#include <cstring>
#include <optional>
#include <string>

#include "base/text.hpp"
#include "libdtrace/output/messages.hpp"

namespace dt::consume {
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

/// Updates the ledger, and reports problems other than a blocked stream.
void OutputTroubles::look(uint64_t now)
{
    enter(now);
    if (const std::optional<std::string> why = output_.rotation_failure())
        reports_.tell({"NOT_ROTATED", {}, "cannot begin another output file (" + *why + "): this one is written on"});
}

void OutputTroubles::enter(uint64_t now)
{
    ledger_.add(Cause::Output, lost() - entered_, -1, {looked_ == 0 ? now : looked_, now});
    entered_ = lost();
    looked_ = now;
}

void OutputTroubles::tell(uint64_t now)
{
    look(now);
    const int reason = output_.stuck();
    if (reason != 0 && !is_stuck_) {
        is_stuck_ = true;
        reports_.tell({"NOT_WRITTEN",
                       {},
                       std::string("cannot write output (") + std::strerror(reason) +
                           "): it is tried again each second, and 16 MiB are kept until then"});
    } else if (reason == 0 && is_stuck_) {
        tell_that_it_goes_on();
    }
    output_.drain();
}

void OutputTroubles::tell_that_it_goes_on()
{
    is_stuck_ = false;
    const Output::Unwritten lost = since(before_, output_.unwritten());
    before_ = output_.unwritten();
    reports_.tell({"WRITTEN_AGAIN",
                   {{"bytes", lost.bytes}, {"records", lost.records}},
                   "output goes on; " + (lost.bytes == 0 ? "nothing is missing" : not_written(lost))});
}

void OutputTroubles::tell_not_reopened(const Error& why)
{
    reports_.tell(
        {"NOT_REOPENED", {}, "cannot open the output file anew (" + why.message + "): the former one is written on"});
}

void OutputTroubles::settle(uint64_t now)
{
    output_.offer();
    // the reader of a pipe may take the rest until finish()
    const bool is_read = output_.stuck() == 0 && !output_.is_connected();
    if (!is_read)
        reason_ = output_.settle();
    look(now);
    if (reason_ == 0 && is_stuck_)
        tell_that_it_goes_on();
}

void OutputTroubles::finish(uint64_t now)
{
    const int reason = output_.settle();
    enter(now);
    if (reason != 0 || reason_ != 0)
        tell_unwritten(reason != 0 ? reason : reason_);
    tell_refused();
}

/// Reports unwritten output on standard error only, because no other output remains at this point.
void OutputTroubles::tell_unwritten(int reason) const
{
    const Output::Unwritten all = since(begin_, output_.unwritten());
    output::say(output_,
                {"NOT_WRITTEN",
                 {{"bytes", all.bytes}, {"records", all.records}},
                 std::string("cannot write output (") + std::strerror(reason) + "): " + not_written(all)},
                options_.print().errors_json);
}

void OutputTroubles::tell_refused() const
{
    const uint64_t entries = refused();
    if (entries == 0)
        return;
    const Output::Refused& by = output_.refused();
    const auto counted = [](uint64_t count, const std::string& one, const std::string& several) {
        return count == 0 ? std::string() : grouped(count) + " " + (count == 1 ? one : several);
    };
    const uint64_t records = by.records - refused_before_.records;
    std::string what = counted(entries - records, "page of metrics", "pages of metrics");
    if (by.by.empty())
        what = counted(entries, "entry of the journal", "entries of the journal");
    else if (records != 0)
        what += (what.empty() ? "" : " and ") + counted(records, "record", "records");
    output::say(
        output_,
        {"NOT_TAKEN",
         {{"entries", entries}},
         "lost: " + what + (by.by.empty() ? " (its socket" : " (" + by.by) + " did not take them: " + by.reason + ")"},
        options_.print().errors_json);
}

} // namespace dt::consume
