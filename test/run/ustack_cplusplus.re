^ *shop`greet\(char const\*\)$
