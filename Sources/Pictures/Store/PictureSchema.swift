import Database

/// The tables on disk. Bodies stand apart, so that what changes about a picture does not move its bytes.
enum PictureSchema {
  static let schema = DatabaseSchema(
    application: 0x7057_5063,
    versions: [
      """
      CREATE TABLE pictures (
        id INTEGER PRIMARY KEY, url TEXT NOT NULL, scope TEXT NOT NULL, decision TEXT NOT NULL, used INTEGER NOT NULL,
        bytes INTEGER NOT NULL, status INTEGER NOT NULL, requested INTEGER NOT NULL, received INTEGER NOT NULL,
        reason BLOB NOT NULL, variant BLOB NOT NULL, fields BLOB NOT NULL);
      CREATE INDEX pictures_by_url ON pictures (url);
      CREATE INDEX pictures_by_scope ON pictures (scope, decision);
      CREATE INDEX pictures_by_use ON pictures (used, bytes);
      CREATE TABLE bodies (id INTEGER PRIMARY KEY, body BLOB NOT NULL);
      CREATE TRIGGER pictures_removed AFTER DELETE ON pictures BEGIN DELETE FROM bodies WHERE id = old.id; END;
      """
    ])

  static let pageSize = 4096

  static let insertion = """
    INSERT INTO pictures (url, scope, decision, used, bytes, status, requested, received, reason, variant, fields)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) RETURNING id
    """
  static let selection = """
    SELECT id, used, status, requested, received, reason, variant, fields FROM pictures
    WHERE url = ?1 AND scope = ?2 AND decision = ?3
    """
}
