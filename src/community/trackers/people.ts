// People of the other side, and as whom they act here: for the account of a member that an admin linked, or for an account of their own that has
// no way in, and that changes its own texts alone. A member can prove to be a person too; whom an admin named counts first.
import { trackerHost } from '../../config/tracker-hosts.ts'
import { findImported } from '../../content/imported/queries.ts'
import { lockUser } from '../../identity/account-queries.ts'
import { findProvenAccount } from '../../identity/tracker-account-queries.ts'
import { newId } from '../../runtime/ids.ts'
import { insertPlaceholder, isPlaceholder, scopeOf } from '../imports/imports.ts'
import { findPerson, putPerson, type TrackedPerson } from './queries.ts'
import type { Person } from './service.ts'
import { kindOf } from './services.ts'
import { nowOf, type Syncing } from './syncing.ts'

interface KnownPerson extends TrackedPerson {
  /** For whom they act: whom an admin named, or else who proved to be them. */
  actsForId: string | null
}

/** What is known of a person; a row that is not stored yet where nothing is. */
export async function personOf(
  { dependencies: { db, config }, tracker }: Syncing,
  { id: personId, login }: Person,
): Promise<KnownPerson> {
  const key = { trackerId: tracker.id, personId }
  const found = await findPerson(db, key)
  const proven = await findProvenAccount(db, { host: trackerHost(config, tracker.source), personId })
  const accounts = found ?? { ownAccountId: null, linkedAccountId: null }
  return { ...accounts, ...key, login, actsForId: accounts.linkedAccountId ?? proven?.userId ?? null }
}

/** The account as which a person writes something new. */
export async function writerOf(syncing: Syncing, person: KnownPerson): Promise<string> {
  return person.actsForId ?? person.ownAccountId ?? (await accountOf(syncing, person))
}

/** An account of their own: one that an import brought and that no one has entered, or a new one. */
async function accountOf(syncing: Syncing, person: KnownPerson): Promise<string> {
  const { dependencies, tracker } = syncing
  const moment = nowOf(syncing)
  return dependencies.db.transaction().execute(async (transaction) => {
    const sourceId = kindOf(tracker).importsPeopleBy === 'id' ? person.personId : person.login
    const scope = scopeOf(tracker)
    const imported = await findImported(transaction, { scope, type: 'user', sourceId })
    const known = imported && (await lockUser(transaction, { id: imported.thingId }))
    const isFree = known && (await isPlaceholder(transaction, known.id, { scope, sourceId }))
    const id = isFree ? known.id : newId()
    if (!isFree) {
      await insertPlaceholder(transaction, { id, person: { username: person.login }, moment, source: tracker.source })
    }
    const { trackerId, personId, login, linkedAccountId } = person
    await putPerson(transaction, { trackerId, personId, login, linkedAccountId, ownAccountId: id })
    person.ownAccountId = id
    return id
  })
}

interface Change {
  field: 'title' | 'text' | 'state' | 'label' | 'comment'
  /** Of the thing or the comment. */
  authorId: string
}

/**
 * As whom a person makes a change here; undefined where they may not. Who is linked acts for that account, and what it may is decided by the
 * operation; who is not changes their own texts.
 */
export function actorFor(person: KnownPerson | undefined, { field, authorId }: Change): string | undefined {
  if (!person) return undefined
  const { ownAccountId, actsForId } = person
  const isText = field === 'title' || field === 'text' || field === 'comment'
  if (isText && ownAccountId === authorId) return ownAccountId
  return actsForId ?? undefined
}
