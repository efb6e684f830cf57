#ifndef PINWARDEN_COPENSSL_X509_H
#define PINWARDEN_COPENSSL_X509_H
/* What Swift cannot import of OpenSSL's X.509 half: macros, type-checked stacks, unions, and structures built field by field. */
#include <openssl/asn1t.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/pkcs7.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <string.h>

static inline void copenssl_free(void *memory) { OPENSSL_free(memory); }

/* The common reason of a fetch that found no implementation; a cast of a macro that Swift does not import. */
static inline int copenssl_reason_unsupported(void) { return ERR_R_UNSUPPORTED; }

static inline long copenssl_bio_contents(BIO *bio, const unsigned char **bytes) {
  return BIO_get_mem_data(bio, (char **)bytes);
}

/* Stacks of certificates. */

static inline int copenssl_certificates_count(const STACK_OF(X509) *stack) {
  return stack == NULL ? 0 : sk_X509_num(stack);
}

static inline X509 *copenssl_certificates_at(const STACK_OF(X509) *stack, int index) {
  return sk_X509_value(stack, index);
}

static inline STACK_OF(X509) *copenssl_certificates_new(void) { return sk_X509_new_null(); }

/* The stack takes a reference of its own. */
static inline int copenssl_certificates_push(STACK_OF(X509) *stack, X509 *certificate) {
  if (!X509_up_ref(certificate)) return 0;
  if (sk_X509_push(stack, certificate) > 0) return 1;
  X509_free(certificate);
  return 0;
}

static inline void copenssl_certificates_free(STACK_OF(X509) *stack) { sk_X509_pop_free(stack, X509_free); }

/* Trust stores. */

/* Looks certificates up by their hash in the system's directory, or in $SSL_CERT_DIR. */
static inline int copenssl_store_add_system_directory(X509_STORE *store) {
  X509_LOOKUP *lookup = X509_STORE_add_lookup(store, X509_LOOKUP_hash_dir());
  return lookup != NULL && X509_LOOKUP_add_dir(lookup, NULL, X509_FILETYPE_DEFAULT);
}

/* Loads the system's bundle, or $SSL_CERT_FILE. */
static inline int copenssl_store_add_system_file(X509_STORE *store) {
  X509_LOOKUP *lookup = X509_STORE_add_lookup(store, X509_LOOKUP_file());
  return lookup != NULL && X509_LOOKUP_load_file(lookup, NULL, X509_FILETYPE_DEFAULT);
}

/* Names in a certificate. */

/* One line by RFC 2253, but bytes beyond ASCII are left as they are. 0: failed. */
static inline int copenssl_print_name(BIO *bio, const X509_NAME *name) {
  return X509_NAME_print_ex(bio, name, 0, XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB) >= 0;
}

static inline GENERAL_NAMES *copenssl_alternative_names(const X509 *certificate) {
  return (GENERAL_NAMES *)X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
}

static inline int copenssl_names_count(const GENERAL_NAMES *names) {
  return names == NULL ? 0 : sk_GENERAL_NAME_num(names);
}

/* The bytes of a dNSName or iPAddress; NULL for other kinds. They belong to `names`. */
static inline const unsigned char *copenssl_name_at(const GENERAL_NAMES *names, int index, int *type, int *length) {
  const GENERAL_NAME *name = sk_GENERAL_NAME_value(names, index);
  *type = name->type;
  *length = 0;
  if (name->type != GEN_DNS && name->type != GEN_IPADD) return NULL;
  *length = ASN1_STRING_length(name->d.ia5);
  return ASN1_STRING_get0_data(name->d.ia5);
}

static inline GENERAL_NAMES *copenssl_names_new(void) { return sk_GENERAL_NAME_new_null(); }

static inline int copenssl_names_push(GENERAL_NAMES *names, int type, const unsigned char *bytes, int length) {
  GENERAL_NAME *name = GENERAL_NAME_new();
  ASN1_STRING *value = ASN1_STRING_type_new(type == GEN_IPADD ? V_ASN1_OCTET_STRING : V_ASN1_IA5STRING);
  if (name == NULL || value == NULL || !ASN1_STRING_set(value, bytes, length)) {
    GENERAL_NAME_free(name);
    ASN1_STRING_free(value);
    return 0;
  }
  GENERAL_NAME_set0_value(name, type, value);
  if (sk_GENERAL_NAME_push(names, name) > 0) return 1;
  GENERAL_NAME_free(name);
  return 0;
}

/* Extensions of a certificate that is being made. */

static inline int copenssl_set_alternative_names(X509 *certificate, GENERAL_NAMES *names, int critical) {
  return X509_add1_ext_i2d(certificate, NID_subject_alt_name, names, critical, X509V3_ADD_DEFAULT);
}

/* `path_length` below 0: none. */
static inline int copenssl_set_basic_constraints(X509 *certificate, int is_authority, long path_length) {
  BASIC_CONSTRAINTS *constraints = BASIC_CONSTRAINTS_new();
  if (constraints == NULL) return 0;
  int done = 1;
  constraints->ca = is_authority ? 0xFF : 0;
  if (is_authority && path_length >= 0) {
    constraints->pathlen = ASN1_INTEGER_new();
    done = constraints->pathlen != NULL && ASN1_INTEGER_set(constraints->pathlen, path_length);
  }
  done = done && X509_add1_ext_i2d(certificate, NID_basic_constraints, constraints, 1, X509V3_ADD_DEFAULT);
  BASIC_CONSTRAINTS_free(constraints);
  return done;
}

/* `bits`: bit n set for KeyUsage bit n of RFC 5280 4.2.1.3. */
static inline int copenssl_set_key_usage(X509 *certificate, unsigned bits) {
  ASN1_BIT_STRING *usage = ASN1_BIT_STRING_new();
  int done = usage != NULL;
  for (int bit = 0; done && bit < 9; bit++)
    if (bits >> bit & 1) done = ASN1_BIT_STRING_set_bit(usage, bit, 1);
  done = done && X509_add1_ext_i2d(certificate, NID_key_usage, usage, 1, X509V3_ADD_DEFAULT);
  ASN1_BIT_STRING_free(usage);
  return done;
}

static inline int copenssl_set_extended_key_usage(X509 *certificate, const int *purposes, int count) {
  EXTENDED_KEY_USAGE *usage = sk_ASN1_OBJECT_new_null();
  int done = usage != NULL;
  for (int i = 0; done && i < count; i++) done = sk_ASN1_OBJECT_push(usage, OBJ_nid2obj(purposes[i])) > 0;
  done = done && X509_add1_ext_i2d(certificate, NID_ext_key_usage, usage, 0, X509V3_ADD_DEFAULT);
  sk_ASN1_OBJECT_free(usage);
  return done;
}

static inline int copenssl_set_subject_key_identifier(X509 *certificate, const unsigned char *bytes, int length) {
  ASN1_OCTET_STRING *identifier = ASN1_OCTET_STRING_new();
  int done = identifier != NULL && ASN1_OCTET_STRING_set(identifier, bytes, length)
    && X509_add1_ext_i2d(certificate, NID_subject_key_identifier, identifier, 0, X509V3_ADD_DEFAULT);
  ASN1_OCTET_STRING_free(identifier);
  return done;
}

static inline int copenssl_set_authority_key_identifier(X509 *certificate, const unsigned char *bytes, int length) {
  AUTHORITY_KEYID *identifier = AUTHORITY_KEYID_new();
  int done = identifier != NULL && (identifier->keyid = ASN1_OCTET_STRING_new()) != NULL
    && ASN1_OCTET_STRING_set(identifier->keyid, bytes, length)
    && X509_add1_ext_i2d(certificate, NID_authority_key_identifier, identifier, 0, X509V3_ADD_DEFAULT);
  AUTHORITY_KEYID_free(identifier);
  return done;
}

/* Keys. */

static inline EVP_PKEY *copenssl_make_p256(void) { return EVP_EC_gen("P-256"); }

static inline EVP_PKEY *copenssl_make_rsa(unsigned bits) { return EVP_RSA_gen(bits); }

/* A passphrase lent to PEM_read_bio_PrivateKey, which notes whether it was asked for. */
struct copenssl_passphrase {
  const unsigned char *bytes;
  long length;
  int was_asked;
};

static inline int copenssl_give_passphrase(char *buffer, int size, int writing, void *context) {
  struct copenssl_passphrase *passphrase = (struct copenssl_passphrase *)context;
  (void)writing;
  passphrase->was_asked = 1;
  if (passphrase->bytes == NULL || passphrase->length > size) return -1;
  memcpy(buffer, passphrase->bytes, (size_t)passphrase->length);
  return (int)passphrase->length;
}

static inline EVP_PKEY *copenssl_read_private_key(BIO *bio, struct copenssl_passphrase *passphrase, OSSL_LIB_CTX *library) {
  return PEM_read_bio_PrivateKey_ex(bio, NULL, copenssl_give_passphrase, passphrase, library, NULL);
}

/* PKCS#12. */

static inline int copenssl_safes_count(const STACK_OF(PKCS7) *safes) { return sk_PKCS7_num(safes); }
static inline PKCS7 *copenssl_safes_at(const STACK_OF(PKCS7) *safes, int index) { return sk_PKCS7_value(safes, index); }
static inline void copenssl_safes_free(STACK_OF(PKCS7) *safes) { sk_PKCS7_pop_free(safes, PKCS7_free); }

static inline int copenssl_bags_count(const STACK_OF(PKCS12_SAFEBAG) *bags) {
  return bags == NULL ? 0 : sk_PKCS12_SAFEBAG_num(bags);
}

static inline PKCS12_SAFEBAG *copenssl_bags_at(const STACK_OF(PKCS12_SAFEBAG) *bags, int index) {
  return sk_PKCS12_SAFEBAG_value(bags, index);
}

static inline void copenssl_bags_free(STACK_OF(PKCS12_SAFEBAG) *bags) {
  sk_PKCS12_SAFEBAG_pop_free(bags, PKCS12_SAFEBAG_free);
}

/* How an encrypted safe is protected; NULL when the structure lacks it. */
static inline const X509_ALGOR *copenssl_safe_protection(const PKCS7 *safe) {
  if (safe->d.encrypted == NULL || safe->d.encrypted->enc_data == NULL) return NULL;
  return safe->d.encrypted->enc_data->algorithm;
}

/* How a shrouded key is protected. */
static inline const X509_ALGOR *copenssl_bag_protection(const PKCS12_SAFEBAG *bag) {
  const X509_SIG *shrouded = PKCS12_SAFEBAG_get0_pkcs8(bag);
  const X509_ALGOR *algorithm = NULL;
  if (shrouded != NULL) X509_SIG_get0(shrouded, &algorithm, NULL);
  return algorithm;
}

static inline int copenssl_algorithm(const X509_ALGOR *algorithm) {
  const ASN1_OBJECT *object = NULL;
  X509_ALGOR_get0(&object, NULL, NULL, algorithm);
  return OBJ_obj2nid(object);
}

/* The cipher and the key derivation inside PBES2's parameters; NID_undef when they cannot be read. */
static inline void copenssl_pbes2(const X509_ALGOR *algorithm, int *cipher, int *derivation) {
  PBE2PARAM *parameters = algorithm->parameter == NULL
    ? NULL : (PBE2PARAM *)ASN1_TYPE_unpack_sequence(ASN1_ITEM_rptr(PBE2PARAM), algorithm->parameter);
  *cipher = parameters == NULL || parameters->encryption == NULL ? NID_undef : copenssl_algorithm(parameters->encryption);
  *derivation = parameters == NULL || parameters->keyfunc == NULL ? NID_undef : copenssl_algorithm(parameters->keyfunc);
  PBE2PARAM_free(parameters);
}

/* How many rounds of key derivation the parameters ask for; 0 when they cannot be read, -1 when too large for a long. */
static inline long copenssl_rounds(const X509_ALGOR *algorithm) {
  if (algorithm->parameter == NULL) return 0;
  long rounds = 0;
  if (copenssl_algorithm(algorithm) == NID_pbes2) {
    PBE2PARAM *outer = (PBE2PARAM *)ASN1_TYPE_unpack_sequence(ASN1_ITEM_rptr(PBE2PARAM), algorithm->parameter);
    PBKDF2PARAM *inner = NULL;
    if (outer != NULL && outer->keyfunc != NULL && outer->keyfunc->parameter != NULL
        && copenssl_algorithm(outer->keyfunc) == NID_id_pbkdf2)
      inner = (PBKDF2PARAM *)ASN1_TYPE_unpack_sequence(ASN1_ITEM_rptr(PBKDF2PARAM), outer->keyfunc->parameter);
    if (inner != NULL) rounds = ASN1_INTEGER_get(inner->iter);
    PBKDF2PARAM_free(inner);
    PBE2PARAM_free(outer);
  } else {
    PBEPARAM *parameters = (PBEPARAM *)ASN1_TYPE_unpack_sequence(ASN1_ITEM_rptr(PBEPARAM), algorithm->parameter);
    if (parameters != NULL) rounds = ASN1_INTEGER_get(parameters->iter);
    PBEPARAM_free(parameters);
  }
  return rounds;
}

static inline long copenssl_mac_rounds(const PKCS12 *file) {
  const ASN1_INTEGER *rounds = NULL;
  PKCS12_get0_mac(NULL, NULL, NULL, &rounds, file);
  return rounds == NULL ? 1 : ASN1_INTEGER_get(rounds);
}

/* The localKeyID of a bag; the bytes belong to it. NULL when there is none. */
static inline const unsigned char *copenssl_bag_key_identifier(const PKCS12_SAFEBAG *bag, int *length) {
  const ASN1_TYPE *value = PKCS12_SAFEBAG_get0_attr(bag, NID_localKeyID);
  if (value == NULL || value->type != V_ASN1_OCTET_STRING) return NULL;
  *length = ASN1_STRING_length(value->value.octet_string);
  return ASN1_STRING_get0_data(value->value.octet_string);
}

/* Puts a bag into a stack, which is made when there is none yet, with its attributes; takes it over. */
static inline int copenssl_bags_push(
    STACK_OF(PKCS12_SAFEBAG) **bags, PKCS12_SAFEBAG *bag, const char *name, const unsigned char *identifier, int length) {
  if (bag == NULL) return 0;
  if ((name == NULL || PKCS12_add_friendlyname_utf8(bag, name, -1))
      && (length == 0 || PKCS12_add_localkeyid(bag, (unsigned char *)identifier, length))
      && (*bags != NULL || (*bags = sk_PKCS12_SAFEBAG_new_null()) != NULL) && sk_PKCS12_SAFEBAG_push(*bags, bag) > 0)
    return 1;
  PKCS12_SAFEBAG_free(bag);
  return 0;
}

/* A bag with a key behind a passphrase, AES-256 and PBKDF2; NULL when it cannot be made. */
static inline PKCS12_SAFEBAG *copenssl_shrouded_key(EVP_PKEY *key, const char *passphrase, int rounds) {
  PKCS8_PRIV_KEY_INFO *information = EVP_PKEY2PKCS8(key);
  if (information == NULL) return NULL;
  PKCS12_SAFEBAG *bag = PKCS12_SAFEBAG_create_pkcs8_encrypt(
    NID_aes_256_cbc, passphrase, -1, NULL, 0, rounds, information);
  PKCS8_PRIV_KEY_INFO_free(information);
  return bag;
}
#endif
