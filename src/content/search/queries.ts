// What the feed shows of things that a search found, and usernames by their beginning.

import { sql } from 'kysely'
import { among, elementsOf, engineOf } from '../../database/engine.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import type { Db } from '../../database/schema.ts'
import { isAboutShown } from '../board-access/listing-queries.ts'

const entries = prepared(
  (db, given: Bind<{ ids: string }>) =>
    db
      .selectFrom('feedEntry')
      .select(['id', 'type', 'number', 'title', 'url', 'score', 'commentCount'])
      .where('id', ...among(db, given('ids'))),
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

const usernames = prepared(
  (db, given: Bind<{ from: string; to: string; limit: number }>) =>
    db
      .selectFrom('user')
      .select(['username', 'name'])
      .where('usernameKey', '>=', given('from'))
      .where('usernameKey', '<', given('to'))
      .where('blockedAt', 'is', null)
      .orderBy('usernameKey')
      .limit(given('limit')),
  { cached: true },
)

/** After every character that a username may have. */
const LAST = '~'

/** Members whose username begins so, in lower case, in the order of their usernames. */
export async function listUsernamesFrom(db: Db, { from, limit }: { from: string; limit: number }) {
  const { rows } = await usernames(db, { from, to: from + LAST, limit })
  return rows.flatMap(({ username, name }) => (username === null ? [] : [{ username, name }]))
}

type Filters = Readonly<Record<string, string | undefined>>

/** Those of these numbers of documents that are things of a board, or comments on them. */
export async function listInBoard(db: Db, numbers: readonly number[], filters: Filters): Promise<number[]> {
  if (numbers.length === 0) return []
  const list = JSON.stringify(numbers)
  const keys =
    engineOf(db) === 'sqlite'
      ? elementsOf(db, list)
      : sql`(select value::bigint from json_array_elements_text(${list}::json) value)`
  const isWanted = isAboutShown(sql`coalesce(d."parentType", d.type)`, sql`coalesce(d."parentId", d.id)`, filters)
  const { rows } = await sql<{ rowId: number }>`select d."rowId" from "searchDocument" d where d."rowId" in ${keys}
    and ${isWanted}`.execute(db)
  return rows.map(({ rowId }) => Number(rowId))
}
