import CPSL

extension PublicSuffixes {
  /// Whether `name`, a lower-case A-label name, is a suffix under which a registry sells names: `com`, `co.uk`.
  ///
  /// The private part of the list is left out. Its entries (`github.io`, `azurewebsites.net`) belong to one owner each, who
  /// may well hold a wildcard certificate directly below.
  public static func isRegistrySuffix(_ name: String) -> Bool {
    psl_is_public_suffix2(psl_builtin(), name, PSL_TYPE_ICANN | PSL_TYPE_NO_STAR_RULE) != 0
  }
}
