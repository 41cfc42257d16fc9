// Exception with which the lexer and the parser abandon an item. It never leaves this folder. The code that throws it
// has already reported the error.
#pragma once

namespace dt::syntax {

struct Abandon {};

} // namespace dt::syntax
