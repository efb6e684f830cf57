#ifndef PINWARDEN_CNGHTTP2_H
#define PINWARDEN_CNGHTTP2_H
#include <nghttp2/nghttp2.h>
#endif
