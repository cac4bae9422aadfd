import Foundation
import PackagePlugin

/// Writes a source file that holds the commit, when a build begins and there is a new one.
///
/// The manifest could ask for it, too, but the answer would be kept for as long as the
/// manifest stays as it is.
@main
struct CommitStamp: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let package = context.package.directoryURL
    let file = context.pluginWorkDirectoryURL.appending(path: "StampedCommit.swift")
    return [
      .buildCommand(
        displayName: "Naming the commit",
        executable: URL(filePath: "/bin/sh"),
        arguments: [
          package.appending(path: "Scripts/stamp-commit.sh").path, package.path, file.path,
        ],
        inputFiles: Self.records(of: package) + Self.sources(of: package),
        outputFiles: [file])
    ]
  }

  /// The files of the repository that change with each commit and checkout.
  static func records(of package: URL) -> [URL] {
    var folder = package.appending(path: ".git")
    // In a worktree or a submodule, a file says where the folder is.
    if let text = try? String(contentsOf: folder, encoding: .utf8), text.hasPrefix("gitdir: ") {
      let path = text.dropFirst(8).prefix { $0 != "\n" }
      folder = URL(filePath: String(path), relativeTo: package)
    }
    return ["HEAD", "index", "logs/HEAD"].map { folder.appending(path: $0) }
      .filter { FileManager.default.fileExists(atPath: $0.path) }
      .map { URL(filePath: $0.path) }
  }

  /// What is compiled: when any of it changes, the tree may have come to differ from the
  /// commit.
  static func sources(of package: URL) -> [URL] {
    let folder = package.appending(path: "Sources")
    let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    return [package.appending(path: "Package.swift")]
      + (paths ?? []).filter { $0.hasSuffix(".swift") }.sorted().map { folder.appending(path: $0) }
  }
}
