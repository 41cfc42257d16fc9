#include "cmd/shell/descriptions.hpp"

#include "dcompiler/syntax/macros.hpp"
#include "dcompiler/syntax/probe_description.hpp"

namespace dt::shell {

Result<ProbePattern> parse_pattern(Session& session, std::string_view text)
{
    Macros macros;
    macros.target = session.processes().first_pid();
    const CompileOptions options;
    syntax::MacroTable table(macros, options);
    const Result<ast::ProbeDesc> parsed = syntax::parse_description(text, SpecKind::Script, table);
    if (!parsed)
        return parsed.error();
    return ProbePattern{parsed.value().provider, parsed.value().module, parsed.value().function, parsed.value().name};
}

} // namespace dt::shell
