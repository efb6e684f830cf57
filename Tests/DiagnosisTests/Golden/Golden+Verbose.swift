/// With every detail.
extension Golden {
  static let verbose = #"""
    Starting ATS Diagnostics

    Configuring ATS Info.plist keys and displaying the result of HTTPS loads to https://a.test/.
    A test will "PASS" if the rules of OS 18.4 let the load pass.
    ================================================================================

    Default ATS Secure Connection
    ---
    ATS Default Connection
    ATS Dictionary:
    {
    }
    Result : FAIL
    Error : Error Domain=NSURLErrorDomain Code=-1200 "App Transport Security refuses
      a cipher suite without forward secrecy"
      UserInfo={_kCFStreamErrorCodeKey=-9882}
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
    ATS Dictionary:
    {
        NSAllowsArbitraryLoads = true;
    }
    Result : PASS
    ---

    ================================================================================

    Configuring TLS exceptions for a.test
    ---
    TLSv1.3
    ATS Dictionary:
    {
        NSExceptionDomains =     {
            "a.test" =     {
                NSExceptionMinimumTLSVersion = "TLSv1.3";
            };
        };
    }
    Result : FAIL
    Error : Error Domain=NSURLErrorDomain Code=-1200 "App Transport Security refuses
      the origin's TLS version" UserInfo={_kCFStreamErrorCodeKey=-9881}
    Reason : minimum-tls: The origin a.test:443 negotiated TLSv1.2, the policy asks
      for TLSv1.3 or later (App Transport Security, OS 18.4, Secure Transport -9881
      errSSLATSMinimumVersionViolation). Enable TLSv1.3 at the origin, or give the
      host NSExceptionMinimumTLSVersion.
    Reason : forward-secrecy (as above)
    ---
    TLSv1.2
    ATS Dictionary:
    {
        NSExceptionDomains =     {
            "a.test" =     {
                NSExceptionMinimumTLSVersion = "TLSv1.2";
            };
        };
    }
    Result : FAIL
    Error : Error Domain=NSURLErrorDomain Code=-1200 "App Transport Security refuses
      a cipher suite without forward secrecy"
      UserInfo={_kCFStreamErrorCodeKey=-9882}
    Reason : forward-secrecy (as above)
    ---
    TLSv1.1
    ATS Dictionary:
    {
        NSExceptionDomains =     {
            "a.test" =     {
                NSExceptionMinimumTLSVersion = "TLSv1.1";
            };
        };
    }
    Result : FAIL
    Error : Error Domain=NSURLErrorDomain Code=-1200 "App Transport Security refuses
      a cipher suite without forward secrecy"
      UserInfo={_kCFStreamErrorCodeKey=-9882}
    Reason : forward-secrecy (as above)
    ---
    TLSv1.0
    ATS Dictionary:
    {
        NSExceptionDomains =     {
            "a.test" =     {
                NSExceptionMinimumTLSVersion = "TLSv1.0";
            };
        };
    }
    Result : FAIL
    Error : Error Domain=NSURLErrorDomain Code=-1200 "App Transport Security refuses
      a cipher suite without forward secrecy"
      UserInfo={_kCFStreamErrorCodeKey=-9882}
    Reason : forward-secrecy (as above)
    ---

    ================================================================================

    Configuring PFS exceptions for a.test
    ---
    Disabling Perfect Forward Secrecy
    ATS Dictionary:
    {
        NSExceptionDomains =     {
            "a.test" =     {
                NSExceptionRequiresForwardSecrecy = false;
            };
        };
    }
    Result : PASS
    ---

    ================================================================================

    Configuring PFS exceptions and allowing insecure HTTP for a.test
    ---
    Disabling Perfect Forward Secrecy and Allowing Insecure HTTP
    ATS Dictionary:
    {
        NSExceptionDomains =     {
            "a.test" =     {
                NSExceptionAllowsInsecureHTTPLoads = true;
                NSExceptionRequiresForwardSecrecy = false;
            };
        };
    }
    Result : PASS
    ---

    ================================================================================

    Configuring TLS exceptions with PFS disabled for a.test
    ---
    TLSv1.3 with PFS disabled
    ATS Dictionary:
    {
        NSExceptionDomains =     {
            "a.test" =     {
                NSExceptionMinimumTLSVersion = "TLSv1.3";
                NSExceptionRequiresForwardSecrecy = false;
            };
        };
    }
    Result : FAIL
    Error : Error Domain=NSURLErrorDomain Code=-1200 "App Transport Security refuses
      the origin's TLS version" UserInfo={_kCFStreamErrorCodeKey=-9881}
    Reason : minimum-tls (as above)
    ---
    TLSv1.2 with PFS disabled
    ATS Dictionary:
    {
        NSExceptionDomains =     {
            "a.test" =     {
                NSExceptionMinimumTLSVersion = "TLSv1.2";
                NSExceptionRequiresForwardSecrecy = false;
            };
        };
    }
    Result : PASS
    ---
    TLSv1.1 with PFS disabled
    ATS Dictionary:
    {
        NSExceptionDomains =     {
            "a.test" =     {
                NSExceptionMinimumTLSVersion = "TLSv1.1";
                NSExceptionRequiresForwardSecrecy = false;
            };
        };
    }
    Result : PASS
    ---
    TLSv1.0 with PFS disabled
    ATS Dictionary:
    {
        NSExceptionDomains =     {
            "a.test" =     {
                NSExceptionMinimumTLSVersion = "TLSv1.0";
                NSExceptionRequiresForwardSecrecy = false;
            };
        };
    }
    Result : PASS
    ---

    ================================================================================

    Configuring TLS exceptions with PFS disabled and insecure HTTP allowed for a.test
    ---
    TLSv1.3 with PFS disabled and insecure HTTP allowed
    ATS Dictionary:
    {
        NSExceptionDomains =     {
            "a.test" =     {
                NSExceptionAllowsInsecureHTTPLoads = true;
                NSExceptionMinimumTLSVersion = "TLSv1.3";
                NSExceptionRequiresForwardSecrecy = false;
            };
        };
    }
    Result : FAIL
    Error : Error Domain=NSURLErrorDomain Code=-1200 "App Transport Security refuses
      the origin's TLS version" UserInfo={_kCFStreamErrorCodeKey=-9881}
    Reason : minimum-tls (as above)
    ---
    TLSv1.2 with PFS disabled and insecure HTTP allowed
    ATS Dictionary:
    {
        NSExceptionDomains =     {
            "a.test" =     {
                NSExceptionAllowsInsecureHTTPLoads = true;
                NSExceptionMinimumTLSVersion = "TLSv1.2";
                NSExceptionRequiresForwardSecrecy = false;
            };
        };
    }
    Result : PASS
    ---
    TLSv1.1 with PFS disabled and insecure HTTP allowed
    ATS Dictionary:
    {
        NSExceptionDomains =     {
            "a.test" =     {
                NSExceptionAllowsInsecureHTTPLoads = true;
                NSExceptionMinimumTLSVersion = "TLSv1.1";
                NSExceptionRequiresForwardSecrecy = false;
            };
        };
    }
    Result : PASS
    ---
    TLSv1.0 with PFS disabled and insecure HTTP allowed
    ATS Dictionary:
    {
        NSExceptionDomains =     {
            "a.test" =     {
                NSExceptionAllowsInsecureHTTPLoads = true;
                NSExceptionMinimumTLSVersion = "TLSv1.0";
                NSExceptionRequiresForwardSecrecy = false;
            };
        };
    }
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
      handshake      TLSv1.2 to TLSv1.3, 1 older suites: the origin sent the alert
                     handshake_failure (40)

    Certificates to look at
      warning: expiring-soon: "CN=a.test" expires on 2026-12-10, in 10 days.

    Pins
      leaf      sha256/AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=
      issuer 1  sha256/AwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwM=
      curl --pinnedpubkey
        sha256//AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=;sha256//AwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwM\#
    DAwMDAwM=
      NSPinnedDomains
        <key>NSPinnedDomains</key>
        <dict>
          <key>a.test</key>
          <dict>
            <key>NSPinnedCAIdentities</key>
            <array>
              <dict>
                <key>SPKI-SHA256-BASE64</key>
                <string>AwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwM=</string>
              </dict>
            </array>
            <key>NSPinnedLeafIdentities</key>
            <array>
              <dict>
                <key>SPKI-SHA256-BASE64</key>
                <string>AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=</string>
              </dict>
            </array>
          </dict>
        </dict>
      TrustKit
        <key>kTSKPublicKeyHashes</key>
        <array>
          <string>AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=</string>
          <string>AwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwM=</string>
        </array>
      network_security_config
        <pin-set><pin digest="SHA-256">AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=</pin><pin \#
    digest="SHA-256">AwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwM=</pin></pin-set>

    """#
}
