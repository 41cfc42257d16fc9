// image_one once more, with another name for its function.
#define FUNCTION in_two
#include "image_one.c"
