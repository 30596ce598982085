// What the feed shows of things that a search found.
import { among } from '../../database/engine.ts'
import { type Given, prepared } from '../../database/prepared.ts'
import type { Db } from '../../database/schema.ts'

const entries = prepared(
  (db, given: Given<{ ids: string }>) =>
    db
      .selectFrom('feedEntry')
      .select(['id', 'type', 'number', 'title', 'url', 'score', 'commentCount'])
      .where('id', 'in', among(db, given('ids'))),
  { cached: true },
)

/** The entries of these things, by id; private things have none. */
export async function mapEntries(db: Db, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, never>()
  const { rows } = await entries(db, { ids: JSON.stringify(ids) })
  return new Map(
    rows.map((entry) => [entry.id, { ...entry, number: entry.number === null ? null : Number(entry.number) }]),
  )
}
