// -h: the C header through which a program fires the probes of its provider definitions.
#pragma once

#include <deque>
#include <string>

#include "dcompiler/sema/program.hpp"

namespace dt::usdt {

/// The text of a header for these providers. `file`: its own name, of which the guard is made ("prov.h": _PROV_H).
std::string make_header(const std::string& file, const std::deque<DefinedProvider>& providers);

} // namespace dt::usdt
