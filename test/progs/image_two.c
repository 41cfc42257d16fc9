// image_two: the same program as image_one, except for the name of its function.
#define FUNCTION in_two
#include "image_one.c"
