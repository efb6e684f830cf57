import Database

/// The tables of the history.
///
/// One row for each exchange, numbered in the order in which they ended. The oldest go first and new ones come last, so the numbers
/// have no holes, and first and last tell how many there are. What pages and filters look at stands before the messages, whose
/// bytes SQLite then need not touch. There is one index, of identifiers; filters read the rows, newest first.
enum HistorySchema {
  static let schema = DatabaseSchema(
    application: 0x7069_6E77,
    versions: [
      """
      CREATE TABLE exchanges (
        sequence INTEGER PRIMARY KEY,
        identifier INTEGER NOT NULL,
        started INTEGER NOT NULL,
        status INTEGER,
        failed INTEGER NOT NULL,
        action TEXT NOT NULL,
        ats TEXT NOT NULL,
        lane TEXT NOT NULL,
        host TEXT NOT NULL,
        port INTEGER,
        client TEXT NOT NULL,
        client_port INTEGER,
        search TEXT NOT NULL,
        record TEXT NOT NULL,
        request BLOB,
        response BLOB
      );
      CREATE INDEX exchanges_identifier ON exchanges (identifier);
      """
    ])

  static let insertion = """
    INSERT INTO exchanges (identifier, started, status, failed, action, ats, lane, host, port, client, client_port, search, record,
      request, response) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
    """

  /// Bytes. Measured: rows of a kilobyte or two leave a fifth of a smaller page unused, and larger pages gain nothing.
  static let pageSize = 8_192
}
