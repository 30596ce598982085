// A classifier of the operator (CLASSIFIER_URL): it gets what members write, and can have a thing wait for a moderator, nothing else. A thing is
// made as always; a job asks after its commit, so that no write waits for an answer and nothing is lost while there is none.
import type { Transaction } from '../../database/schema.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { writtenBy } from '../via.ts'
import { upsertCheck } from './queries.ts'

/** Has a new text of a member shown to the classifier, where there is one. */
export async function noteText(
  { caller, config, now }: Pick<Context<Caller>, 'caller' | 'config' | 'now'>,
  db: Transaction,
  { id, type }: { id: string; type: string },
): Promise<void> {
  if (config.classifier === undefined || caller.role !== 'member') return
  await upsertCheck(db, { id, type, ...writtenBy(caller), createdAt: now, givenUpAt: null })
}

/** The same for an edit of a text, where it says something else now: `before` and `after` are all that people read of the thing. */
export async function noteEdit(
  context: Parameters<typeof noteText>[0],
  db: Transaction,
  { before, after, ...on }: { id: string; type: string; before: readonly string[]; after: readonly string[] },
): Promise<void> {
  if (before.join('\n') !== after.join('\n')) await noteText(context, db, on)
}
