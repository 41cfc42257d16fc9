// Decides when the machine is examined, and when again.
#include "libdtrace/trace/session.hpp"

#include <utility>

namespace dt {

Session::Session(Options options, MakeWorld make_world)
    : options_(std::move(options)), make_world_(std::move(make_world)),
      processes_(options_.run().procfspath, options_.compile().follow, readers_of_files(options_.run())),
      machine_(std::make_shared<Machine>(make_world_()))
{
}

Session::Session(Options options, const Session& other)
    : options_(std::move(options)), make_world_(other.make_world_),
      processes_(options_.run().procfspath, options_.compile().follow), machine_(Machine::beside(*other.machine_)),
      is_beside_(true)
{
}

Result<void> Session::prepare()
{
    if (is_beside_)
        return {};
    if (set_up_ && machine_->world().refresh())
        return {};
    if (std::exchange(set_up_, true))
        machine_ = std::make_shared<Machine>(make_world_());
    return machine_->world().set_up(options_.run(), &processes_);
}

} // namespace dt
