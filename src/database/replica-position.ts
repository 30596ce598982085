// Where a primary and a replica stand in the write-ahead log, and whether one is a replica of the other.

/** What is the same of a primary and its replicas. */
const DATABASE = `(select system_identifier::text from pg_control_system()) as "system",
  concat_ws(' ', current_database(), current_schema()) as "database",
  concat_ws(' ', (select oid from pg_database where datname = current_database()), current_schema()::regnamespace::oid) as "ids"`

/** The same for connections to one server since its start. */
const SERVER = `concat_ws(' ', inet_server_addr(), inet_server_port(), extract(epoch from pg_postmaster_start_time())) as "server"`

/** Of a primary, as `PrimaryDatabase`. */
export const PRIMARY_DATABASE = `select ${DATABASE}, ${SERVER}`

/**
 * Of a replica, as `ReplicaDatabase`. Its timeline is the one that it receives, which PostgreSQL tells members of `pg_monitor` alone, or
 * that of its last restart point: then a replica that follows a new primary is known as such within five minutes (`checkpoint_timeout`).
 * One that stayed behind on another timeline is never on the new one.
 */
export const REPLICA_DATABASE = `select ${DATABASE}, (select greatest(c.timeline_id, r.min_recovery_end_timeline,
    (select received_tli from pg_stat_wal_receiver)) from pg_control_checkpoint() c, pg_control_recovery() r) as "timeline",
  ${SERVER}`

/**
 * What a primary has written, as `PrimaryState`. A commit is visible once its record is inserted, and flushed before it is
 * acknowledged, except with `synchronous_commit` off.
 */
export const PRIMARY_STATE = `select pg_current_wal_insert_lsn()::text as "inserted", pg_current_wal_flush_lsn()::text as "flushed",
  ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::int as "timeline"`

/** What a replica has replayed, as `ReplicaState`. */
export const REPLICA_STATE = `select pg_is_in_recovery() as "isInRecovery", pg_last_wal_replay_lsn()::text as "replayed"`

/**
 * Takes a transaction id and changes nothing: its commit, and all that is inserted before, is flushed soon, and nothing waits for that.
 * What a read inserts (it may tidy a page) would stay where it is until the next commit, and so would the header of a new page.
 */
export const FLUSH_SOON = 'select pg_current_xact_id()::text'

interface DatabaseIdentity {
  system: string
  database: string
  ids: string
}

export interface PrimaryDatabase extends DatabaseIdentity {
  server: string
}

export interface ReplicaDatabase extends PrimaryDatabase {
  timeline: number
}

export interface PrimaryState {
  inserted: string
  flushed: string
  timeline: number
}

export interface ReplicaState {
  isInRecovery: boolean
  replayed: string | null
}

/** Why no reads go to an address as that of a replica: it leads to the primary, or to another one. */
export const IS_PRIMARY = 'it is the primary'
export const IS_ANOTHER_PRIMARY = 'the replica is a primary itself'

/** Why a database is no replica of another one, in words that complete "reads go to the primary"; undefined if it is. */
export function whyNoReplica(
  primary: DatabaseIdentity,
  replica: ReplicaDatabase,
  { timeline }: PrimaryState,
): string | undefined {
  if (replica.system !== primary.system) return 'the replica is of another cluster'
  if (replica.database !== primary.database || replica.ids !== primary.ids) {
    return `the replica has another database or schema (${replica.database} instead of ${primary.database})`
  }
  if (replica.timeline !== timeline) {
    return `the replica follows timeline ${replica.timeline}, and the primary is on ${timeline}`
  }
  return undefined
}

/** A place in the write-ahead log, such as `2/B374D848`, in bytes. */
export function bytesOf(place: string): bigint {
  const [high = '0', low = '0'] = place.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}
