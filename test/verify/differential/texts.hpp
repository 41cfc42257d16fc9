// String subroutines of D in plain C++, by their definitions in dtrace-actions(7). Results are not truncated to
// strsize.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace dt::differential {

int64_t index_of(const std::string& s, const std::string& t, int64_t start);
int64_t rindex_of(const std::string& s, const std::string& t, std::optional<int64_t> start);
std::string substring(const std::string& s, int64_t i, std::optional<int64_t> n);
std::string in_base(int64_t value, unsigned base);
int64_t parse_number(const std::string& s);
std::string base_name(std::string s);
std::string dir_name(std::string s);
std::string mapped(std::string s, bool upper);

} // namespace dt::differential
