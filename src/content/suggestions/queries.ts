// Suggestions as they are stored. Those of a blocked account do not show.
import { type StateIn, suggestionStates, type Transition } from '../../contract/states.ts'
import type { Range } from '../../database/cursor.ts'
import { countChanged } from '../../database/engine.ts'
import { type Bind, preparedEach } from '../../database/prepared.ts'
import { inTransaction, plain } from '../../database/rows.ts'
import type { Db, SuggestionTable, Transaction } from '../../database/schema.ts'
import { mayStep } from '../../database/states.ts'
import { titlesIn } from '../title-queries.ts'

const columns = [
  ...(['id', 'targetType', 'targetId', 'operation', 'input', 'reason', 'confidence', 'state', 'authorId'] as const),
  ...(['viaClientId', 'createdAt', 'decidedById', 'decidedAt', 'decision'] as const),
] as const

const shown = (db: Db) =>
  db
    .selectFrom('suggestion')
    .innerJoin('user as author', 'author.id', 'suggestion.authorId')
    .leftJoin('user as decider', 'decider.id', 'suggestion.decidedById')
    .select(columns.map((name) => `suggestion.${name}` as const))
    .select(['author.username as authorUsername', 'decider.username as decidedByUsername'])
    .where('author.blockedAt', 'is', null)

export type SuggestionRow = NonNullable<Awaited<ReturnType<typeof findSuggestion>>>

export const findSuggestion = (db: Db, id: string) => shown(db).where('suggestion.id', '=', id).executeTakeFirst()

export const insertSuggestion = inTransaction.insertInto('suggestion')

/** What waits for a thing: who suggested what. */
export const listWaiting = (db: Db, targetId: string) =>
  db
    .selectFrom('suggestion')
    .select(['authorId', 'operation', 'input'])
    .where('targetId', '=', targetId)
    .where('state', '=', 'waiting')
    .execute()

interface SuggestionQuery {
  targetId?: string | undefined
  authorId?: string | undefined
  state: StateIn<typeof suggestionStates>
}

/** Which of its values a list is read by: it is built once for each set. */
type Named = Partial<Record<keyof SuggestionQuery | 'after', boolean>>

// The page of a thing asks whether there are any, which is read once for all of its readers.
const listed = preparedEach(
  ({ targetId, authorId, after }: Named) => `${targetId} ${authorId} ${after}`,
  (db, by, given: Bind<Required<SuggestionQuery> & { after: string; limit: number; offset: number }>) =>
    shown(db)
      .where('suggestion.state', '=', given('state'))
      .$if(by.targetId === true, (rows) => rows.where('suggestion.targetId', '=', given('targetId') as string))
      .$if(by.authorId === true, (rows) => rows.where('suggestion.authorId', '=', given('authorId') as string))
      .$if(by.after === true, (rows) => rows.where('suggestion.id', '<', given('after')))
      .orderBy('suggestion.id', 'desc')
      .limit(given('limit'))
      .offset(given('offset')),
  { cached: true },
)

/** Newest first. */
export async function listSuggestions(
  db: Db,
  { targetId, authorId, state }: SuggestionQuery,
  { limit, offset, after }: Range,
): Promise<readonly SuggestionRow[]> {
  const by = { targetId: targetId !== undefined, authorId: authorId !== undefined, after: after !== undefined }
  const values = { targetId: targetId ?? '', authorId: authorId ?? '', state, after: String(after?.[0] ?? '') }
  return (await listed(db, by, { ...values, limit, offset })).rows
}

type Decision = Partial<Pick<SuggestionTable, 'decidedById' | 'decidedAt' | 'decision'>>

/** Takes a step with a suggestion; false where it does not wait. */
export async function stepSuggestion(
  db: Db,
  { id, ...step }: { id: string } & Transition<typeof suggestionStates>,
  decision: Decision,
): Promise<boolean> {
  const row = db.updateTable('suggestion').where('id', '=', id).where(mayStep(suggestionStates, step))
  return (await countChanged(row.set({ ...decision, state: step.to }))) === 1
}

/** Those of a thing that is removed. */
export const deleteSuggestionsOn = (db: Transaction, targetId: string) =>
  db.deleteFrom('suggestion').where('targetId', '=', targetId).execute()

/** Removes some that an account made; gives how many. */
export const deleteSuggestionsOf = plain.deleteSome('suggestion', 'authorId')

/** Forgets who decided some of them; gives how many. */
export async function forgetDecider(db: Db, userId: string, limit: number): Promise<number> {
  const some = db.selectFrom('suggestion').select('id').where('decidedById', '=', userId).limit(limit)
  return countChanged(db.updateTable('suggestion').set({ decidedById: null }).where('id', 'in', some))
}

export const findSuggestionTitles = titlesIn('suggestion', ['id', 'operation'], ({ id, operation }) => ({
  ...{ id, title: operation, url: null },
}))
