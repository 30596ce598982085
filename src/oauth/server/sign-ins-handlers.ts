// The caller's own grants: only their account can list and revoke them.
import { record } from '../../audit/audit.ts'
import { type GrantBounds, normalized } from '../../contract/bounds.ts'
import { boundsOfChain } from '../../contract/hand-on.ts'
import { Problem } from '../../contract/problem.ts'
import { scopeNames } from '../../contract/scopes.ts'
import { lockUser } from '../../identity/account-queries.ts'
import { grantActions } from '../../identity/audit-actions.ts'
import * as life from '../../identity/grant-life.ts'
import { keepEnded } from '../../identity/grant-life-queries.ts'
import * as queries from '../../identity/grant-queries.ts'
import { revokeGrant } from '../../identity/grants.ts'
import type { Handlers } from '../../request/handler.ts'
import { after } from '../../runtime/clock.ts'
import { parseJson, required } from '../../runtime/untyped.ts'
import { deleteHelper, listHandedOn, type OpenToken } from '../exchange/exchange.ts'
import { boundsIn } from '../jwt.ts'
import { ACCESS_SECONDS } from '../rules.ts'
import type { signIns } from '../sign-ins-contract.ts'

/** So far back go tokens that were stopped. */
const MAX_STOPPED = 10

type ListedGrant = Pick<
  queries.Grant,
  'id' | 'clientId' | 'clientName' | 'scope' | 'createdAt' | 'lastUsedAt' | 'expiresAt' | 'bounds'
>

const shown = ({ id, clientId, clientName, scope, createdAt, lastUsedAt, expiresAt, bounds }: ListedGrant) => ({
  ...{ id, clientId, clientName, scopes: scopeNames(scope), createdAt, lastUsedAt: lastUsedAt ?? createdAt, expiresAt },
  bounds: boundsIn(bounds) ?? null,
})

const handedOnBy = (open: readonly OpenToken[], id: string) =>
  open.filter(({ grantId }) => grantId === id).map(shownHandedOn)

const noSuchGrant = () => new Problem('not_found', 'No such sign-in')

export const handlers: Handlers<typeof signIns> = {
  async list({ db, caller, now }) {
    const [all, reused] = await Promise.all([
      queries.listGrants(db, caller.id, now),
      life.listReuse(db, caller.id, MAX_STOPPED),
    ])
    const open = all.length > 0 ? await listHandedOn(db, { userId: caller.id, now }) : []
    return {
      items: all.map((grant) => ({ ...shown(grant), handedOn: handedOnBy(open, grant.id) })),
      stopped: reused.map(({ id: _, createdAt: at, ...one }) => ({ ...one, at })),
    }
  },

  async get({ db, caller, now }, { id }) {
    const grant = await queries.findGrant(db, { id })
    if (grant?.userId !== caller.id || grant.expiresAt <= now) throw noSuchGrant()
    const [events, uses, open] = await Promise.all([
      life.listEvents(db, id),
      life.listScopeUses(db, id),
      listHandedOn(db, { userId: caller.id, now }),
    ])
    const used = new Map(uses.map(({ scope, usedAt }) => [scope, usedAt]))
    const since = after(now, -life.UNUSED_SECONDS)
    return {
      ...shown(grant),
      handedOn: handedOnBy(open, id),
      events: events.map(({ kind, createdAt: at, network, device }) => ({ kind, at, network, device })),
      scopeUses: scopeNames(grant.scope).map((scope) => {
        const usedAt = used.get(scope) ?? null
        // What is no scope of an operation is used by what it is: staying, or knowing who one is.
        return { scope, usedAt, unused: scope.includes(':') && (usedAt ?? grant.createdAt) < since }
      }),
    }
  },

  update: ({ db, caller, now, address }, { id, bounds, scopes }) =>
    db.transaction().execute(async (transaction) => {
      const grant = await queries.lockGrant(transaction, { id })
      if (grant?.userId !== caller.id || grant.expiresAt <= now) throw noSuchGrant()
      const had = scopeNames(grant.scope)
      const foreign = scopes?.filter((scope) => !had.includes(scope)) ?? []
      if (foreign.length > 0) throw new Problem('invalid_request', `scopes: ${foreign.join(', ')} was not granted`)
      const scope = had.filter((name) => scopes?.includes(name) ?? true).join(' ')
      const kept = bounds === undefined ? grant.bounds : storedBounds(bounds)
      await queries.updateGrant(transaction, id, { scope, bounds: kept })
      const detail = { clientId: grant.clientId, scope, bounds: kept && parseJson<object>(kept) }
      await record(transaction, now, { action: grantActions.change, actorId: caller.id, targetId: id, detail, address })
      const { scopes: left, bounds: bound } = shown({ ...grant, scope, bounds: kept })
      return { id, scopes: left, bounds: bound }
    }),

  endAll: ({ db, caller, now, address }) =>
    db.transaction().execute(async (transaction) => {
      await lockUser(transaction, { id: caller.id })
      await keepEnded(transaction, { userId: caller.id }, after(now, ACCESS_SECONDS))
      const ended = await queries.deleteGrantsOf(transaction, caller.id)
      const detail = { reason: 'all ended by their account', grants: ended }
      await record(transaction, now, {
        action: grantActions.end,
        actorId: caller.id,
        targetId: caller.id,
        detail,
        address,
      })
      return { ended }
    }),

  endHelper: ({ db, caller, now, address }, { id, helperId }) =>
    db.transaction().execute(async (transaction) => {
      const ended = await deleteHelper(transaction, { helperId, grantId: id, userId: caller.id }, now)
      if (ended === 0) throw new Problem('not_found', 'No such helper')
      const detail = { helperId, ended }
      const action = grantActions['end-helper']
      await record(transaction, now, { action, actorId: caller.id, targetId: id, detail, address })
      return { ended }
    }),

  async end({ db, caller, now, address }, { id }) {
    await db.transaction().execute(async (transaction) => {
      const grant = await queries.findGrant(transaction, { id })
      await keepEnded(transaction, { userId: caller.id, id }, after(now, ACCESS_SECONDS))
      const ended =
        grant?.userId === caller.id &&
        (await revokeGrant(transaction, id, { actorId: caller.id, reason: 'ended by its account', now, address }))
      if (!ended) throw noSuchGrant()
    })
    return { id }
  },
}

function shownHandedOn({ handedOn, scope, createdAt, expiresAt, lastUsedAt }: OpenToken) {
  const { helpers } = handedOn
  const { id, name } = required(helpers.at(-1))
  const parentId = helpers.at(-2)?.id ?? null
  const bounds = boundsOfChain(undefined, helpers) ?? null
  const may = { scopes: scopeNames(scope), bounds, depth: helpers.length }
  return { id, name, parentId, ...may, createdAt, expiresAt, lastUsedAt }
}

const storedBounds = (bounds: GrantBounds | null): string | null => {
  const given = bounds && normalized(bounds)
  return given ? JSON.stringify(given) : null
}
