/// A name that still works in this version, and the one that replaces it.
struct FormerName {
  var former: String
  var present: String

  /// The message for those who use the former name.
  var notice: String {
    "'\(former)' is now '\(present)'; the next version won't accept the former name"
  }
}
