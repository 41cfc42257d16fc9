// Modes that compile without running. -x save=FILE writes the compiled object with its description to a file; -e only
// checks the program and prints reports about it.
//
// The file is replaced atomically: the object is written to a temporary file, which is then renamed.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "cmd/common/messages.hpp"
#include "cmd/common/modes.hpp"
#include "cmd/common/report.hpp"
#include "dcompiler/object/saved.hpp"
#include "libdtrace/records/table_schema.hpp"

namespace dt::cmd {
namespace {

/// Writes all bytes. Returns 0 or an errno.
int write_all(int descriptor, std::span<const uint8_t> bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return errno;
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS ? 0 : errno;
}

/// Writes directly to a target that is not a regular file, such as a pipe or /dev/stdout. Such a target cannot be
/// replaced by renaming a file.
int write_there(const std::string& path, std::span<const uint8_t> bytes)
{
    const int descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0)
        return errno;
    const int failed = write_all(descriptor, bytes);
    return close(descriptor) != 0 && failed == 0 ? errno : failed;
}

} // namespace

int write_whole_file(const std::string& path, std::span<const uint8_t> bytes)
{
    struct stat there;
    if (stat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode))
        return S_ISDIR(there.st_mode) ? EISDIR : write_there(path, bytes);
    std::string beside = path + ".XXXXXX";
    const int descriptor = mkostemp(beside.data(), O_CLOEXEC);
    if (descriptor < 0)
        return errno;
    const mode_t mask = umask(0);
    umask(mask);
    int failed = write_all(descriptor, bytes);
    if (failed == 0 && fchmod(descriptor, 0666 & ~mask) != 0)
        failed = errno;
    if (close(descriptor) != 0 && failed == 0)
        failed = errno;
    if (failed == 0 && rename(beside.c_str(), path.c_str()) != 0)
        failed = errno;
    if (failed != 0)
        unlink(beside.c_str());
    return failed;
}

int save_mode(Command& command)
{
    if (command.arguments.programs.empty())
        return no_program(command);
    if (!add_programs(command) || !finish_programs(command))
        return kFailure;
    if (command.trace.options().compile().aggttl != 0) {
        print_message(command.arguments,
                      "option aggttl cannot be combined with save: only a running tracer removes old keys");
        return kFailure;
    }
    const std::string& path = command.trace.options().run().save;
    const auto bytes =
        saved_object(command.trace.object(), command.trace.compiler().program(), command.session.world());
    if (!bytes) {
        print_message(command.arguments, "failed to write " + path + ": " + bytes.error().message);
        return kFailure;
    }
    if (const int failed = write_whole_file(path, bytes.value()); failed != 0) {
        print_message(command.arguments, "failed to write " + path + ": " + std::strerror(failed));
        return kFailure;
    }
    return kSuccess;
}

int compile_only_mode(Command& command)
{
    if (command.arguments.programs.empty()) // without a program, -e only checks the options of the command line
        return command.arguments.operands.empty() ? kSuccess : no_program(command);
    if (!add_programs(command) || !finish_programs(command))
        return kFailure;
    if (command.timing)
        command.timing->print("until compiled");
    if (const PrintOptions& print = command.trace.options().print(); !print.schema.empty()) {
        const output::Tables tables = consume::tables_of(command.trace.object().schema, command.trace.options());
        command.output.write(output::table_schema(tables, print.schema, print.format == OutputFormat::Csv));
        return flush_output(command) ? kSuccess : kFailure;
    }
    if (!command.arguments.verbose)
        return kSuccess;
    const Program& program = command.trace.compiler().program();
    for (uint32_t i = 0; i < command.arguments.programs.size(); ++i) {
        command.output.write(stability_report(program, i, describe_program(command.arguments.programs[i], {})));
        command.output.write(description_report(program, i, command.session.world().probes()));
    }
    command.output.write(output::memory_table(command.trace.memory()));
    return flush_output(command) ? kSuccess : kFailure;
}

} // namespace dt::cmd
