/// A sentence or label of the page for devices; `OnboardingLanguage` has its words.
///
/// In the words `*…*` is what stands on the device's screen, `` `…` `` is to be typed, and `{…}` is filled in.
enum OnboardingText: String, CaseIterable {
  case title, lead, languages, doctor, verdictIdle, verdictChecking, verdictReady, verdictProxy, verdictCertificate
  case verdictTrust, verdictClock, hintIdle, hintChecking, hintReady, hintProxy, hintCertificate, hintTrust, hintClock
  case checkProxy, checkProfile, checkTrust, checkClock, stateOK, stateMissing, stateMaybe, stateWaiting, clockOK
  case clockOff, again, compare, compareText, server, port, getProfile, getDER, getPEM, getPAC, getAndroid, noProxy
  case ios, iosProxy, iosProxyProfile, iosDownload, iosInstall, iosTrust, android, androidProxy, androidDownload
  case androidInstall, androidApps, androidEmulator, mac, macProxy, macDownload, macInstall, macSimulator, windows
  case windowsProxy, windowsInstall, linux, linuxProxy, linuxInstall, linuxChromium, firefox, firefoxProxy
  case firefoxInstall, programs, programsText, others, another, anotherText, anotherProxy, pictureText, files, undo
  case undoText
}
