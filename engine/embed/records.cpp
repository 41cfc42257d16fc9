#include "engine/embed/engine.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "bpf-runtime/abi.h"

namespace dt::embed {
namespace {

dt_sample head_of(const vm::Sample& sample)
{
    dt_sample head{};
    if (sample.bytes.size() >= sizeof head)
        std::memcpy(&head, sample.bytes.data(), sizeof head);
    return head;
}

std::span<const uint8_t> data_of(const vm::Sample& sample)
{
    return std::span<const uint8_t>(sample.bytes).subspan(std::min(sizeof(dt_sample), sample.bytes.size()));
}

uint64_t number_of(std::span<const uint8_t> bytes, bool is_signed)
{
    uint64_t raw = 0;
    std::memcpy(&raw, bytes.data(), std::min<std::size_t>(bytes.size(), sizeof raw));
    const unsigned unused = bytes.size() < sizeof raw ? 64 - static_cast<unsigned>(bytes.size()) * 8 : 0;
    return is_signed ? static_cast<uint64_t>(static_cast<int64_t>(raw << unused) >> unused) : raw;
}

const Statement* statement_of(uint32_t id, const Description& description)
{
    return id < description.statements.size() ? &description.statements[id] : nullptr;
}

/// Returns the sample's guard word. Each of its bits shows whether one of the conditional records is in the sample.
uint64_t guards_of(const Statement& statement, std::span<const uint8_t> data)
{
    uint64_t guards = ~uint64_t{0};
    if (statement.guards_at >= 0 && static_cast<std::size_t>(statement.guards_at) + sizeof guards <= data.size())
        std::memcpy(&guards, data.data() + statement.guards_at, sizeof guards);
    return guards;
}

bool ran(const Record& record, uint64_t guards)
{
    return record.guard < 0 || (guards >> record.guard & 1) != 0;
}

} // namespace

void Values::add(int64_t number, dt_value_kind kind)
{
    values_.push_back({kind, number, nullptr, 0});
    texts_.emplace_back();
}

void Values::read(const std::vector<Datum>& data, std::span<const uint8_t> bytes, const std::vector<std::string>& names)
{
    for (const Datum& datum : data) {
        if (uint64_t{datum.offset} + datum.size > bytes.size())
            continue;
        const auto part = bytes.subspan(datum.offset, datum.size);
        const auto* const chars = reinterpret_cast<const char*>(part.data());
        switch (datum.kind) {
        case Datum::Kind::Signed:
        case Datum::Kind::Unsigned:
            add(static_cast<int64_t>(number_of(part, datum.kind == Datum::Kind::Signed)),
                datum.kind == Datum::Kind::Signed ? DT_NUMBER : DT_UNSIGNED);
            continue;
        case Datum::Kind::Text:
            add(0, DT_TEXT);
            texts_.back().assign(chars, strnlen(chars, part.size()));
            continue;
        case Datum::Kind::Name: {
            const uint64_t name = number_of(part, false);
            add(0, DT_TEXT);
            texts_.back() = name < names.size() ? names[name] : std::string();
            continue;
        }
        case Datum::Kind::Bytes:
            add(0, DT_BYTES);
            texts_.back().assign(chars, part.size());
        }
    }
}

const std::vector<dt_value>& Values::list()
{
    for (std::size_t i = 0; i < values_.size(); ++i)
        if (values_[i].kind == DT_TEXT || values_[i].kind == DT_BYTES) {
            values_[i].bytes = texts_[i].c_str();
            values_[i].size = texts_[i].size();
        }
    return values_;
}

void Speculations::sort(Samples samples, const Description& description, Samples& seen)
{
    for (vm::Sample& sample : samples) {
        const dt_sample head = head_of(sample);
        if (head.spec != 0) {
            open_[head.spec].push_back(std::move(sample));
            continue;
        }
        if (const Statement* statement = statement_of(head.stmt, description))
            end(sample, *statement, seen);
        seen.push_back(std::move(sample));
    }
}

/// Appends the speculative samples that `sample` commits. The caller appends `sample` itself afterwards.
void Speculations::end(const vm::Sample& sample, const Statement& statement, Samples& seen)
{
    const auto data = data_of(sample);
    for (const Record& record : statement.records) {
        const bool commits = record.action == "commit";
        if ((!commits && record.action != "discard") || record.data.empty() || !ran(record, guards_of(statement, data)))
            continue;
        const Datum& serial = record.data.front();
        if (uint64_t{serial.offset} + serial.size > data.size())
            continue;
        auto ended = open_.extract(static_cast<uint32_t>(number_of(data.subspan(serial.offset, serial.size), false)));
        if (ended && commits)
            std::move(ended.mapped().begin(), ended.mapped().end(), std::back_inserter(seen));
    }
}

long for_each_record(const vm::Sample& sample, const Description& description, void (*each)(const dt_record*, void*),
                     void* context)
{
    const dt_sample head = head_of(sample);
    const auto data = data_of(sample);
    const Probe* const probe = description.probe(head.probe);
    dt_record record{probe ? probe->name.c_str() : "", "", "", nullptr, sample.time, nullptr, 0};
    if (head.stmt == DT_STMT_FAULT && data.size() >= sizeof(dt_fault)) {
        dt_fault fault;
        std::memcpy(&fault, data.data(), sizeof fault);
        const dt_value values[] = {{DT_NUMBER, fault.code, nullptr, 0},
                                   {DT_UNSIGNED, static_cast<int64_t>(fault.value), nullptr, 0}};
        const Statement* const faulted = statement_of(fault.stmt, description);
        record.clause = faulted ? faulted->description.c_str() : "";
        record.action = "fault";
        record.values = values;
        record.count = 2;
        each(&record, context);
        return 1;
    }
    const Statement* const statement = statement_of(head.stmt, description);
    long count = 0;
    for (std::size_t i = 0; statement && i < statement->records.size(); ++i) {
        const Record& of = statement->records[i];
        if (!ran(of, guards_of(*statement, data)) || of.action == "commit" || of.action == "discard")
            continue;
        Values values;
        values.read(of.data, data, description.names);
        record.clause = statement->description.c_str();
        record.action = of.action.c_str();
        record.format = of.has_format ? of.format.c_str() : nullptr;
        record.values = values.list().data();
        record.count = static_cast<unsigned>(values.list().size());
        each(&record, context);
        ++count;
    }
    return count;
}

} // namespace dt::embed
