// A file of proc(5), whole. Its process may end between any two reads, which an iterator over the file's buffer would
// throw.
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <utility>

namespace dt {

/// As far as it can be read; empty when there is no such file.
inline std::string read_proc_file(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return std::move(text).str();
}

} // namespace dt
