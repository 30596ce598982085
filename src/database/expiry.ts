// Deletes rows by age, in batches: expired credentials, sent mail, and clients and browsers that are not used any more.
import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Database, Db } from './schema.ts'

interface ExpiryRule<Table extends keyof Database> {
  table: Table
  key: (keyof Database[Table] & string) | readonly (keyof Database[Table] & string)[]
  /** The column with the moment that counts. */
  since: keyof Database[Table] & string
  /** Other rows stay, at any age. */
  where?: RawBuilder<boolean>
}

/** Deletes the rows whose moment is not after `until`, oldest first. */
export function deleteUntil<Table extends keyof Database>(
  db: Db,
  { table, key, since, where = sql<boolean>`1 = 1` }: ExpiryRule<Table>,
  until: string,
): Promise<void> {
  const columns = typeof key === 'string' ? [key] : key
  const [id, moment] = [sql.join(columns.map((name) => sql.ref(name))), sql.ref(since)]
  return inBatches(async (limit) => {
    const old = sql`select ${id} from ${sql.table(table)} where ${moment} <= ${until} and ${where} order by ${moment} limit ${limit}`
    // A row that was used in between stays.
    const deletion = sql`delete from ${sql.table(table)} where (${id}) in (${old}) and ${moment} <= ${until}`
    return Number((await deletion.execute(db)).numAffectedRows)
  })
}

/** Rows a batch. */
const BATCH = 25
/** A pause is this many times as long as the batch before it. */
const PAUSE_FACTOR = 12
const SHORTEST_PAUSE_MILLISECONDS = 5

/**
 * Runs `remove`, which returns how many rows it removed, until that is less than its limit. A batch takes about as long as a request, and
 * the pauses between leave most of the time for requests.
 */
export async function inBatches(remove: (limit: number) => Promise<number>): Promise<void> {
  for (;;) {
    const started = performance.now()
    if ((await remove(BATCH)) < BATCH) return
    await sleep(Math.max(SHORTEST_PAUSE_MILLISECONDS, (performance.now() - started) * PAUSE_FACTOR))
  }
}
