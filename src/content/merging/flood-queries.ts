// Merges by the server itself: reports of agents that said nothing new (content/floods).
import { sql } from 'kysely'
import { THE_SERVER } from '../../contract/no-account.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import type { ListedSubject } from '../subject.ts'

/** As a part of the statement, for the partial index. */
const bySelf = sql<boolean>`merged."mergedBy" = ${sql.lit(THE_SERVER)}`

interface Astray {
  table: ListedSubject['table']
  /** The states of one that is open. */
  open: readonly string[]
  /** Earlier merges cannot be undone. */
  since: string
  limit: number
}

/** How often the author of a thing, as `target`, edited it and changed its status. */
const editsOf = sql<number>`(select count(*) from revision where revision."targetId" = target.id and revision."editorId" = target."authorId")`
const statusChangesOf = sql<number>`(select count(*) from "statusChange" as change where change."targetId" = target.id
  and change."actorId" = target."authorId")`

/** What the author of a locked thing has done to it: by count, as a change that is slow to be read has an older moment than a merge before it. */
export async function countOwnChanges(
  db: Transaction,
  { table, id }: { table: ListedSubject['table']; id: string },
): Promise<{ targetEdits: number; targetStatusChanges: number }> {
  const { rows } = await sql<{ edits: number; changes: number }>`
    select ${editsOf} as edits, ${statusChangesOf} as changes from ${sql.table(table)} as target where target.id = ${id}`.execute(
    db,
  )
  const { edits = 0, changes = 0 } = rows[0] ?? {}
  return { targetEdits: Number(edits), targetStatusChanges: Number(changes) }
}

/** Merges of reports into one of another author that does not stand any more as it did: hidden, of an author who leaves or is blocked, or edited or closed by its author. */
export async function listAstray(db: Db, { table, open, since, limit }: Astray): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select merged.id from "mergedThing" as merged
    join ${sql.table(table)} as target on target.id = merged."targetId"
    join "user" as author on author.id = target."authorId"
    where ${bySelf} and merged."mergedAt" > ${since} and merged.record is not null and merged."doneAt" is not null
      and merged."directId" = merged."targetId" and merged."authorId" <> target."authorId"
      and (target.hidden <> 0 or author."blockedAt" is not null or author."deletionAt" is not null
        or (target."revisionCount" > merged."targetEdits" and ${editsOf} > merged."targetEdits")
        or (target.status not in (${sql.join(open)}) and ${statusChangesOf} > merged."targetStatusChanges"))
    order by merged.id limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Whether the server merged the report of another author into a thing. */
export async function hasReports(
  db: Db,
  { id: targetId, authorId }: { id: string; authorId: string },
): Promise<boolean> {
  const merged = db.selectFrom('mergedThing as merged').select('merged.id').where('merged.targetId', '=', targetId)
  const others = merged.where(bySelf).where('merged.authorId', '!=', authorId).limit(1)
  return (await others.executeTakeFirst()) !== undefined
}
