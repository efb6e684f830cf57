#ifndef PINWARDEN_CZLIB_H
#define PINWARDEN_CZLIB_H
#include <zlib.h>
#endif
