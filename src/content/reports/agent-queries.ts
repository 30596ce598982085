// The agent through which it came what a case is about: it is stored with the case, so it is known when the thing is gone.
import { type RawBuilder, sql } from 'kysely'
import type { reportable } from '../../contract/kinds.ts'
import type { Database } from '../../database/schema.ts'

type TargetType = (typeof reportable)[number]

/** Where things of a type carry who wrote them; a team and an account carry none. */
const tables: Readonly<Partial<Record<TargetType, keyof Database>>> = {
  bug: 'bug',
  feature: 'feature',
  post: 'post',
  release: 'release',
  org: 'orgUpload',
  run: 'orgRun',
  item: 'libraryItem',
  comment: 'comment',
}

/** The agent that wrote a thing, as it is stored there; null for a person. */
export function writerOf({
  targetType,
  targetId,
}: {
  targetType: string
  targetId: string
}): RawBuilder<string | null> {
  const table = tables[targetType as TargetType]
  if (!table) return sql`null`
  return sql`(select "viaClientId" from ${sql.table(table)} where id = ${targetId})`
}
