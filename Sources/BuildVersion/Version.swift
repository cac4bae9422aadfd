/// The version of the command, and the commit that it was built from.
public enum Version {
  /// The number, which stands here and nowhere else: `Scripts/version.sh` reads this line.
  public static let number = "0.1.0"

  /// The first 12 digits of the commit, the day on which it was made, and whether the tree
  /// had changes, such as `4ef2052f1a2b, 2026-11-21, changed`; `nil` if there was no
  /// repository.
  ///
  /// Output for machines, such as digests and reports, names only the number, so that the
  /// same input gives the same bytes.
  // Not inlined, so that a new commit compiles this module anew, and no other.
  @inline(never)
  public static var commit: String? {
    stampedCommit.isEmpty ? nil : stampedCommit
  }
}
