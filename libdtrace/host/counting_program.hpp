// Generator of the cheapest program for the probes of another one. It counts their firings and how often their
// predicates are true.
#pragma once

#include <deque>
#include <span>
#include <string>

#include "dcompiler/sema/program.hpp"

namespace dt {

/// Returns a statement's predicate as text without slashes, or an empty string. The predicate must mean the same in
/// another program: it reads no variables and has no side effects.
std::string portable_predicate(const Statement& statement);

/// Returns whether a predicate filters the statement that counting_program() cannot evaluate.
bool has_other_predicate(const Statement& statement);

/// Returns a program with one empty clause for each statement except those of BEGIN, END and ERROR.
std::string counting_program(const std::deque<Statement>& statements);

/// Returns a program with one empty clause on exactly these probes.
std::string counting_program(std::span<const Probe* const> probes);

} // namespace dt
