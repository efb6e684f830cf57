#ifndef PINWARDEN_CZSTD_H
#define PINWARDEN_CZSTD_H
#include <zstd.h>
#endif
