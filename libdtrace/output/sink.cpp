// From the format option to the sink that makes it.
#include "libdtrace/output/sink.hpp"

#include "libdtrace/output/folded_sink.hpp"
#include "libdtrace/output/jsonl_sink.hpp"
#include "libdtrace/output/text_sink.hpp"

namespace dt::output {

std::unique_ptr<Sink> make_sink(const Options& options, Output& output, const format::Environment& env, bool reproducible)
{
    switch (options.format) {
    case OutputFormat::Jsonl:
        return std::make_unique<JsonlSink>(options, output, env);
    case OutputFormat::Folded:
        return std::make_unique<FoldedSink>(output, env);
    case OutputFormat::Flamegraph:
        return std::make_unique<FlamegraphSink>(output, env);
    case OutputFormat::Text:
        break;
    }
    return std::make_unique<TextSink>(options, output, env, reproducible);
}

} // namespace dt::output
