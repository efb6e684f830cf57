#ifndef PINWARDEN_CQRENCODE_H
#define PINWARDEN_CQRENCODE_H
#include <qrencode.h>
#endif
