// Format objects: a program creates them once and applies them to records of its choice.
#include <algorithm>
#include <cstring>
#include <utility>

#include "api/handle.hpp"
#include "libdtrace/consumer/consumer.hpp"
#include "libdtrace/format/printf.hpp"
#include "libdtrace/output/sink.hpp"
#include "libdtrace/sinks/text_sink.hpp"
#include "libdtrace/symbols/symbols.hpp"

namespace {

using dt::api::KeptFormat;
using dt::format::Conversion;

void* keep_format(dtrace_hdl_t* handle, const char* text, bool is_of_aggregations)
{
    return dt::api::guarded(handle, static_cast<void*>(nullptr), [&]() -> void* {
        dt::Result<dt::format::Format> parsed = dt::format::parse(text);
        if (!parsed) {
            handle->fail(parsed.error(), EDT_FORMAT);
            return nullptr;
        }
        for (const dt::format::Piece& piece : parsed.value().pieces) {
            const auto* const conversion = std::get_if<Conversion>(&piece);
            if (conversion && conversion->aggregation && !is_of_aggregations) {
                handle->fail(EDT_FORMAT,
                             "%@ prints the value of an aggregation: use dtrace_printa_create() for this format");
                return nullptr;
            }
        }
        return &handle->formats.emplace_back(KeptFormat{std::move(parsed.value()), is_of_aggregations});
    });
}

std::string spelt(const Conversion& conversion)
{
    std::string text = "%";
    for (const auto& [is_set, flag] :
         {std::pair(conversion.alternate, '#'), std::pair(conversion.zero, '0'), std::pair(conversion.left, '-'),
          std::pair(conversion.plus, '+'), std::pair(conversion.space, ' '), std::pair(conversion.group, '\'')})
        if (is_set)
            text += flag;
    if (conversion.width_star)
        text += '*';
    else if (conversion.width)
        text += std::to_string(*conversion.width);
    if (conversion.precision_star)
        text += ".*";
    else if (conversion.precision)
        text += "." + std::to_string(*conversion.precision);
    if (conversion.aggregation)
        text += '@';
    return text.append(conversion.name());
}

dt::Datum::Kind kind_of(const dtrace_recdesc_t& record)
{
    using Kind = dt::Datum::Kind;
    switch (record.dtrd_action) {
    case DTRACEACT_STACK:
        return Kind::Stack;
    case DTRACEACT_USTACK:
    case DTRACEACT_JSTACK:
        return Kind::UserStack;
    case DTRACEACT_SYM:
    case DTRACEACT_MOD:
        return Kind::Symbol;
    case DTRACEACT_USYM:
    case DTRACEACT_UMOD:
    case DTRACEACT_UADDR:
        return Kind::UserSymbol;
    default:
        break;
    }
    const bool is_number =
        record.dtrd_size == 1 || record.dtrd_size == 2 || record.dtrd_size == 4 || record.dtrd_size == 8;
    return is_number ? Kind::Signed : Kind::Text;
}

/// Returns the format in which to print the symbol that a record of this action contains.
dt::Datum::Address address_of(dtrace_actkind_t action)
{
    using Address = dt::Datum::Address;
    return action == DTRACEACT_MOD || action == DTRACEACT_UMOD ? Address::Module
           : action == DTRACEACT_UADDR                         ? Address::Exact
                                                               : Address::Symbol;
}

/// Returns how many data a format's conversions consume. A width or precision of `*` consumes one too.
std::size_t wanted_by(const dt::format::Format& format)
{
    std::size_t wanted = 0;
    for (const dt::format::Piece& piece : format.pieces)
        if (const auto* const conversion = std::get_if<Conversion>(&piece); conversion && !conversion->is_percent())
            wanted += std::size_t{1} - conversion->aggregation + conversion->width_star + conversion->precision_star;
    return wanted;
}

void hand_over(dtrace_hdl_t* handle, FILE* stream, std::string_view text, const dtrace_probedata_t* probe,
               const dtrace_recdesc_t* record)
{
    FILE* const former = std::exchange(handle->callbacks.stream, stream);
    handle->callbacks.print(text, const_cast<dtrace_probedata_t*>(probe), record);
    handle->callbacks.stream = former;
}

/// collects aggregations, and then prints some of them with a format
class FormatSink final : public dt::output::TableSink {
public:
    void unprinted(const dt::output::Aggregation& table) override { tables_.push_back(&table); }

    dt::Result<void> print(dt::format::Text& text, const dt::format::Environment& env, const dt::format::Format& format,
                           const std::vector<dtrace_aggvarid_t>& wanted) const
    {
        std::vector<const dt::output::Aggregation*> chosen;
        std::vector<dt::format::BoundFormat> formats;
        for (const dtrace_aggvarid_t variable : wanted) {
            const auto found = std::find_if(tables_.begin(), tables_.end(), [&](const dt::output::Aggregation* table) {
                return dt::api::variable_of(table->schema()) == variable;
            });
            if (found == tables_.end())
                return dt::Error{"there is no aggregation with this identifier", 0};
            auto bound = dt::format::BoundFormat::bind(format, (*found)->schema().keys, wanted.size());
            if (!bound)
                return bound.error();
            chosen.push_back(*found);
            formats.push_back(std::move(bound.value()));
        }
        dt::output::append_aggregations(text, env, chosen, formats);
        return {};
    }

private:
    std::vector<const dt::output::Aggregation*> tables_;
};

} // namespace

extern "C" {

void* dtrace_printf_create(dtrace_hdl_t* handle, const char* text)
{
    return keep_format(handle, text, false);
}

void* dtrace_printa_create(dtrace_hdl_t* handle, const char* text)
{
    return keep_format(handle, text, true);
}

size_t dtrace_printf_format(dtrace_hdl_t* handle, void* format, char* text, size_t size)
{
    return dt::api::guarded(handle, std::size_t{0}, [&] {
        std::string whole;
        for (const dt::format::Piece& piece : static_cast<const KeptFormat*>(format)->parsed.pieces) {
            const auto* const conversion = std::get_if<Conversion>(&piece);
            whole += conversion ? spelt(*conversion) : std::get<std::string>(piece);
        }
        return dt::api::give(whole, text, size);
    });
}

int dtrace_fprintf(dtrace_hdl_t* handle, FILE* stream, void* format, const dtrace_probedata_t* probe,
                   const dtrace_recdesc_t* records, unsigned number, const void* buffer, size_t size)
{
    return dt::api::guarded(handle, -1, [&] {
        const dt::Result<dt::Session*> session = handle->prepared();
        if (!session)
            return handle->fail(session.error(), EDT_TRACE);
        const KeptFormat& kept = *static_cast<const KeptFormat*>(format);
        const std::size_t wanted = wanted_by(kept.parsed);
        std::vector<dt::Datum> data;
        for (unsigned i = 0; i < number && data.size() < wanted; ++i) {
            dt::Datum datum;
            datum.kind = kind_of(records[i]);
            datum.offset = records[i].dtrd_offset;
            datum.size = records[i].dtrd_size;
            datum.address = address_of(records[i].dtrd_action);
            if (!dt::format::fits(datum, size))
                return handle->fail(EDT_FORMAT, "a record extends past the end of the buffer");
            data.push_back(datum);
        }
        const auto bound = dt::format::BoundFormat::bind(kept.parsed, data);
        if (!bound)
            return handle->fail(EDT_FORMAT, {});
        const std::vector<std::string> names;
        const dt::format::Environment env{names, handle->options.print(), session.value()->system_context()->symbols()};
        dt::format::Text text;
        bound.value().append(text, env, static_cast<const uint8_t*>(buffer));
        hand_over(handle, stream, text.view(), probe, records);
        return static_cast<int>(wanted);
    });
}

int dtrace_fprinta(dtrace_hdl_t* handle, FILE* stream, void* format, const dtrace_probedata_t* probe,
                   const dtrace_recdesc_t* records, unsigned number, const void* buffer, size_t size)
{
    return dt::api::guarded(handle, -1, [&] {
        if (!handle->is_readable())
            return handle->fail(EDT_NOPROG, "tracing is not active");
        std::vector<dtrace_aggvarid_t> wanted;
        for (unsigned i = 0; i < number; ++i)
            for (uint32_t at = 0; at + sizeof(dtrace_aggvarid_t) <= records[i].dtrd_size; at += sizeof wanted[0]) {
                if (uint64_t{records[i].dtrd_offset} + at + sizeof wanted[0] > size)
                    return handle->fail(EDT_FORMAT, "a record extends past the end of the buffer");
                dtrace_aggvarid_t variable = 0;
                std::memcpy(&variable, static_cast<const char*>(buffer) + records[i].dtrd_offset + at, sizeof variable);
                wanted.push_back(variable);
            }
        if (wanted.empty())
            return handle->fail(EDT_BADAGG,
                                "the records contain no identifier of an aggregation, which is needed to print one");
        FormatSink sink;
        if (const dt::Result<void> shown = handle->trace->results().show_aggregations(sink); !shown)
            return handle->fail(shown.error(), EDT_TRACE);
        dt::format::Text text;
        const auto printed =
            sink.print(text, *handle->callbacks.environment, static_cast<const KeptFormat*>(format)->parsed, wanted);
        if (!printed)
            return handle->fail(printed.error(), EDT_FORMAT);
        hand_over(handle, stream, text.view(), probe, records);
        return static_cast<int>(number);
    });
}
}
