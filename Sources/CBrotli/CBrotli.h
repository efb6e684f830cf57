#ifndef PINWARDEN_CBROTLI_H
#define PINWARDEN_CBROTLI_H
#include <brotli/decode.h>
#include <brotli/encode.h>
#endif
