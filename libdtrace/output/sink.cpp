// Creates the sink for the option `format`.
#include "libdtrace/output/sink.hpp"

namespace dt::output {

#define DT_OUTPUT_FORMAT(enumerator, name, flags) std::unique_ptr<Sink> make_##name##_sink(const SinkOptions& with);
#include "libdtrace/options/output_formats.def"
#undef DT_OUTPUT_FORMAT

std::unique_ptr<Sink> make_sink(const SinkOptions& with)
{
    switch (with.options.format) {
#define DT_OUTPUT_FORMAT(enumerator, name, flags)                                                                      \
    case OutputFormat::enumerator:                                                                                     \
        return make_##name##_sink(with);
#include "libdtrace/options/output_formats.def"
#undef DT_OUTPUT_FORMAT
    }
    return nullptr; // not reached: the option `format` accepts only the values in the table
}

} // namespace dt::output
