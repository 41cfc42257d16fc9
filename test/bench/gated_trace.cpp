// Starts and ends a trace whose output is discarded.
#include "test/bench/gated_trace.hpp"

#include <fcntl.h>
#include <unistd.h>

#include "libdtrace/consumer/consumer.hpp"
#include "libdtrace/results/drop_report.hpp"

namespace dt::bench {

GatedTrace::GatedTrace(const Options& options)
    : session_(options), null_(open("/dev/null", O_WRONLY | O_CLOEXEC)), output_(null_),
      trace_(session_, session_.options())
{
}

GatedTrace::~GatedTrace()
{
    (void)trace_.detach();
    close(null_);
}

std::unique_ptr<GatedTrace> GatedTrace::start(const TracedScript& script, const std::string& option)
{
    Options options;
    options.put("quiet");
    const std::string_view given = option;
    const auto equals = given.find('=');
    const OptionText value = equals == given.npos ? OptionText() : OptionText(given.substr(equals + 1));
    if (!option.empty() && !options.set(given.substr(0, equals), value, OptionSource::CommandLine))
        return nullptr;
    std::unique_ptr<GatedTrace> made(new GatedTrace(options));
    Trace& trace = made->trace_;
    if (!made->session_.prepare() ||
        !trace.add({Source::Kind::Script, script.name, script.text}, SpecKind::Script, {}) || !trace.compile() ||
        !trace.load() || !trace.attach(made->output_) || !trace.activate() || !trace.set_attached(false))
        return nullptr;
    return made;
}

std::string GatedTrace::losses() const
{
    return output::losses_text(trace_.results().losses().causes);
}

} // namespace dt::bench
