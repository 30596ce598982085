// Ids of targets and voters as the table of votes has them: PostgreSQL has a type for ids, which all other tables keep as text. What is no id
// there is null, which no vote has (migrations/0002-uuid-votes.ts).
import { type RawBuilder, sql } from 'kysely'
import { type Comparison, elementsOf, engineOf } from './engine.ts'
import type { Bind } from './prepared.ts'
import type { Db } from './schema.ts'

/** An id, given as a value or as a column of another table. */
export const voteId = (db: Db, id: string | RawBuilder<string>): RawBuilder<string> =>
  engineOf(db) === 'postgres' ? sql`"voteId"(${id})` : sql`${id}`

/** The comparison with each id of a JSON array, as `among`. */
export function amongVoteIds(db: Db, array: string): Comparison {
  if (engineOf(db) === 'sqlite') return [sql`in`, elementsOf(db, array)]
  return [sql`=`, sql`any(array(select "voteId"(id) from json_array_elements_text(${array}::json) as given(id)))`]
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether a text is an id: another place to begin at comes before all of them. */
export const isVoteId = (text: string): boolean => ID.test(text)

/** The ids of a JSON array as an array of PostgreSQL is written (8.15.2). */
const arrayOf = (json: string): string => `{${(JSON.parse(json) as string[]).filter((id) => ID.test(id)).join(',')}}`

/** The same for the placeholder of a JSON array. PostgreSQL takes its type from the column, as a constant: `amongGiven` says why. */
export function amongGivenVoteIds<Values>(db: Db, given: Bind<Values>, name: keyof Values & string): Comparison {
  if (engineOf(db) === 'sqlite') return [sql`in`, elementsOf(db, given(name) as string)]
  return [sql`=`, sql`any(${given(name, arrayOf)})`]
}

/** An id of a vote beside those of other tables. */
export const textOf = (column: 'targetId' | 'userId'): RawBuilder<string> =>
  sql<string>`cast(${sql.ref(`vote.${column}`)} as text)`
