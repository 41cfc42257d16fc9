// What the figures were taken on: without it they mean nothing to another reader.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace dt::bench {

using Facts = std::vector<std::pair<std::string, std::string>>;

/// Name and value: kernel, processor, the tools compared with.
Facts machine_facts(const std::string& dtrace);

/// How many tasks want a CPU, over the last minute.
double load();

} // namespace dt::bench
