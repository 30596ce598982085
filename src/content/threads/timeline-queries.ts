// All that happened to a thing beside its comments, in one list: what was decided, its statuses, edits, labels, merges, what refers to it, and
// whether suggestions were accepted. Each part is read by its own index, and no part further than the page goes.
import { type RawBuilder, sql } from 'kysely'
import type { Range } from '../../database/cursor.ts'
import { engineOf, isAmong } from '../../database/engine.ts'
import { type Bind, prepared } from '../../database/prepared.ts'
import type { Db, ThreadChangeTable } from '../../database/schema.ts'

type Stored = 'id' | 'actorId' | 'accountId' | 'commentId' | 'dueOn' | 'reason' | 'createdAt' | 'viaClientId'

/** A line of the list. `from` and `to` are of a status, `to` of a suggestion as well; `thing…` of what was merged or refers to it. */
export interface TimelineRow extends Pick<ThreadChangeTable, Stored> {
  action: ThreadChangeTable['action'] | 'status' | 'edited' | 'merged' | 'suggested'
  from: string | null
  to: string | null
  operation: string | null
  labelId: string | null
  labelName: string | null
  labelColor: string | null
  thingNumber: number | string | null
  thingTitle: string | null
  thingUrl: string | null
  actorUsername: string | null
  accountUsername: string | null
}

/** PostgreSQL compares texts of one collation only: the columns have this one. */
const noText = (db: Db) => (engineOf(db) === 'postgres' ? sql`cast(null as text) collate "C"` : sql`null`)
const NO_NUMBER = sql`cast(null as integer)`

const COLUMNS = [
  ...(['id', 'action', 'actorId', 'accountId', 'commentId', 'dueOn', 'reason', 'createdAt', 'viaClientId'] as const),
  ...([
    'from',
    'to',
    'operation',
    'labelId',
    'labelName',
    'labelColor',
    'thingNumber',
    'thingTitle',
    'thingUrl',
  ] as const),
] as const

const NAMES = sql.join(COLUMNS.map((name) => sql.ref(name)))

interface Part {
  /** A table with its joins and conditions, of the thing `id`; `isOff` is of the type in a column. */
  rows(id: RawBuilder<string>, isOff: (column: string) => RawBuilder<boolean>): RawBuilder<unknown>
  id: RawBuilder<unknown>
  at: RawBuilder<unknown>
  /** What is not null of the columns. */
  has: Partial<Record<(typeof COLUMNS)[number], RawBuilder<unknown>>>
}

const ref = (name: string) => sql.ref(name)

/** Of no account that is blocked. */
const isShownBy = (author: string) =>
  sql`not exists (select 1 from "user" b where b.id = ${ref(author)} and b."blockedAt" is not null)`

/** What was decided, and what refers to the thing while everybody sees that. */
const decided: Part = {
  id: ref('c.id'),
  at: ref('c.createdAt'),
  rows: (
    id,
    isOff,
  ) => sql`from "threadChange" c left join "label" l on l.id = c."labelId" left join "feedEntry" f on f.id = c."fromId"
    where c."targetId" = ${id} and (c."labelId" is null or l.id is not null) and (c."fromId" is null or (f.id is not null
      and not (${isOff('f.type')}) and ${isShownBy('f.authorId')} and (c."commentId" is null or exists
      (select 1 from comment m where m.id = c."commentId" and m.hidden = 0 and ${isShownBy('m.authorId')}))))`,
  has: {
    ...{ action: ref('c.action'), actorId: ref('c.actorId'), accountId: ref('c.accountId'), dueOn: ref('c.dueOn') },
    ...{ commentId: ref('c.commentId'), reason: ref('c.reason'), viaClientId: ref('c.viaClientId') },
    ...{ labelId: ref('l.id'), labelName: ref('l.name'), labelColor: ref('l.color') },
    ...{ thingNumber: ref('f.number'), thingTitle: ref('f.title'), thingUrl: ref('f.url') },
  },
}

const statuses: Part = {
  id: ref('c.id'),
  at: ref('c.createdAt'),
  rows: (id) => sql`from "statusChange" c where c."targetId" = ${id}`,
  has: {
    ...{ action: sql.lit('status'), actorId: ref('c.actorId'), reason: ref('c.reason') },
    ...{ viaClientId: ref('c.viaClientId'), from: ref('c.from'), to: ref('c.to') },
  },
}

const edits: Part = {
  id: ref('c.id'),
  at: ref('c.createdAt'),
  rows: (id) => sql`from "revision" c where c."targetId" = ${id}`,
  has: { action: sql.lit('edited'), actorId: ref('c.editorId'), viaClientId: ref('c.viaClientId') },
}

const merges: Part = {
  id: ref('c.id'),
  at: ref('c.mergedAt'),
  rows: (id) => sql`from "mergedThing" c where c."targetId" = ${id} and c.hidden = 0
    and ${isShownBy('c.authorId')}`,
  has: {
    ...{ action: sql.lit('merged'), actorId: ref('c.mergedBy'), reason: ref('c.reason') },
    ...{ thingNumber: ref('c.number'), thingTitle: ref('c.title') },
  },
}

/** Suggestions that were accepted or declined, by who is not blocked. */
const suggestions: Part = {
  id: ref('c.id'),
  at: ref('c.decidedAt'),
  rows: (id) => sql`from "suggestion" c join "user" s on s.id = c."authorId" and s."blockedAt" is null
    where c."targetId" = ${id} and c.state in ('accepted', 'refused') and c."decidedAt" is not null`,
  has: {
    ...{ action: sql.lit('suggested'), actorId: ref('c.authorId'), accountId: ref('c.decidedById') },
    ...{
      reason: ref('c.decision'),
      viaClientId: ref('c.viaClientId'),
      to: ref('c.state'),
      operation: ref('c.operation'),
    },
  },
}

const PARTS = [decided, statuses, edits, merges, suggestions]

const lineOf = (db: Db, { id, at, has }: Part) =>
  sql.join(
    COLUMNS.map((name) => {
      const column =
        name === 'id'
          ? id
          : name === 'createdAt'
            ? at
            : (has[name] ?? (name === 'thingNumber' ? NO_NUMBER : noText(db)))
      return sql`${column} as ${sql.ref(name)}`
    }),
  )

interface TimelineFilter {
  targetId: string
  /** The types of parts that are off, as a JSON array. */
  off: string
}

interface LinesRange extends TimelineFilter {
  /** After this place; after every other one for the beginning. */
  at: string
  id: string
  /** Rows that are read of each part. */
  reach: number
  limit: number
  offset: number
}

const lines = prepared(
  (db, given: Bind<LinesRange>) => {
    const parts = PARTS.map(
      (
        part,
      ) => sql`select ${NAMES} from (select ${lineOf(db, part)} ${part.rows(sql`${given('targetId')}`, (column) => isAmong(db, column, given('off')))}
        and (${part.at}, ${part.id}) < (${given('at')}, ${given('id')}) order by ${part.at} desc, ${part.id} desc
        limit ${given('reach')}) part`,
    )
    return db
      .selectFrom(sql<TimelineRow>`(${sql.join(parts, sql` union all `)})`.as('line'))
      .leftJoin('user as actor', 'actor.id', 'line.actorId')
      .leftJoin('user as account', 'account.id', 'line.accountId')
      .select(COLUMNS.map((name) => `line.${name}` as const))
      .select(['line.action', 'actor.username as actorUsername', 'account.username as accountUsername'])
      .orderBy('line.createdAt', 'desc')
      .orderBy('line.id', 'desc')
      .limit(given('limit') as never)
      .offset(given('offset') as never)
  },
  { cached: true },
)

/** After every time and every id. */
const LAST = '~'

/** What happened to a thing, newest first. */
export async function listTimeline(db: Db, wanted: TimelineFilter, { offset, limit, after = [] }: Range) {
  const [at = LAST, id = LAST] = after.map(String)
  return (await lines(db, { ...wanted, at, id, limit, offset, reach: offset + limit })).rows
}

const counts = prepared(
  (db, given: Bind<TimelineFilter>) => {
    const parts = PARTS.map(
      ({ rows }) =>
        sql`(select count(*) ${rows(sql`${given('targetId')}`, (column) => isAmong(db, column, given('off')))})`,
    )
    return db
      .selectFrom(sql<{ total: number | string }>`(select ${sql.join(parts, sql` + `)} as total)`.as('counted'))
      .select('counted.total')
  },
  { cached: true },
)

export const countTimeline = async (db: Db, wanted: TimelineFilter): Promise<number> =>
  Number((await counts(db, wanted)).rows[0]?.total ?? 0)
