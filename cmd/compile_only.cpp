// -e: compiles and reports, without enabling anything.
#include "cmd/messages.hpp"
#include "cmd/modes.hpp"
#include "cmd/report.hpp"
#include "libdtrace/consume/tables.hpp"
#include "libdtrace/output/table_schema.hpp"

namespace dt::cmd {

int compile_only_mode(Command& command)
{
    if (command.arguments.programs.empty()) // the options are valid, and `dtrace -e` may only check them
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
