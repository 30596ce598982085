// The statements and the options of the connection that listens for changes (postgres-changes.ts).

/** Where the names of changed tables are notified. */
export const CHANNEL = 'guildhall_changes'

/** What a process says when it begins to listen, and when others must drop what they cached: no table has this name. */
export const HELLO = '*'

/** Every listening connection holds this advisory lock, shared: so they can be counted. */
const LISTENERS = 1_735_747_681
export const LISTENER_LOCK = `select pg_advisory_lock_shared(${LISTENERS})`
/** The other connections that listen on this database. */
export const OTHER_LISTENERS = `select pid from pg_locks where locktype = 'advisory' and objid = ${LISTENERS}
  and database = (select oid from pg_database where datname = current_database()) and pid <> pg_backend_pid()`

/** Milliseconds since 1970 by the clock of the database. */
export const NOW = '(extract(epoch from clock_timestamp()) * 1000)::float8'
/** Both in one row. */
export const HEARTBEAT = `select array(${OTHER_LISTENERS}) as pids, ${NOW} as now`

/** Those of some processes of PostgreSQL that have ended. */
export const ENDED = `select pid from unnest($1::int[]) pid where not exists (select from pg_stat_activity a where a.pid = pid.pid)`

/** Notifies each of several names. */
export const ANNOUNCE = `select pg_notify('${CHANNEL}', said) from unnest($1::text[]) said`

/** A connection that is silent for this long is replaced. */
const SILENCE_MILLISECONDS = 800
/** The options of the connection that `PostgresChanges` listens on. */
export const LISTENING = { connectionTimeoutMillis: SILENCE_MILLISECONDS, query_timeout: SILENCE_MILLISECONDS }
