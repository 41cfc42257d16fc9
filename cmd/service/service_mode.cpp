// dtrace --service [DIR]: runs the service with its control and metrics sockets.
#include <cstring>

#include "cmd/common/messages.hpp"
#include "cmd/common/modes.hpp"
#include "cmd/service/control.hpp"
#include "cmd/service/service.hpp"

namespace dt::cmd {

int service_mode(const Arguments& arguments, const Options& options, Output&)
{
    constexpr const char* kDirectory = "/etc/dtrace/scripts.d";
    SignalRequests wishes;
    wishes.so_far = wishes.reopening = true;
    Signals signals(Signals::Then::EndProcess, wishes);
    if (signals.error() != 0) {
        print_message(arguments, std::string("cannot watch for signals: ") + std::strerror(signals.error()));
        return kFailure;
    }
    service::Service service(arguments, options, signals);

    // Opens the control socket before scripts start, so that clients can query the state of scripts at any time.
    auto control =
        service::Control::open(options.run().control, service.loop(), [&service](const service::Request& request) {
            return service::answer(service, request);
        });
    if (!control)
        print_message(arguments,
                      "cannot serve the control socket " + options.run().control + ": " + control.error().message);

    const std::string& place = options.run().metrics;
    Result<std::unique_ptr<service::Control>> metrics = std::unique_ptr<service::Control>();
    if (!place.empty())
        metrics = service::Control::open(place, service.loop(), [&service](const service::Request& request) {
            return service::answer_metrics(service, request);
        });
    if (!metrics)
        print_message(arguments, "cannot serve metrics at " + place + ": " + metrics.error().message);

    const bool is_given = !arguments.operands.empty();
    if (const Result<void> started = service.start(is_given ? arguments.operands[0] : kDirectory, !is_given);
        !started) {
        print_message(arguments, started.error().message);
        return kFailure;
    }
    service.run();
    return kSuccess;
}

} // namespace dt::cmd
