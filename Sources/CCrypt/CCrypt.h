#ifndef PINWARDEN_CCRYPT_H
#define PINWARDEN_CCRYPT_H
#include <crypt.h>
#endif
