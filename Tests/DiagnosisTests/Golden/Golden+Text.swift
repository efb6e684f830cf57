/// As text.
extension Golden {
  static let text = #"""
    Starting ATS Diagnostics

    Configuring ATS Info.plist keys and displaying the result of HTTPS loads to https://a.test/.
    A test will "PASS" if the rules of OS 18.4 let the load pass.
    Use '--verbose' to view the ATS dictionaries used and the error of each test.
    ================================================================================

    Default ATS Secure Connection
    ---
    ATS Default Connection
    Result : FAIL
    Reason : forward-secrecy: The origin a.test:443 negotiated AES128-GCM-SHA256,
      the policy asks for forward secrecy (App Transport Security, OS 18.4, Secure
      Transport -9882 errSSLATSCiphersuiteViolation). Enable ECDHE suites at the
      origin, or give the host NSExceptionRequiresForwardSecrecy = NO if it knows
      RSA key exchange only.
    ---

    ================================================================================

    Allowing Arbitrary Loads
    ---
    Allow All Loads
    Result : PASS
    ---

    ================================================================================

    Configuring TLS exceptions for a.test
    ---
    TLSv1.3
    Result : FAIL
    Reason : minimum-tls: The origin a.test:443 negotiated TLSv1.2, the policy asks
      for TLSv1.3 or later (App Transport Security, OS 18.4, Secure Transport -9881
      errSSLATSMinimumVersionViolation). Enable TLSv1.3 at the origin, or give the
      host NSExceptionMinimumTLSVersion.
    ---
    TLSv1.2
    Result : FAIL
    Reason : forward-secrecy (as above)
    ---
    TLSv1.1
    Result : FAIL
    Reason : forward-secrecy (as above)
    ---
    TLSv1.0
    Result : FAIL
    Reason : forward-secrecy (as above)
    ---

    ================================================================================

    Configuring PFS exceptions for a.test
    ---
    Disabling Perfect Forward Secrecy
    Result : PASS
    ---

    ================================================================================

    Configuring PFS exceptions and allowing insecure HTTP for a.test
    ---
    Disabling Perfect Forward Secrecy and Allowing Insecure HTTP
    Result : PASS
    ---

    ================================================================================

    Configuring TLS exceptions with PFS disabled for a.test
    ---
    TLSv1.3 with PFS disabled
    Result : FAIL
    Reason : minimum-tls (as above)
    ---
    TLSv1.2 with PFS disabled
    Result : PASS
    ---
    TLSv1.1 with PFS disabled
    Result : PASS
    ---
    TLSv1.0 with PFS disabled
    Result : PASS
    ---

    ================================================================================

    Configuring TLS exceptions with PFS disabled and insecure HTTP allowed for a.test
    ---
    TLSv1.3 with PFS disabled and insecure HTTP allowed
    Result : FAIL
    Reason : minimum-tls (as above)
    ---
    TLSv1.2 with PFS disabled and insecure HTTP allowed
    Result : PASS
    ---
    TLSv1.1 with PFS disabled and insecure HTTP allowed
    Result : PASS
    ---
    TLSv1.0 with PFS disabled and insecure HTTP allowed
    Result : PASS
    ---

    ================================================================================

    a.test passes only with an exception: App Transport Security refuses a cipher
    suite without forward secrecy.

    The smallest exception
      <key>NSAppTransportSecurity</key>
      <dict>
        <key>NSExceptionDomains</key>
        <dict>
          <key>a.test</key>
          <dict>
            <key>NSExceptionRequiresForwardSecrecy</key>
            <false/>
          </dict>
        </dict>
      </dict>

    Facts
      address        192.0.2.1:443
      negotiated     TLSv1.2, AES128-GCM-SHA256
      certificate 1  CN=a.test, issued by CN=root, EC 256, sha256, 2026-11-20 to
                     2027-01-29

    Certificates to look at
      warning: expiring-soon: "CN=a.test" expires on 2026-12-10, in 10 days.

    Pins
      leaf      sha256/AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=
      issuer 1  sha256/AwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwM=

    """#

  static let matrix = #"""
    OS versions of a.test
                                                                    18.4    18.4
      ATS Default Connection                                        FAIL    FAIL
      Allow All Loads                                               PASS    PASS
      TLSv1.3                                                       FAIL    FAIL
      TLSv1.2                                                       FAIL    FAIL
      TLSv1.1                                                       FAIL    FAIL
      TLSv1.0                                                       FAIL    FAIL
      Disabling Perfect Forward Secrecy                             PASS    PASS
      Disabling Perfect Forward Secrecy and Allowing Insecure HTTP  PASS    PASS
      TLSv1.3 with PFS disabled                                     FAIL    FAIL
      TLSv1.2 with PFS disabled                                     PASS    PASS
      TLSv1.1 with PFS disabled                                     PASS    PASS
      TLSv1.0 with PFS disabled                                     PASS    PASS
      TLSv1.3 with PFS disabled and insecure HTTP allowed           FAIL    FAIL
      TLSv1.2 with PFS disabled and insecure HTTP allowed           PASS    PASS
      TLSv1.1 with PFS disabled and insecure HTTP allowed           PASS    PASS
      TLSv1.0 with PFS disabled and insecure HTTP allowed           PASS    PASS

    OS 18.4
    a.test passes only with an exception: App Transport Security refuses a cipher
    suite without forward secrecy.

    The smallest exception
      <key>NSAppTransportSecurity</key>
      <dict>
        <key>NSExceptionDomains</key>
        <dict>
          <key>a.test</key>
          <dict>
            <key>NSExceptionRequiresForwardSecrecy</key>
            <false/>
          </dict>
        </dict>
      </dict>

    OS 18.4
    a.test passes only with an exception: App Transport Security refuses a cipher
    suite without forward secrecy.

    The smallest exception
      <key>NSAppTransportSecurity</key>
      <dict>
        <key>NSExceptionDomains</key>
        <dict>
          <key>a.test</key>
          <dict>
            <key>NSExceptionRequiresForwardSecrecy</key>
            <false/>
          </dict>
        </dict>
      </dict>

    Facts
      address        192.0.2.1:443
      negotiated     TLSv1.2, AES128-GCM-SHA256
      certificate 1  CN=a.test, issued by CN=root, EC 256, sha256, 2026-11-20 to
                     2027-01-29

    Certificates to look at
      warning: expiring-soon: "CN=a.test" expires on 2026-12-10, in 10 days.

    Pins
      leaf      sha256/AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=
      issuer 1  sha256/AwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwM=

    """#
}
