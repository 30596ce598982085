// What is known of the agents that wrote things, and what each of them wrote that everybody sees.
import { sql } from 'kysely'
import type { PartsOff } from '../contract/parts.ts'
import { among, clientIn, leadsToPart } from '../database/engine.ts'
import { isOfPartOn } from '../database/parts-on.ts'
import { type Bind, prepared, preparedEach } from '../database/prepared.ts'
import type { Db } from '../database/schema.ts'

const named = prepared(
  (db, given: Bind<{ ids: string }>) =>
    db
      .selectFrom('agent')
      .select(['clientId', 'name', 'firstSeenAt', 'seenAt'])
      .where('clientId', ...among(db, given('ids'))),
  { cached: true },
)

/** The agents of these ids, in order; one that is not known any more is left out. */
export async function listAgents(db: Db, clientIds: readonly string[]) {
  return (await named(db, { ids: JSON.stringify(clientIds.toSorted()) })).rows
}

interface WorkQuery {
  clientId: string
  before?: string | undefined
  limit: number
  /** Nothing of these parts. */
  off: PartsOff
}

const written = preparedEach(
  ({ key }: PartsOff) => key,
  (db, off, given: Bind<Required<Omit<WorkQuery, 'off'>>>) =>
    db
      .selectFrom('searchDocument as document')
      .leftJoin('user as author', 'author.id', 'document.authorId')
      .leftJoin('searchDocument as parent', 'parent.id', 'document.parentId')
      .leftJoin('user as parentAuthor', 'parentAuthor.id', 'parent.authorId')
      .select(['document.id', 'document.type', 'document.title', 'document.url', 'document.createdAt'])
      .select([sql<string>`substr(document.body, 1, 400)`.as('body'), 'document.parentType', 'document.parentId'])
      .select(['document.authorId', 'author.username as authorUsername', 'parent.title as parentTitle'])
      .where('document.viaClientId', 'is not', null)
      .where(clientIn(db, 'document.viaClientId'), '=', given('clientId'))
      .where('document.id', '<', given('before'))
      .$if(off.key !== '', (rows) => rows.where(leadsToPart('document.url', off) ?? sql<boolean>`1 = 1`))
      .$if(off.kinds.size > 0, (rows) =>
        rows.where(isOfPartOn(off, { type: 'document.parentType', id: 'document.parentId' }) ?? sql<boolean>`1 = 1`),
      )
      .where('author.blockedAt', 'is', null)
      .where('parentAuthor.blockedAt', 'is', null)
      .where((row) =>
        row.or([
          row('document.parentId', 'is', null),
          row('parent.id', 'is not', null),
          row('document.parentType', '=', 'blog'),
        ]),
      )
      .orderBy('document.id', 'desc')
      .limit(given('limit')),
  { cached: true },
)

/** After every id. */
const END = 'g'

/** What everybody sees of what an agent wrote, newest first: what the search has. */
export async function listWritten(db: Db, { clientId, before = END, limit, off }: WorkQuery) {
  return (await written(db, off, { clientId, before, limit })).rows
}
