// What somebody may have meant by a probe description that matches nothing.
#pragma once

#include <string>
#include <string_view>

#include "dcompiler/probes.hpp"
#include "dcompiler/world.hpp"

namespace dt::sema {

/// A hint, or empty. Cost: up to a listing of all probes, which is spent on nobody whose description is right.
std::string meant_description(const ProbePattern& description, World& world);

/// Of a script whose first line, which was not what ran it, allows descriptions that match nothing: a hint; or empty.
std::string forgotten_option(std::string_view script);

/// Of a description that matches a system call which hardly a program makes: which one it makes; or empty.
std::string outdated_call(const ProbePattern& description);

/// Of a description with a module of another system's kernel, which matches `probe`: what it means here; or empty.
std::string foreign_module(const ProbePattern& description, const Probe& probe);

} // namespace dt::sema
