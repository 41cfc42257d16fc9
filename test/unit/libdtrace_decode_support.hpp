// A record decoder for tests. Each test makes its own schema (description of the records). The decoder has a few
// probes, and an output whose text can be read back.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "libdtrace/records/decode.hpp"
#include "libdtrace_aggregate_support.hpp"
#include "test/support/probe_table.hpp"

namespace dt::test {

inline const Action* action(std::string_view name)
{
    return find_action(name);
}

/// Returns a table of probes by id: 1 to 3 are BEGIN, END and ERROR, 10 and 11 belong to a system call, 20 to 24 to
/// functions.
inline ProbeTable probe_table()
{
    ProbeTable probes;
    probes.add(1, "dtrace", "", "", "BEGIN");
    probes.add(2, "dtrace", "", "", "END");
    probes.add(3, "dtrace", "", "", "ERROR");
    probes.add(10, "syscall", "vmlinux", "write", "entry");
    probes.add(11, "syscall", "vmlinux", "write", "return");
    probes.add(20, "fbt", "vmlinux", "main", "entry");
    probes.add(21, "fbt", "vmlinux", "main", "return");
    probes.add(22, "fbt", "vmlinux", "helper", "entry");
    probes.add(23, "fbt", "vmlinux", "helper", "return");
    probes.add(24, "sdt", "vmlinux", "helper", "tick");
    return probes;
}

/// A file in memory to which an Output writes.
class MemoryFile {
public:
    MemoryFile() : descriptor_(memfd_create("output", MFD_CLOEXEC)) {}
    ~MemoryFile() { close(descriptor_); }
    int descriptor() const { return descriptor_; }
    std::string text() const
    {
        std::string text(static_cast<std::size_t>(lseek(descriptor_, 0, SEEK_END)), '\0');
        [[maybe_unused]] const ssize_t got = pread(descriptor_, text.data(), text.size(), 0);
        return text;
    }

private:
    int descriptor_;
};

/// The consumer of a trace without a kernel. A test declares statements, calls open(), fires samples, and reads
/// printed().
struct Decoding : Aggregated {
    /// Declares a statement with one record whose data has the layout of `shape`. Returns the id of the statement.
    uint32_t statement(std::string_view name, const Bytes& shape = {}, const std::string& format = {})
    {
        dt::Record record;
        record.action = name.empty() ? nullptr : action(name);
        record.data = shape.datums;
        record.format = format;
        record.has_format = !format.empty();
        return statement({record}, static_cast<uint32_t>(shape.data.size()));
    }
    uint32_t statement(std::vector<dt::Record> records, uint32_t data_size)
    {
        StatementSchema schema;
        schema.id = static_cast<uint32_t>(statements.size());
        schema.data_size = data_size;
        schema.records = std::move(records);
        statements.push_back(schema);
        return schema.id;
    }
    /// Declares an action on one aggregation, such as printa() or clear().
    uint32_t on(std::string_view name, uint32_t aggregation, const std::string& format = {}, const Bytes& shape = {})
    {
        const uint32_t id = statement(name, shape, format);
        statements[id].records[0].aggregations = {aggregation};
        return id;
    }

    void start(bool reproducible = false)
    {
        open();
        lines.emplace(options.print(), output, env, reproducible);
        decoder.emplace(probes, options, output, env, aggregations, speculations, losses, *lines);
        const Result<void> planned = decoder->plan(statements);
        ASSERT_TRUE(planned) << planned.error().message;
    }

    void fire(uint32_t stmt, const Bytes& bytes = {}, uint32_t probe = 1, uint32_t cpu = 0, uint32_t spec = 0)
    {
        consume::Sample sample{++clock,          cpu, spec, probe, stmt, static_cast<uint32_t>(bytes.data.size()),
                               bytes.data.data()};
        decoder->handle(sample);
    }

    std::string printed()
    {
        output.send();
        return file.text();
    }

    ProbeTable probes = probe_table();
    MemoryFile file;
    Output output{file.descriptor()};
    consume::Speculations speculations{options.compile().specsize};
    std::optional<output::TextSink> lines;
    consume::Losses losses{options, output, sink};
    std::vector<StatementSchema> statements;
    std::optional<consume::Decoder> decoder;
    uint64_t clock = 0;
};

constexpr const char* kHeading = "CPU     ID                    FUNCTION:NAME\n";

} // namespace dt::test
