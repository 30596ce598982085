// The people of an import: an account for each that something names. It has no way in before its owner enters, by a code mailed to its
// address or with the external provider, as to every account whose address is not proven.

import { scopeOf } from '../../content/imported/origins.ts'
import { findImported, insertImported } from '../../content/imported/queries.ts'
import { isReserved } from '../../content/reserved-names.ts'
import { DELETED_USER, NO_ADDRESS } from '../../contract/no-account.ts'
import { Problem } from '../../contract/problem.ts'
import { oneLine } from '../../contract/storable.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import { PersonRecord } from '../../formats/imports/record.ts'
import {
  findUserByEmail,
  findUserByUsername,
  insertUser,
  lockUser,
  updateIndexed,
} from '../../identity/account-queries.ts'
import { parseJson } from '../../runtime/untyped.ts'
import type { WriteBatch } from './batch.ts'
import { insertPerson } from './claim-queries.ts'
import { findImport, findRecord } from './queries.ts'
import { cutText, importedId, MAX_USERNAME, numbered, ranks, usernameFrom } from './rules.ts'

const MAX_NAME = 50
/** So many numbers are tried behind a name. Names of other scripts are all alike: then a part of the id follows. */
const MOST_NUMBERS = 5
const SUFFIX = 6

/** The account of a person of the source, made where there is none; that of erased accounts for one who is not known. */
export async function accountOf(writing: WriteBatch, sourceId: string | undefined, moment: string): Promise<string> {
  if (sourceId === undefined) return DELETED_USER
  const known = writing.people.get(sourceId)
  if (known !== undefined) return known
  const key = { scope: writing.scope, type: 'user', sourceId }
  const found = await findImported(writing.db, key)
  const id = found?.thingId ?? (await newAccount(writing, sourceId, moment))
  writing.people.set(sourceId, id)
  return id
}

async function newAccount(writing: WriteBatch, sourceId: string, moment: string): Promise<string> {
  const { db, row, scope } = writing
  const stored = await findRecord(db, row.id, `${ranks.person} ${sourceId}`)
  const person: Person = stored === undefined ? { username: sourceId } : PersonRecord.parse(parseJson(stored))
  // A program enters nothing.
  const email = person.isBot ? undefined : person.email?.toLowerCase()
  const own = email === undefined ? undefined : await findUserByEmail(db, email)
  // Who proved the address here is the same person. One who did not could be anybody.
  const matched = writing.options.match && own?.emailVerifiedAt ? own : undefined
  const id = matched?.id ?? importedId(moment, scope, 'user', sourceId)
  if (matched) writing.done.matched++
  else {
    await insertPlaceholder(db, { id, person, email: own ? undefined : email, moment, source: row.source })
    writing.done.people++
  }
  if (!matched && !person.isBot) {
    const nameKey = person.username.toLowerCase()
    await insertPerson(db, { scope, sourceId, accountId: person.accountId ?? null, nameKey, claimedAt: null })
  }
  await insertImported(db, {
    ...{ scope, type: 'user', sourceId, importId: row.id },
    thingId: id,
    number: null,
    ownNumber: null,
    url: null,
  })
  return id
}

type Person = Pick<PersonRecord, 'username'> & Partial<PersonRecord>

interface Placeholder {
  id: string
  person: Person
  email?: string | undefined
  moment: string
  /** The tracker that they come from. */
  source: string
}

/** An account for a person of another tracker, which has no way in before its owner enters. */
export async function insertPlaceholder(
  db: Transaction,
  { id, person, email, moment, source }: Placeholder,
): Promise<void> {
  const username = await freeUsername(db, usernameFrom(person.username, source), id)
  const name = oneLine(person.name ?? person.username)
  await insertUser(db, {
    ...{ id, email: email ?? `${id}@${NO_ADDRESS}`, name: cutText(name, MAX_NAME).text || null },
    ...{ username, usernameKey: username.toLowerCase(), passwordHash: null, role: 'member' as const, language: null },
    ...{ emailVerifiedAt: null, emailVerifiedBy: null, blockedAt: null, avatarUpdatedAt: null, deletionAt: null },
    ...{ createdAt: moment, updatedAt: moment },
  })
}

async function freeUsername(db: Transaction, wanted: string, id: string): Promise<string> {
  const parts = id.replaceAll('-', '').match(/.{6}/g) ?? []
  const tried = [
    ...Array.from({ length: MOST_NUMBERS }, (_, n) => numbered(wanted, n + 1)),
    // The last part is of the hash, the first ones are of the time.
    ...parts.toReversed().map((part) => `${wanted.slice(0, MAX_USERNAME - SUFFIX - 1)}-${part}`),
  ]
  for (const username of tried) if (!isReserved(username) && !(await findUserByUsername(db, username))) return username
  throw new Error(`No username is free for ${wanted}`)
}

/**
 * Gives people of an import the addresses at which their owners enter, by their names at the source: only accounts that have none. Gives how many
 * there were, and the names that are not there or whose address is another account's.
 */
export async function addressPeople(
  db: Db,
  { importId, addresses }: { importId: string; addresses: ReadonlyMap<string, string> },
): Promise<{ done: number; left: string[] }> {
  const row = await findImport(db, importId)
  if (!row) throw new Problem('not_found', 'No such import')
  const left: string[] = []
  for (const [name, email] of addresses) {
    const isDone = await db
      .transaction()
      .execute((transaction) => addressPerson(transaction, { scope: scopeOf(row), name, email }))
    if (!isDone) left.push(name)
  }
  return { done: addresses.size - left.length, left }
}

async function addressPerson(
  db: Transaction,
  { scope, name, email }: { scope: string; name: string; email: string },
): Promise<boolean> {
  const found = await findImported(db, { scope, type: 'user', sourceId: name })
  const user = found && (await lockUser(db, { id: found.thingId }))
  if (!user?.email.endsWith(`@${NO_ADDRESS}`) || (await findUserByEmail(db, email))) return false
  await updateIndexed(db, user.id, { email })
  return true
}
