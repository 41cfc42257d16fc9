// Prototypes of calls from builtins.def, parsed on first use.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace dt::sema {

/// Parsed prototype of builtins.def.
struct Prototype {
    struct Parameter {
        std::string type; ///< D type text; empty for `@`
        bool optional = false;
    };
    std::string result;
    std::vector<Parameter> parameters;
    bool variadic = false;
    std::size_t required = 0;
};

class Prototypes {
public:
    const Prototype& of(std::string_view text);

private:
    std::map<std::string, Prototype, std::less<>> parsed_;
};

} // namespace dt::sema
