// Migrations beside a server that works: each gives way to its writes.
import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { detailsOf } from '../runtime/untyped.ts'

/**
 * How long a migration waits for a lock beside a server that works: less than the second after which PostgreSQL looks for a deadlock, so
 * that the migration gives way to a write, and not a write to it.
 */
const LOCK_MILLISECONDS = 200

/** The migrations, each of which stops where it would wait for long. */
export const gentle = (
  migrations: Readonly<Record<string, Migration>>,
  givesWay: () => boolean,
): Record<string, Migration> =>
  Object.fromEntries(
    Object.entries(migrations).map(([name, { up }]) => [
      name,
      {
        async up(db) {
          if (givesWay()) await sql.raw(`set local lock_timeout = ${LOCK_MILLISECONDS}`).execute(db)
          await up(db)
        },
      },
    ]),
  )

/** Whether another transaction was in the way (PostgreSQL, Appendix A: lock_not_available, deadlock_detected). */
export const isLocked = (error: unknown) => ['55P03', '40P01'].includes(String(detailsOf(error).code))
