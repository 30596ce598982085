// What writes on a thing of a subject share: whether the caller may do it, and what the answer says of what it is about.
import { Problem } from '../../contract/problem.ts'
import type { Transaction } from '../../database/schema.ts'
import type { Caller } from '../../request/handler.ts'
import type { AboutField, Concerning, Seeing } from '../about/about.ts'
import { isDraft, maySee, shows } from '../hiding/rules.ts'
import { storedOf } from '../rows/row-queries.ts'
import { isOneOf } from '../subject.ts'
import type { Store, StoredRow } from './queries.ts'

interface BaseRecord {
  id: string
  authorId: string
  createdAt: string
}

const forbidden = () => new Problem('forbidden', 'Forbidden')

/** What the answer of a write has of what a thing is about. */
export async function aboutOf(
  context: Seeing,
  db: Transaction,
  { store, thing }: { store: { concerning?: Concerning }; thing: { id: string } },
): Promise<AboutField> {
  return (await store.concerning?.of({ ...context, db }, [thing]))?.(thing) ?? {}
}

/**
 * The thing, if the caller may do this. Where an author may until there are answers, a refusal of
 * anyone but a moderator does not tell whether the thing exists, as where a role is asked for (interface.md, section 7).
 */
export async function lockPermitted<Thing extends BaseRecord, Action extends string>(
  store: Store<Thing, string, Action>,
  { db, id, action, caller }: { db: Transaction; id: string; action: Action; caller: Caller },
): Promise<StoredRow<Thing>> {
  const actors = store.subject.permissions[action]
  const seen = await store.findLockedSeen(db, id)
  // What is hidden can be deleted by those who see it, and a draft edited.
  const isMine = seen && maySee(caller, seen) && (action === 'delete' || isDraft(seen))
  const row = seen && (shows(seen) || isMine) ? storedOf<StoredRow<Thing>>(seen) : undefined
  if (!row && actors.includes('unansweredAuthor') && !isOneOf(actors, caller)) throw forbidden()
  if (!row) throw store.noSuchThing()
  if (!isOneOf(actors, caller, row)) throw forbidden()
  return row
}
