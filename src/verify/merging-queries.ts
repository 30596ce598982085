// What must be true of things that were merged: they are counted, lead to something, and have nothing left of their own but a history.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../database/schema.ts'
import { voteId } from '../database/vote-ids.ts'
import { listedSubjects } from '../subjects.ts'

type Fault = [sentence: string, ids: RawBuilder<unknown>]

const tables = listedSubjects.filter(({ permissions }) => 'merge' in permissions).map(({ table }) => table)

/** Columns that count what was merged into a row. */
export const countsOfMerged = tables.map((table) => ({
  table,
  column: 'mergedCount',
  expected: sql`(select count(*) from "mergedThing" where "targetId" = t.id)`,
}))

const targets = sql.join(
  tables.map((table) => sql`select id from ${sql.table(table)}`),
  sql` union all `,
)

/** A join, since a subquery of each row cannot ask a distributed table. */
const leftBehind = (table: string, id = sql.ref<string>('t.id')): Fault => [
  `was merged, and has a ${table} that did not go along`,
  sql`select distinct t.id from "mergedThing" t join ${sql.table(table)} o on o."targetId" = ${id} where t."doneAt" is not null`,
]

/** What has votes left. */
export const votesLeftBehind = (db: Db): Fault => leftBehind('vote', voteId(db, sql.ref('t.id')))

/** Sentences, and the ids that they are true of. */
export const unboundMerged: Fault[] = [
  leftBehind('comment'),
  leftBehind('follow'),
  [
    'was merged into nothing that there is',
    sql`select t.id from "mergedThing" t where t."targetId" not in (${targets})`,
  ],
  [
    '(mergedPart) is of nothing that is merged',
    sql`select distinct t."mergedId" as id from "mergedPart" t
      where not exists (select 1 from "mergedThing" o where o.id = t."mergedId")
        and not exists (select 1 from "mergeUndo" o where o.id = t."mergedId")`,
  ],
  [
    '(mergeUndo) goes back to nothing that there is',
    sql`select t.id from "mergeUndo" t where t.id not in (${targets}) or t."targetId" not in (${targets})`,
  ],
  ['was merged and is there still', sql`select t.id from "mergedThing" t where t.id in (${targets})`],
]

/** Histories are of things, of comments and of what was merged. */
export const unboundHistory: [sentence: string, ids: RawBuilder<unknown>][] = [
  [
    '(revision) is of nothing that there is',
    sql`select t.id from revision t where not exists (select 1 from bug o where o.id = t."targetId"
      union all select 1 from feature o where o.id = t."targetId" union all select 1 from post o where o.id = t."targetId"
      union all select 1 from comment o where o.id = t."targetId" union all select 1 from release o where o.id = t."targetId"
      union all select 1 from "mergedThing" o where o.id = t."targetId")`,
  ],
  [
    '(statusChange) is of nothing that there is',
    sql`select t.id from "statusChange" t where not exists (select 1 from bug o where o.id = t."targetId"
      union all select 1 from feature o where o.id = t."targetId"
      union all select 1 from "mergedThing" o where o.id = t."targetId")`,
  ],
]
