// Calls the callbacks of a program for decoded records. Each event of the decoder is one record of a firing. If the
// callback's return value permits it, the usual output of the record then goes to the stream.
#include "api/callbacks.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "api/handle.hpp"
#include "libdtrace/sinks/text_sink.hpp"

namespace dt::api {

namespace {

constexpr std::pair<std::string_view, dtrace_dropkind_t> kDropKinds[] = {
    {"DTRACEDROP_PRINCIPAL", DTRACEDROP_PRINCIPAL},
    {"DTRACEDROP_AGGREGATION", DTRACEDROP_AGGREGATION},
    {"DTRACEDROP_DYNAMIC", DTRACEDROP_DYNAMIC},
    {"DTRACEDROP_SPEC", DTRACEDROP_SPEC},
    {"DTRACEDROP_SPECBUSY", DTRACEDROP_SPECBUSY},
    {"DTRACEDROP_SPECUNAVAIL", DTRACEDROP_SPECUNAVAIL},
    {"DTRACEDROP_STKSTROVERFLOW", DTRACEDROP_STKSTROVERFLOW},
    {"DTRACEDROP_DBLERROR", DTRACEDROP_DBLERROR},
};

class CallbackSink final : public output::Sink {
public:
    CallbackSink(Callbacks& callbacks, const output::SinkOptions& with)
        : callbacks_(callbacks), output_(with.output), env_(with.env),
          text_(with.options, with.output, with.env, with.reproducible)
    {
        callbacks.environment = &with.env;
    }

    void begin(const output::Line& line) override
    {
        probe_ = description(line.probe.id, line.probe.name);
        enabled_ = {line.stmt + 1, line.probe.id, 0, 0, 0, {}};
        data_ = {&callbacks_.handle(),
                 &enabled_,
                 &probe_,
                 static_cast<processorid_t>(line.cpu),
                 nullptr,
                 DTRACEFLOW_NONE,
                 nullptr,
                 0,
                 line.time};
        is_wanted_ = callbacks_.aborted == 0 && line.printed;
        if (is_wanted_ && callbacks_.on_probe)
            is_wanted_ = obeyed(callbacks_.on_probe(&data_, callbacks_.argument));
        text_.begin(line);
    }
    void end(const output::Line& line) override
    {
        data_.dtpda_data = nullptr;
        if (is_wanted_ && callbacks_.aborted == 0 && callbacks_.on_record)
            obeyed(callbacks_.on_record(&data_, nullptr, callbacks_.argument));
        text_.end(line);
        output_.text().clear();
    }

    void value(const Datum& datum, const uint8_t* data) override
    {
        if (format::is_text(datum)) {
            name_.assign(format::load_characters(env_, datum, data));
            name_.resize(std::max<std::size_t>(name_.size() + 1, kTextBytes));
            return record({DTRACEACT_DIFEXPR, static_cast<uint32_t>(name_.size())}, name_.data(),
                          [&] { text_.value(datum, data); });
        }
        record({action_of(datum), datum.size}, data + datum.offset, [&] { text_.value(datum, data); });
    }
    void stack(const Datum& datum, const uint8_t* data) override
    {
        record({action_of(datum), datum.size}, data + datum.offset, [&] { text_.stack(datum, data); });
    }
    void symbol(const Datum& datum, const uint8_t* data) override
    {
        record({action_of(datum), datum.size}, data + datum.offset, [&] { text_.symbol(datum, data); });
    }
    void formatted(const format::BoundFormat& format, const uint8_t* data) override
    {
        dtrace_recdesc_t description{DTRACEACT_PRINTF, 0};
        description.dtrd_format = 1;
        record(description, data, [&] { text_.formatted(format, data); });
    }
    void memory(std::span<const uint8_t> bytes) override
    {
        record({DTRACEACT_TRACEMEM, static_cast<uint32_t>(bytes.size())}, bytes.data(), [&] { text_.memory(bytes); });
    }
    void object(std::optional<uint64_t> pointer, const Type* type, std::span<const uint8_t> bytes) override
    {
        record({DTRACEACT_LIBACT, static_cast<uint32_t>(bytes.size())}, bytes.data(),
               [&] { text_.object(pointer, type, bytes); });
    }
    void packet(const output::Packet& packet) override
    {
        record({DTRACEACT_LIBACT, static_cast<uint32_t>(packet.bytes.size())}, packet.bytes.data(), [] {});
    }
    void aggregations(Tables tables) override
    {
        printed({DTRACEACT_PRINTA, 0}, tables, [&] { text_.aggregations(tables); });
    }
    void aggregations(Tables tables, std::span<const format::BoundFormat> formats) override
    {
        dtrace_recdesc_t description{DTRACEACT_PRINTA, 0};
        description.dtrd_format = 1;
        printed(description, tables, [&] { text_.aggregations(tables, formats); });
    }
    // Does not print the aggregations, because dtrace_aggregate_print() prints them.
    void unprinted(const output::Aggregation&) override {}
    void error(const output::ErrorReport& report) override { callbacks_.error(report); }
    void drop(const output::DropReport& report) override { callbacks_.drop(report); }
    void option_set(std::string_view name, std::string_view value) override
    {
        callbacks_.option_set(data_, name, value);
    }

private:
    /// Handles the return value of a callback. Returns false if the library must not process the record further.
    bool obeyed(int answer)
    {
        if (answer != DTRACE_CONSUME_THIS && answer != DTRACE_CONSUME_NEXT)
            callbacks_.aborted = EDT_DIRABORT;
        return answer == DTRACE_CONSUME_THIS;
    }

    template <typename Print> void record(const dtrace_recdesc_t& description, const void* data, Print print)
    {
        if (!is_wanted_ || callbacks_.aborted != 0)
            return;
        data_.dtpda_data = const_cast<char*>(static_cast<const char*>(data));
        if (callbacks_.on_record && !obeyed(callbacks_.on_record(&data_, &description, callbacks_.argument)))
            return;
        output_.text().clear();
        print();
        callbacks_.print(output_.text().view(), &data_, &description);
        output_.text().clear();
    }

    /// Handles printa(). Its data are the ids of the aggregations as variables.
    template <typename Print> void printed(dtrace_recdesc_t description, Tables tables, Print print)
    {
        variables_.clear();
        for (const output::Aggregation* const table : tables)
            variables_.push_back(variable_of(table->schema()));
        description.dtrd_size = static_cast<uint32_t>(variables_.size() * sizeof(dtrace_aggvarid_t));
        record(description, variables_.data(), print);
    }

    Callbacks& callbacks_;
    Output& output_;
    const format::Environment& env_;
    output::TextSink text_;
    dtrace_probedesc_t probe_{};
    dtrace_eprobedesc_t enabled_{};
    dtrace_probedata_t data_{};
    bool is_wanted_ = false;
    std::string name_;
    std::vector<dtrace_aggvarid_t> variables_;
};

} // namespace

dtrace_actkind_t action_of(const Datum& datum)
{
    switch (datum.kind) {
    case Datum::Kind::Stack:
        return DTRACEACT_STACK;
    case Datum::Kind::UserStack:
        return DTRACEACT_USTACK;
    case Datum::Kind::Symbol:
        return datum.address == Datum::Address::Module ? DTRACEACT_MOD : DTRACEACT_SYM;
    case Datum::Kind::UserSymbol:
        return datum.address == Datum::Address::Module  ? DTRACEACT_UMOD
               : datum.address == Datum::Address::Exact ? DTRACEACT_UADDR
                                                        : DTRACEACT_USYM;
    default:
        return DTRACEACT_DIFEXPR;
    }
}

void Callbacks::print(std::string_view text, dtrace_probedata_t* probe, const dtrace_recdesc_t* record)
{
    print(text, {&handle_, nullptr, probe, record, nullptr, 0});
}

void Callbacks::print(const PrintedAggregations::Piece& piece)
{
    const dtrace_aggdata_t entry = piece.entry ? data_of(&handle_, *piece.entry) : dtrace_aggdata_t{};
    print(piece.text, {&handle_, nullptr, nullptr, piece.record, piece.entry ? &entry : nullptr, piece.flags});
}

void Callbacks::print(std::string_view text, dtrace_bufdata_t data)
{
    if (text.empty())
        return;
    if (stream) {
        std::fwrite(text.data(), 1, text.size(), stream);
        return;
    }
    if (!on_buffered)
        return;
    const std::string whole(text);
    data.dtbda_buffered = whole.c_str();
    if (on_buffered(&data, buffered_argument) != DTRACE_HANDLE_OK)
        aborted = EDT_DIRABORT;
}

void Callbacks::error(const output::ErrorReport& report)
{
    if (!on_error || report.repeated != 0)
        return;
    dtrace_probedesc_t probe = description(report.probe.id, report.probe.name);
    dtrace_eprobedesc_t enabled{report.stmt + 1, report.probe.id, 0, 0, 0, {}};
    const std::string text(report.text);
    const dtrace_errdata_t data{&handle_,
                                &enabled,
                                &probe,
                                static_cast<processorid_t>(report.cpu),
                                0,
                                static_cast<int>(report.pc),
                                static_cast<int>(report.code),
                                report.value,
                                text.c_str()};
    if (on_error(&data, error_argument) != DTRACE_HANDLE_OK)
        aborted = EDT_DIRABORT;
}

void Callbacks::drop(const output::DropReport& report)
{
    dtrace_dropkind_t kind = DTRACEDROP_OTHER;
    for (const auto& [name, value] : kDropKinds)
        if (report.kind == name)
            kind = value;
    drops_[kind] += report.count;
    if (!on_drop)
        return;
    const std::string text(report.text);
    const dtrace_dropdata_t data{&handle_,    static_cast<processorid_t>(report.cpu), kind, report.count, drops_[kind],
                                 text.c_str()};
    if (on_drop(&data, drop_argument) != DTRACE_HANDLE_OK)
        aborted = EDT_DIRABORT;
}

void Callbacks::option_set(const dtrace_probedata_t& probe, std::string_view name, std::string_view value)
{
    const std::string option(name);
    const dtrace_optval_t former = handle_.option_number(option);
    handle_.note_option(option, std::string(value));
    if (!on_setopt)
        return;
    const dtrace_setoptdata_t data{&handle_, &probe, option.c_str(), former, handle_.option_number(option)};
    if (on_setopt(&data, setopt_argument) != DTRACE_HANDLE_OK)
        aborted = EDT_DIRABORT;
}

void Callbacks::ended(ps_prochandle& process)
{
    if (on_process && on_process(&process, nullptr, process_argument) != DTRACE_HANDLE_OK)
        aborted = EDT_DIRABORT;
}

std::unique_ptr<output::Sink> make_callback_sink(Callbacks& callbacks, const output::SinkOptions& with)
{
    return std::make_unique<CallbackSink>(callbacks, with);
}

} // namespace dt::api
