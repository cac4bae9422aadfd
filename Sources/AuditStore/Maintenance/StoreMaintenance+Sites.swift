extension StoreMaintenance {
  /// A site that was removed.
  public struct RemovedSite: Sendable {
    /// The number of requests for its host, which stay: they are those of no site now.
    public var requests: Int
  }

  /// Removes a site: the association files that were in force on it, what servers answered, its
  /// daily figures, and what reports found about it.
  ///
  /// Requests are kept by host and not by site, so they stay.
  ///
  /// - Parameter host: The host, or `*.` and a domain, as the site was named.
  /// - Returns: The counts of the removed site, or `nil` if the store has no such site.
  /// - Throws: ``StoreError`` if the store can't be changed.
  public func removeSite(_ host: String) throws(StoreError) -> RemovedSite? {
    try store.write { database in
      let isKnown = try database.value(
        of: Bool.self, "SELECT EXISTS (SELECT 1 FROM deployments WHERE host = ?)", [host])
      guard isKnown == true else { return nil }
      let requests = try database.value(
        of: Int.self, "SELECT coalesce(sum(requests), 0) FROM daily_sites WHERE host = ?",
        [host])
      try database.execute("DELETE FROM deployments WHERE host = ?", [host])
      try database.execute("DELETE FROM served_files WHERE host = ?", [host])
      try DailyFigures.removeSite(host, in: database)
      try database.execute("DELETE FROM report_findings WHERE host = ?", [host])
      try Deployment.removeUnusedFiles(in: database)
      return RemovedSite(requests: requests ?? 0)
    }
  }
}
