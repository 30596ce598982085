// The statements of the connection that listens for changes (postgres-changes.ts).

/** Where the names of changed tables are notified. */
export const CHANNEL = 'guildhall_changes'

/** Every listening connection holds this advisory lock, shared: so they can be counted. */
const LISTENERS = 1_735_747_681
export const LISTENER_LOCK = `select pg_advisory_lock_shared(${LISTENERS})`
/** The other connections that listen on this database. */
export const OTHER_LISTENERS = `select pid from pg_locks where locktype = 'advisory' and objid = ${LISTENERS}
  and database = (select oid from pg_database where datname = current_database()) and pid <> pg_backend_pid()`

/** Those of some processes of PostgreSQL that have ended. */
export const ENDED = `select pid from unnest($1::int[]) pid where not exists (select from pg_stat_activity a where a.pid = pid.pid)`

/** Notifies each of several names. */
export const ANNOUNCE = `select pg_notify('${CHANNEL}', said) from unnest($1::text[]) said`
