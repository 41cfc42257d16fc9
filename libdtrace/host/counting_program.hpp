// The cheapest program on the probes of another one: it counts their firings, and how often its predicates pass.
#pragma once

#include <deque>
#include <span>
#include <string>

#include "dcompiler/sema/program.hpp"

namespace dt {

/// The text of a statement's predicate, without its slashes, if it means the same in another program: if it reads no
/// variable of the program and changes nothing. Empty: there is none, or it does not.
std::string portable_predicate(const Statement& statement);

/// Whether firings of the statement may be filtered by what counting_program() cannot ask.
bool has_other_predicate(const Statement& statement);

/// Clauses that do nothing, one for each of the statements; those of BEGIN, END and ERROR are left out.
std::string counting_program(const std::deque<Statement>& statements);

/// One clause that does nothing, on just these probes.
std::string counting_program(std::span<const Probe* const> probes);

} // namespace dt
