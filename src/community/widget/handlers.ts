// Handlers of the widget: keys of sites, and the exchange of a signed identity for a token.
import { record } from '../../audit/audit.ts'
import { addressKey, ceilingOf, countTry, countUnder } from '../../budgets/budgets.ts'
import { lockStoredBytes } from '../../budgets/queries.ts'
import { HOUR } from '../../budgets/rules.ts'
import { storePicture } from '../../content/text-images/storing.ts'
import type { UploadedFile } from '../../contract/files.ts'
import { WIDGET_CLIENT } from '../../contract/own-clients.ts'
import { operationsOff } from '../../contract/parts.ts'
import { Problem } from '../../contract/problem.ts'
import { lockName } from '../../database/engine.ts'
import type { Transaction } from '../../database/schema.ts'
import type { User } from '../../identity/account-queries.ts'
import { tokenActions } from '../../identity/audit-actions.ts'
import { endGrantsOfSite } from '../../identity/grant-life-queries.ts'
import { insertToken } from '../../identity/grant-queries.ts'
import { createGrant, recordTokenUse } from '../../identity/grants.ts'
import { proofIn } from '../../identity/proof-of-work.ts'
import { requireRecent } from '../../identity/sessions.ts'
import type { Caller, Context, Handlers } from '../../request/handler.ts'
import { sha256 } from '../../runtime/hash.ts'
import { newId, newToken } from '../../runtime/ids.ts'
import { seal } from '../../runtime/seal.ts'
import type { bugs } from '../bugs/contract.ts'
import { accountOf, guestOf } from './accounts.ts'
import { MAX_KEYS, type widget, widgetActions } from './contract.ts'
import { type Identity, NO_KEY, readIdentity, refusal } from './identity.ts'
import { requireOn } from './on.ts'
import * as queries from './queries.ts'

// Reports of guests: counted by network, with a proof of work where the operator wants one, held for a moderator, and made by the one account of guests.

/** More than that moderators do not read; a network has a tenth of it. */
export const REPORTS = ceilingOf('widget reports', { tries: 100, windowSeconds: HOUR })

type CreateBug = Handlers<typeof bugs>['create']

/** Makes a bug of a report as bugs are made, by `create`. */
const reporting =
  (create: CreateBug): Handlers<typeof widget>['report'] =>
  async (context, _input, readForm) => {
    const { config, apart, address, now } = context
    requireOn(config)
    if (operationsOff(config).hasOperation('bugs.create')) throw new Problem('not_found', 'There are no bugs here')
    // Used up with the write; looked at before a file is read.
    if (config.proofOfWork !== 'off') await proofIn(context)
    if (config.rateLimits) await countUnder(apart, REPORTS, { address, now })
    const { fields, files } = await readForm()
    const caller = await guestOf(context)
    const [screenshot] = files.screenshot
    const picture = screenshot ? `\n\n![Screenshot](${await stored(context, caller, screenshot)})` : ''
    const description = `${fields.description}${picture}`
    const { number } = await create({ ...context, caller }, { ...fields, description }, undefined)
    return { number }
  }

/** Guests have the room of one account together. */
async function stored(context: Context, { id: uploaderId }: Caller, file: UploadedFile): Promise<string> {
  const { config } = context
  const spend = async (db: Transaction, size: number) => {
    const { bytes } = await lockStoredBytes(db, uploaderId)
    if (!config.rateLimits || bytes + size <= config.budgets.bytes.verified) return
    throw new Problem('rate_limited', 'Pictures of guests have no room left; send the report without one', {
      retryAfterSeconds: HOUR,
    })
  }
  return (await storePicture(context, file, { uploaderId, spend })).url
}

const SCOPE = 'community:read community:write'
/** Offices share addresses. */
export const BY_ADDRESS = { tries: 600, windowSeconds: HOUR }
export const BY_ACCOUNT = { tries: 60, windowSeconds: HOUR }

/** `createBug` is how bugs are made. */
export const widgetHandlers = (createBug: Handlers<typeof bugs>['create']): Handlers<typeof widget> => ({
  keys: async ({ db, config }) => ({ sites: config.widgetSites, items: await queries.listKeys(db) }),

  async createKey(context, { site }) {
    const { db, caller, now, address, config, secretFor } = context
    if (!config.widgetSites.includes(site)) throw new Problem('invalid_request', 'site: list it in WIDGET_SITES first')
    const secret = `gwidget_${newToken()}`
    const sealed = seal(await secretFor('widget keys'), secret)
    const key = { id: newId(), site, createdAt: now, lastUsedAt: null }
    await db.transaction().execute(async (transaction) => {
      await requireRecent(context, transaction)
      await lockName(transaction, 'widget keys')
      if ((await queries.listKeys(transaction)).length >= MAX_KEYS)
        throw new Problem('conflict', `There are at most ${MAX_KEYS} keys; revoke one first`)
      await queries.insertKey(transaction, { ...key, secret: sealed })
      const act = { action: widgetActions.create, actorId: caller.id, targetId: key.id, detail: { site }, address }
      await record(transaction, now, act)
    })
    return { ...key, secret }
  },

  async revokeKey({ db, caller, now, address }, { id }) {
    await db.transaction().execute(async (transaction) => {
      const site = await queries.deleteKey(transaction, id)
      if (site === undefined) throw new Problem('not_found', 'No such key')
      await endGrantsOfSite(transaction, { clientId: WIDGET_CLIENT, site })
      await record(transaction, now, { action: widgetActions.revoke, actorId: caller.id, targetId: id, address })
    })
    return { id }
  },

  async identify(context, { identity: signed }) {
    const { db, config, now, address } = context
    requireOn(config)
    if (config.rateLimits) await countTry(db, { key: `widget ${addressKey(address)}`, limit: BY_ADDRESS, now })
    const identity = await readIdentity(context, signed)
    const user = await accountOf(context, identity)
    if (config.rateLimits) await countTry(db, { key: `widget of ${user.id}`, limit: BY_ACCOUNT, now })
    const { username } = user
    return { token: await issue(context, user, identity), expiresAt: identity.expiresAt, username }
  },

  report: reporting(createBug),
})

/** A token that ends with the identity, with its key, and with its account. */
function issue(context: Context, { id: userId }: User, { keyId, site, expiresAt }: Identity): Promise<string> {
  const { db, now } = context
  return db.transaction().execute(async (transaction) => {
    // It may have been revoked since it was looked at; from here on that waits, and ends the token.
    if (!(await queries.holdKey(transaction, keyId))) throw refusal(NO_KEY)
    const grant = await createGrant(transaction, context, {
      ...{ userId, clientId: WIDGET_CLIENT, clientName: 'Widget', sessionId: null, scope: SCOPE },
      ...{ expiresAt, action: widgetActions.use, detail: { site } },
    })
    const token = newToken()
    const of = { grantId: grant.id, userId, clientId: WIDGET_CLIENT, scope: SCOPE }
    await insertToken(transaction, {
      ...{ ...of, hash: sha256(token), kind: 'access', payload: null, createdAt: now, consumedAt: null },
      ...{ response: null, responseFor: null, expiresAt, keyThumbprint: null },
    })
    const forSeconds = Math.max(0, Math.ceil((Date.parse(expiresAt) - Date.parse(now)) / 1000))
    await recordTokenUse(transaction, context, { ...of, action: tokenActions.issue, forSeconds })
    return token
  })
}
