extension StoreMaintenance {
  /// A removed site.
  public struct RemovedSite: Sendable {
    /// The number of requests for its host, which stay without a site.
    public var requests: Int
  }

  /// Removes a site with its association files, servers' answers, daily figures, and findings of
  /// reports.
  ///
  /// Requests belong to hosts, not to sites, so they stay.
  ///
  /// - Parameter host: The host, or `*.` and a domain, as in the name of the site.
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
