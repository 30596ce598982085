// Rows that should have another one, be hidden or not, or not be there: each rule is one statement, so that the server may run.
import { type RawBuilder, sql } from 'kysely'
import { facetsOf, type ListedSubject } from '../content/subject.ts'
import { engineOf } from '../database/engine.ts'
import type { Db } from '../database/schema.ts'
import { listedSubjects } from '../subjects.ts'
import { unboundHistory, unboundMerged, votesLeftBehind } from './merging-queries.ts'

const MAX_FOUND = 20
const union = (parts: RawBuilder<unknown>[]) => sql.join(parts, sql` union all `)

const has = (table: string, condition: RawBuilder<unknown>) =>
  sql`exists (select 1 from ${sql.table(table)} o where ${condition})`
const inFeed = union([
  ...listedSubjects.map(({ table }) => sql`select id from ${sql.table(table)} where hidden = 0`),
  sql`select id from "libraryItem" where listed = 1 and kind <> 'org'`,
])

const COPIED_BY_TAGS = ['kind', 'visibility', 'listed', 'score', 'rank', 'updatedAt']

/** Rows that should have another one, or should not be there: a sentence and the ids it is true of. */
const bound: [sentence: string, ids: RawBuilder<unknown>][] = [
  ['is missing in the feed', sql`select t.id from (${inFeed}) t where not ${has('feedEntry', sql`o.id = t.id`)}`],
  ['is in the feed and nowhere else', sql`select id from "feedEntry" where id not in (${inFeed})`],
  ...listedSubjects.flatMap(({ table }): [string, RawBuilder<unknown>][] => [
    [
      `(${table}) cannot be searched for`,
      sql`select t.id from ${sql.table(table)} t where hidden = 0 and not ${has('searchText', sql`o.id = t.id`)}`,
    ],
    [
      `(${table}) is hidden and can be searched for`,
      sql`select t.id from ${sql.table(table)} t where hidden <> 0 and ${has('searchText', sql`o.id = t.id`)}`,
    ],
  ]),
  ['(user) cannot be searched for', sql`select t.id from "user" t where not ${has('searchText', sql`o.id = t.id`)}`],
  [
    '(libraryItem) is listed, or is not, against its state',
    sql`select id from "libraryItem" where listed <> case when visibility <> 'private' and hidden = 0 then 1 else 0 end`,
  ],
  [
    '(libraryItem) is not hidden as its org is, or is where that is not',
    sql`select t.id from "libraryItem" t join "orgUpload" o on o.id = t.id where o.hidden <> t.hidden`,
  ],
  [
    '(libraryItem) cannot be searched for',
    sql`select t.id from "libraryItem" t where not ${has('itemText', sql`o."rowId" = t."rowId"`)}`,
  ],
  [
    '(libraryItem) is not what its newest version says that is not yanked',
    sql`select t.id from "libraryItem" t where not exists (select 1 from "itemVersion" v where v."itemId" = t.id
      and v.sha256 = t.sha256 and v.version = t.version and t.yanked = case when v."yankedAt" is null then 0 else 1 end
      and v.number = (select number from "itemVersion" w where w."itemId" = t.id
        order by case when w."yankedAt" is null then 0 else 1 end, number desc limit 1))`,
  ],
  [
    '(libraryItem) does not have its slug',
    sql`select t.id from "libraryItem" t where not ${has('slug', sql`o.kind = t.kind and o.slug = t.slug and o."targetId" = t.id`)}`,
  ],
  ...listedSubjects
    .filter(({ record }) => 'number' in record.shape)
    .map(({ table }): [string, RawBuilder<unknown>] => [
      `(${table}) has another number in the feed`,
      sql`select t.id from ${sql.table(table)} t join "feedEntry" e on e.id = t.id where e.number is distinct from t.number`,
    ]),
  ...unboundHistory,
  ...['bug', 'feature'].map((table): [string, RawBuilder<unknown>] => [
    `(${table}) has another status than the last change gave it`,
    sql`select t.id from ${sql.table(table)} t join "statusChange" c on c."targetId" = t.id
      where c.id = (select l.id from "statusChange" l where l."targetId" = t.id order by l."createdAt" desc, l.id desc limit 1)
        and c."to" <> t.status`,
  ]),
  [
    '(comment) is in another thread than what it replies to',
    sql`select t.id from comment t left join comment p on p.id = t."parentId"
      where t.thread <> case when p.hidden = 0 then p.id else t."targetId" end
        or (t."parentId" is not null and (p.id is null or p.thread <> p."targetId"
          or p."targetType" <> t."targetType" or p."targetId" <> t."targetId"))`,
  ],
  ...unboundMerged,
  ...listedSubjects.flatMap(labelledWrongly),
  [
    '(libraryItem) has a tag that does not know its state',
    sql`select t.id from "libraryItem" t join "itemTag" l on l."itemId" = t.id where ${differing(COPIED_BY_TAGS)}`,
  ],
]

/** Whether what a row `l` repeats of a thing `t` is something else. */
function differing(names: readonly string[]): RawBuilder<unknown> {
  const each = names.map((name) => sql`l.${sql.ref(name)} <> t.${sql.ref(name)}`)
  return sql.join(each, sql` or `)
}

/** Rows of labels that differ from their thing in what they repeat of it. */
function labelledWrongly(subject: ListedSubject): [sentence: string, ids: RawBuilder<unknown>][] {
  const { table, labels, parent = '' } = subject
  if (!labels) return []
  const differs = differing([...facetsOf(subject), 'authorId', 'score', 'createdAt', 'hidden'])
  const labelled = sql`${sql.table(table)} t join ${sql.table(labels.table)} l on l.${sql.ref(parent)} = t.id`
  return [[`(${table}) has a label that does not know its state`, sql`select t.id from ${labelled} where ${differs}`]]
}

/** The last number that was given to a bug, a feature request or a post. */
const lastNumber = (db: Db) =>
  engineOf(db) === 'postgres' ? sql`(select last_value from "thingNumber")` : sql`(select last from "thingNumber")`

/** Sentences about rows that do not fit together. */
export async function listUnbound(db: Db): Promise<string[]> {
  const found: string[] = []
  const again = sql`select id from "feedEntry" where number > ${lastNumber(db)}`
  const others = [votesLeftBehind(db), ['has a number that is given again', again]] as const
  for (const [sentence, ids] of [...bound, ...others]) {
    const { rows } = await sql<{
      id: string
    }>`select id from (${ids}) unbound order by id limit ${sql.lit(MAX_FOUND)}`.execute(db)
    found.push(...rows.map(({ id }) => `${id} ${sentence}`))
  }
  return found
}
