// What is in one board, newest or best first: a merge of the tables of what is in boards, each read along its index no farther than the
// page. The feed itself has no boards, and nothing of a closed one.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Sort, Writers } from '../../contract/fields.ts'
import type { Range } from '../../database/cursor.ts'
import { isAmong } from '../../database/engine.ts'
import type { Db } from '../../database/schema.ts'
import type { Boarded } from '../board-access/contract.ts'
import { isShownIn } from '../board-access/listing-queries.ts'
import { isBehind } from '../listing-queries.ts'
import { isBy } from '../via.ts'
import type { ShownEntry } from './queries.ts'

export interface OfBoard {
  sort: Sort
  /** The board as lists are filtered by it (boards/listing-queries.ts). */
  filters: Readonly<Record<string, string | undefined>>
  types: readonly Boarded[]
  authorId?: string | undefined
  by?: Writers | undefined
}

const TEXTS: Readonly<Record<Boarded, 'description' | 'body'>> = {
  bug: 'description',
  feature: 'description',
  post: 'body',
  release: 'body',
}

/** A thing of a board, with its text in place of what the feed shows of it. */
export type BoardThing = Omit<ShownEntry, 'preview' | 'url' | 'type'> & { type: Boarded; text: string }

const orderOf = (sort: Sort, of: string) =>
  sql.join(
    (sort === 'popular' ? ['score', 'createdAt', 'id'] : ['createdAt', 'id']).map(
      (column) => sql`${sql.ref(`${of}.${column}`)} desc`,
    ),
  )

/** The first `most` places of one table. */
function placesOf(
  type: Boarded,
  { sort, ...which }: OfBoard,
  { most, after }: { most: number; after: Range['after'] },
) {
  const conditions = [
    ...conditionsOf(type, which),
    ...(after === undefined ? [] : [isBehind({ of: type, sort }, after)]),
  ]
  return sql`select type, id, "createdAt", score from (select ${sql.lit(type)} as type, ${sql.ref(`${type}.id`)} as id,
      ${sql.ref(`${type}.createdAt`)} as "createdAt", ${sql.ref(`${type}.score`)} as score from ${sql.table(type)}
    where ${sql.join(conditions, sql` and `)} order by ${orderOf(sort, type)} limit ${most}) ${sql.table(`of_${type}`)}`
}

/** How many things of a type there are in a board. */
export async function countOfBoard(db: Db, type: Boarded, which: Omit<OfBoard, 'sort' | 'types'>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(type)}
    where ${sql.join(conditionsOf(type, which), sql` and `)}`.execute(db)
  return Number(rows[0]?.count ?? 0)
}

/** Which rows of a table are of a list. */
function conditionsOf(
  type: Boarded,
  { filters, authorId, by }: Pick<OfBoard, 'filters' | 'authorId' | 'by'>,
): RawBuilder<SqlBool>[] {
  return [
    isShownIn(type, filters) as RawBuilder<SqlBool>,
    sql<SqlBool>`not exists (select 1 from "user" b where b.id = ${sql.ref(`${type}.authorId`)} and b."blockedAt" is not null)`,
    ...(authorId === undefined ? [] : [sql<SqlBool>`${sql.ref(`${type}.authorId`)} = ${authorId}`]),
    ...(by === undefined ? [] : [isBy(type, by)]),
  ]
}

/** Some things of a board, in order, without those of blocked authors. */
export async function listOfBoard(
  db: Db,
  list: OfBoard,
  { offset, limit, after }: Range,
): Promise<readonly BoardThing[]> {
  if (list.types.length === 0) return []
  const each = list.types.map((type) => placesOf(type, list, { most: offset + limit, after }))
  const { rows } = await sql<{ type: Boarded; id: string }>`select found.type, found.id
    from (${sql.join(each, sql` union all `)}) found
    order by ${orderOf(list.sort, 'found')} limit ${limit} offset ${offset}`.execute(db)
  if (rows.length === 0) return []
  const things = await sql<BoardThing>`${sql.join(thingsOf(db, rows), sql` union all `)}`.execute(db)
  const byId = new Map(things.rows.map((thing) => [thing.id, thing]))
  return rows.flatMap(({ id }) => byId.get(id) ?? [])
}

/** The things with these ids, of each type that there is. */
function thingsOf(db: Db, places: readonly { type: Boarded; id: string }[]): RawBuilder<unknown>[] {
  return [...Map.groupBy(places, ({ type }) => type)].map(([type, some]) => {
    const ids = JSON.stringify(some.map(({ id }) => id))
    return sql`select ${sql.lit(type)} as type, t.id, t.number, t.title, ${sql.ref(`t.${TEXTS[type]}`)} as text,
        t."authorId", u.username as "authorUsername", t."createdAt", t.score, t."commentCount", t."viaClientId"
      from ${sql.table(type)} t left join "user" u on u.id = t."authorId" where ${isAmong(db, 't.id', ids)}`
  })
}
