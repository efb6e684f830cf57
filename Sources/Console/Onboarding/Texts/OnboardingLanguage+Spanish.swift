extension OnboardingLanguage {
  /// Spanish.
  static let spanishWords: [OnboardingText: String] = [
    .title: "Configura este dispositivo",
    .lead: """
    Hacen falta dos cosas: que este dispositivo use el proxy y que confíe en su autoridad de \
    certificación, *{name}*.
    """,
    .languages: "Idioma",
    .doctor: "Revisión de confianza",
    .verdictIdle: "Sin comprobar",
    .verdictChecking: "Comprobando…",
    .verdictReady: "Todo está en orden",
    .verdictProxy: "El proxy no está en uso",
    .verdictCertificate: "Falta instalar el certificado",
    .verdictTrust: "El certificado aún no es de confianza",
    .verdictClock: "La hora no es correcta",
    .hintIdle: """
    Este navegador no ejecuta scripts aquí, así que no se puede comprobar nada. Los pasos de abajo son \
    los mismos.
    """,
    .hintChecking: "Tarda unos segundos.",
    .hintReady: """
    Este navegador llega al proxy y confía en sus certificados. Las apps que fijan certificados aún \
    pueden rechazarlos.
    """,
    .hintProxy: "Siguiente: introduce el proxy en los ajustes de red y vuelve a esta página.",
    .hintCertificate: "Siguiente: descarga el certificado de abajo e instálalo.",
    .hintTrust: "Ya está descargado. Falta instalarlo en Ajustes y, en iPhone y iPad, activar la confianza total.",
    .hintClock: "Los certificados y los inicios de sesión dependen de la hora. Pon fecha y hora en automático.",
    .checkProxy: "Proxy en uso",
    .checkProfile: "Certificado instalado",
    .checkTrust: "Confianza total activada",
    .checkClock: "Reloj",
    .stateOK: "Sí",
    .stateMissing: "No",
    .stateMaybe: "No se ve desde aquí",
    .stateWaiting: "Aún no se sabe",
    .clockOK: "Correcto",
    .clockOff: "Desfase:",
    .again: "Comprobar de nuevo",
    .compare: "Compara primero",
    .compareText: """
    Hasta que el certificado sea de confianza, nada prueba que esta página sea auténtica. No instales \
    nada si quien administra el proxy no ve la misma huella SHA-256 (`pinwarden authority show`).
    """,
    .server: "Servidor",
    .port: "Puerto",
    .getProfile: "Perfil de configuración",
    .getDER: "Certificado (.crt)",
    .getPEM: "Certificado (.pem)",
    .getPAC: "Configuración automática (proxy.pac)",
    .getAndroid: "Almacén del sistema Android ({file})",
    .noProxy: "Pide la dirección del proxy a quien lo administra.",
    .ios: "iPhone y iPad",
    .iosProxy: "Abre *Ajustes › Wi-Fi*, toca (i) junto a tu red, luego *Configurar proxy › Manual*, e introduce:",
    .iosProxyProfile: "El perfil del paso siguiente también lo hace para la red *{network}*.",
    .iosDownload: "En Safari, descarga el perfil y permítelo. Otros navegadores no pueden instalarlo.",
    .iosInstall: """
    Abre *Ajustes › Perfil descargado*, o *General › VPN y gestión de dispositivos*, toca el perfil y \
    luego *Instalar*.
    """,
    .iosTrust: """
    Abre *Ajustes › General › Información › Ajustes de confianza de los certificados* y activa \
    *{name}*. Sin esto, las apps rechazan todos los sitios.
    """,
    .android: "Android",
    .androidProxy: """
    Abre *Ajustes › Redes e Internet*, tu red Wi-Fi, *Editar › Opciones avanzadas › Proxy › Manual*, e \
    introduce:
    """,
    .androidDownload: "Descarga el certificado. Desde Android 11 no basta con abrir el archivo: se instala en Ajustes.",
    .androidInstall: """
    Abre *Ajustes › Seguridad y privacidad › Más ajustes de seguridad › Cifrado y credenciales › \
    Instalar un certificado › Certificado de CA*, confirma y elige el archivo.
    """,
    .androidApps: """
    Desde Android 7 las apps solo confían en él si su `network_security_config.xml` lo permite. Para \
    versiones de depuración:
    """,
    .androidEmulator: """
    Un emulador sin Google Play puede tenerlo en el almacén del sistema, donde todas las apps confían \
    en él (Android 13 y anteriores; inícialo con `-writable-system`):
    """,
    .mac: "Mac",
    .macProxy: """
    Abre *Ajustes del Sistema › Red*, tu red, *Detalles › Proxies*. Activa el proxy web y el proxy web \
    seguro, e introduce:
    """,
    .macDownload: "Descarga el certificado.",
    .macInstall: "Confía en él desde Terminal:",
    .macSimulator: "Un simulador en marcha tiene su propio almacén:",
    .windows: "Windows",
    .windowsProxy: "Abre *Configuración › Red e Internet › Proxy › Configuración manual del proxy*, e introduce:",
    .windowsInstall: "Confía en él desde un terminal:",
    .linux: "Linux",
    .linuxProxy: "Ponlo en los ajustes de red del escritorio, o para los programas de un shell:",
    .linuxInstall: "Confía en él, en Debian y Ubuntu:",
    .linuxChromium: "Chromium y Chrome tienen su propio almacén:",
    .firefox: "Firefox",
    .firefoxProxy: """
    Abre *Ajustes › General › Configuración de red › Configuración manual del proxy*, introdúcelo y \
    úsalo también para HTTPS:
    """,
    .firefoxInstall: """
    Firefox tiene su propio almacén: *Ajustes › Privacidad y seguridad › Ver certificados › Autoridades \
    › Importar*, y permite que identifique sitios web.
    """,
    .programs: "Programas",
    .programsText: "La mayoría toma el proxy y el certificado del entorno:",
    .others: "Otros sistemas",
    .another: "Otro dispositivo",
    .anotherText: "Escanéalo con la cámara del dispositivo, o abre:",
    .anotherProxy: "Se abre cuando el dispositivo usa el proxy.",
    .pictureText: "Código QR de la dirección de esta página",
    .files: "Todos los archivos",
    .undo: "Cuando termines",
    .undoText: """
    Quita el proxy y el certificado del dispositivo. Mientras confíe en la autoridad, quien tenga su \
    clave puede leer el tráfico.
    """,
  ]
}
