// Helpers for tests of the consumer: samples made in the test, a compiler environment (World) with a few probes, and
// formatting of one value.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "dcompiler/syntax/format.hpp"
#include "libdtrace/aggregations/aggregate.hpp"
#include "libdtrace/format/print.hpp"
#include "libdtrace/format/printf.hpp"

namespace dt::test {

/// The bytes of a sample or key, and descriptions of their data. Each value has its natural alignment.
class Bytes {
public:
    template <typename T> Bytes& integer(T value)
    {
        return bytes(&value, sizeof value, std::is_signed_v<T> ? Datum::Kind::Signed : Datum::Kind::Unsigned,
                     sizeof value);
    }
    Bytes& text(std::string value, std::size_t size)
    {
        value.resize(size);
        return bytes(value.data(), size, Datum::Kind::Text, 1);
    }
    Bytes& array(std::string value) { return bytes(value.data(), value.size(), Datum::Kind::Bytes, 1); }
    Bytes& words(const std::vector<uint64_t>& values, Datum::Kind kind)
    {
        return bytes(values.data(), values.size() * 8, kind, 8);
    }
    Bytes& bytes(const void* from, std::size_t size, Datum::Kind kind, std::size_t alignment)
    {
        data.resize((data.size() + alignment - 1) / alignment * alignment);
        Datum datum;
        datum.kind = kind;
        datum.offset = static_cast<uint32_t>(data.size());
        datum.size = static_cast<uint32_t>(size);
        data.resize(data.size() + size);
        std::memcpy(data.data() + datum.offset, from, size);
        datums.push_back(datum);
        return *this;
    }
    /// Makes the last value an address that is printed in this form.
    Bytes& form(Datum::Address address)
    {
        datums.back().address = address;
        return *this;
    }

    std::vector<uint8_t> data;
    std::vector<Datum> datums;
};

/// Objects that a formatter needs: options, names, and an empty symbol table.
struct Surroundings {
    Options options;
    std::vector<std::string> names;
    Symbols symbols{"/nonexistent"};
    format::Environment env{names, options.print(), symbols, 0};
};

inline std::string print(Surroundings& world, const std::string& format, const Bytes& record)
{
    const auto parsed = format::parse(format);
    if (!parsed)
        return "parse: " + parsed.error().message;
    const auto bound = format::BoundFormat::bind(parsed.value(), record.datums);
    if (!bound)
        return "bind: " + bound.error().message;
    format::Text out;
    bound.value().append(out, world.env, record.data.data());
    return std::string(out.view());
}

inline std::string print(const std::string& format, const Bytes& record)
{
    Surroundings world;
    return print(world, format, record);
}

inline std::string trace(Surroundings& world, const Bytes& record)
{
    format::Text out;
    format::append_traced(out, world.env, record.datums[0], record.data.data());
    return std::string(out.view());
}

} // namespace dt::test
