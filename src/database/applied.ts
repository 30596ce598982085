// Which migrations a database has seen.
import { sql } from 'kysely'
import { detailsOf } from '../runtime/untyped.ts'
import type { Db } from './schema.ts'

/** What a database has in its list of migrations while rows are moved into it (operator/move.ts): no version starts on it. */
export const UNFINISHED_MOVE = 'unfinished-move'

/** The names of the migrations that the database has seen; none in an empty one. */
export async function listApplied(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`
    .execute(db)
    .catch((error: unknown) => {
      if (isMissingTable(error)) return { rows: [] }
      throw error
    })
  return rows.map(({ name }) => name)
}

/** Of an empty database; any other error, such as one that does not respond, must not look like one. */
export const isMissingTable = (error: unknown) => {
  const { code, message } = detailsOf(error)
  return code === '42P01' || /^no such table/.test(String(message))
}
