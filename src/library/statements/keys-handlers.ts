// Keys of those who publish, and their signatures of versions that are there.

import type { Selectable } from 'kysely'
import { record } from '../../audit/audit.ts'
import type { AuditAction } from '../../contract/audit.ts'
import { Problem } from '../../contract/problem.ts'
import type { PublisherKeyTable, Transaction } from '../../database/schema.ts'
import { precedenceOf } from '../../formats/version.ts'
import { limit } from '../../identity/guesses.ts'
import { limits } from '../../identity/rules.ts'
import { lockHolder, requireFresh } from '../../identity/sessions.ts'
import { inQuotes, letter } from '../../mail/words.ts'
import type { Caller, Context, Handlers } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import { findVersion, lockItem } from '../items/queries.ts'
import { noteSigned } from '../name-domains/domains.ts'
import { getVisible } from '../records/record.ts'
import { draftStatement } from './drafts.ts'
import { keyActions, type publisherKeys } from './keys-contract.ts'
import { findKey, findStatement, insertKey, listKeys, updateKey, updateSignature } from './queries.ts'
import { isSignature } from './statement.ts'

const MAX_KEYS = 20

type Key = Selectable<PublisherKeyTable>

const shown = ({ id, name, publicKey, createdAt, revokedAt }: Key) => ({
  ...{ id, name, public_key: publicKey, created_at: createdAt, revoked_at: revokedAt },
})

const letterOf = (baseUrl: string, name: string) =>
  letter((t) => ({ subject: t('mails.key.subject'), body: t('mails.key.body', { baseUrl, name: inQuotes(name) }) }))

export const handlers: Handlers<typeof publisherKeys> = {
  async list({ db, caller }) {
    return { items: (await listKeys(db, caller.id)).map(shown) }
  },

  async add(context, { name, public_key: publicKey }) {
    const { db, caller, now, outbox, config } = context
    await limit(context, `publisher-key:${caller.id}`, limits.passkeyByAccount)
    const key = await db.transaction().execute(async (transaction) => {
      const user = await lockHolder(context, transaction)
      await requireFresh(context, transaction)
      const keys = await listKeys(transaction, user.id)
      if (keys.filter(({ revokedAt }) => revokedAt === null).length >= MAX_KEYS)
        throw new Problem('conflict', `An account has at most ${MAX_KEYS} keys; revoke one first`)
      if (keys.some((known) => known.publicKey === publicKey))
        throw new Problem('conflict', 'This key is one of the account already')
      const added = { id: newId(), accountId: user.id, name, publicKey, createdAt: now, revokedAt: null }
      await insertKey(transaction, added)
      await remember(context, transaction, { action: keyActions.add, key: added })
      await outbox.enqueue(transaction, { recipient: user.email, ...letterOf(config.baseUrl, name) })
      return added
    })
    return shown(key)
  },

  async revoke(context, { id }) {
    const { db, now, budget } = context
    return db.transaction().execute(async (transaction) => {
      const { id: accountId } = await lockHolder(context, transaction)
      await budget.spend(transaction)
      const key = await findKey(transaction, id)
      if (key?.accountId !== accountId) throw new Problem('not_found', 'No such key')
      if (key.revokedAt !== null) return shown(key)
      await updateKey(transaction, id, { revokedAt: now })
      await remember(context, transaction, { action: keyActions.revoke, key })
      return shown({ ...key, revokedAt: now })
    })
  },

  draft: draftStatement,

  async sign(context, { id, version: asked, key_id: keyId, signature }) {
    const { db, caller, now } = context
    await limit(context, `publisher-key:${caller.id}`, limits.passkeyByAccount)
    await getVisible(context, { id })
    await db.transaction().execute(async (transaction) => {
      const item = await lockItem(transaction, id)
      const version = await findVersion(transaction, id, precedenceOf(asked))
      const ref = version && { itemId: id, version: version.version }
      const statement = ref && (await findStatement(transaction, ref))
      if (!ref || !statement) throw new Problem('not_found', `There is no statement of version ${asked}`)
      if (statement.publisherId !== caller.id)
        throw new Problem('forbidden', 'Only the account that published this version can sign it')
      await assertSigned(transaction, { caller, keyId, payload: statement.payload, signature })
      await updateSignature(transaction, ref, { keyId, signature })
      await noteSigned(transaction, item, now)
    })
    return { keyid: keyId }
  },
}

interface KeySignature {
  caller: Caller
  keyId: string
  payload: string
  signature: string
}

/** The signature is by a key of the caller that is not revoked; throws `invalid_request` otherwise. */
async function assertSigned(db: Transaction, { caller, keyId, payload, signature }: KeySignature): Promise<void> {
  const key = await findKey(db, keyId)
  if (key?.accountId !== caller.id || key.revokedAt !== null)
    throw new Problem('invalid_request', 'key_id: is no key of this account, or is revoked')
  if (!(await isSignature(payload, signature, key.publicKey)))
    throw new Problem('invalid_request', 'signature: does not verify for the statement of this version')
}

function remember(
  { now, address, caller }: Context<Caller>,
  db: Transaction,
  { action, key }: { action: AuditAction; key: Key },
): Promise<void> {
  const act = { action, actorId: caller.id, targetType: 'user', targetId: caller.id }
  return record(db, now, { ...act, detail: { key: key.id, name: key.name }, address })
}
