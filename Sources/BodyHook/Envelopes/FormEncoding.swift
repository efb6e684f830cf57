/// How a form's entries become a body (HTML, "form submission").
public enum FormEncoding: String, Sendable {
  /// `application/x-www-form-urlencoded`
  case urlencoded = "u"
  /// `text/plain`
  case plain = "p"
  /// `multipart/form-data`
  case multipart = "m"
}
