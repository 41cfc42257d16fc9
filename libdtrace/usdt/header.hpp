// Option -h: generates the C header by which a program fires the probes of its provider definitions.
#pragma once

#include <deque>
#include <string>

#include "dcompiler/sema/program.hpp"

namespace dt::usdt {

/// Returns the text of a header for the providers. `file` is its own name, from which the include guard is made
/// ("prov.h": _PROV_H).
std::string make_header(const std::string& file, const std::deque<DefinedProvider>& providers);

} // namespace dt::usdt
