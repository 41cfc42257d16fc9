// Base of sinks that output only unprinted aggregations. They ignore records and printa().
#pragma once

#include "libdtrace/output/sink.hpp"

namespace dt::output {

class TableSink : public Sink {
public:
    void begin(const Line&) override {}
    void end(const Line&) override {}
    void value(const Datum&, const uint8_t*) override {}
    void stack(const Datum&, const uint8_t*) override {}
    void symbol(const Datum&, const uint8_t*) override {}
    void formatted(const format::BoundFormat&, const uint8_t*) override {}
    void memory(std::span<const uint8_t>) override {}
    void object(std::optional<uint64_t>, const Type*, std::span<const uint8_t>) override {}
    void packet(const Packet&) override {}
    void aggregations(Tables) override {}
    void aggregations(Tables, std::span<const format::BoundFormat>) override {}
};

} // namespace dt::output
