// Program like image_one, with another function name.
#define FUNCTION in_two
#include "image_one.c"
