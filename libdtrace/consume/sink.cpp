// From the format option to the sink that makes it.
#include "libdtrace/consume/sink.hpp"

#include "libdtrace/consume/sink_folded.hpp"
#include "libdtrace/consume/sink_jsonl.hpp"
#include "libdtrace/consume/sink_text.hpp"

namespace dt::consume {

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

} // namespace dt::consume
