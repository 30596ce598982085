// The programs of the caller that are known by their workload identity.
import { record } from '../../audit/audit.ts'
import { Problem } from '../../contract/problem.ts'
import { scopeNames } from '../../contract/scopes.ts'
import { workloadActions } from '../../identity/audit-actions.ts'
import { revokeGrant } from '../../identity/grants.ts'
import { limit } from '../../identity/guesses.ts'
import { workloadMail } from '../../identity/mails.ts'
import { limits } from '../../identity/rules.ts'
import { lockCaller, requireRecent } from '../../identity/sessions.ts'
import * as queries from '../../identity/workload-queries.ts'
import type { Handlers } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { boundsIn } from '../jwt.ts'
import type { workloads } from './contract.ts'
import { clientOf, MAX_WORKLOADS } from './rules.ts'

export const handlers: Handlers<typeof workloads> = {
  async list({ db, caller, config }) {
    return { issuers: config.workloadIssuers, items: (await queries.listWorkloads(db, caller.id)).map(shown) }
  },

  async create(context, { name, issuer, subject, claims, scopes, bounds }) {
    const { caller, now, outbox, config, address } = context
    await limit(context, `workload:${caller.id}`, limits.workloadsByAccount)
    if (!config.workloadIssuers.includes(issuer))
      throw new Problem(
        'invalid_request',
        `issuer: must be one of ${config.workloadIssuers.join(', ') || 'none: the operator allows none'}`,
      )
    const stored = await context.db.transaction().execute(async (db) => {
      const user = await lockCaller(context, db)
      await requireRecent(context, db)
      if ((await queries.listWorkloads(db, user.id)).length >= MAX_WORKLOADS)
        throw new Problem('conflict', `An account has at most ${MAX_WORKLOADS} programs of that kind; remove one first`)
      const row = {
        ...{ id: newId(), userId: user.id, name, issuer, subject, claims: JSON.stringify(claims) },
        ...{ scope: scopeNames(scopes.join(' ')).join(' '), bounds: bounds ? JSON.stringify(bounds) : null },
        ...{ createdAt: now, lastUsedAt: null },
      }
      await queries.insertWorkload(db, row)
      const act = { action: workloadActions.create, actorId: user.id, targetId: row.id, address }
      await record(db, now, { ...act, detail: { name, issuer, subject, claims, scope: row.scope } })
      await outbox.enqueue(db, { recipient: user.email, ...workloadMail(config.baseUrl, row) })
      return row
    })
    return shown(stored)
  },

  async remove(context, { id }) {
    const { now, address } = context
    await context.db.transaction().execute(async (db) => {
      const user = await lockCaller(context, db)
      const found = await queries.lockWorkload(db, id)
      if (!found || !(await queries.deleteWorkload(db, { id, userId: user.id })))
        throw new Problem('not_found', 'No such program')
      await record(db, now, {
        ...{ action: workloadActions.remove, actorId: user.id, targetId: id, address },
        detail: { name: found.name },
      })
      const by = { actorId: user.id, reason: 'its workload identity was removed', now, address }
      for (const grant of await queries.listGrantsOfClient(db, { userId: user.id, clientId: clientOf(id) }))
        await revokeGrant(db, grant.id, by)
    })
    return { id }
  },
}

const shown = ({ id, name, issuer, subject, claims, scope, bounds, createdAt, lastUsedAt }: queries.Workload) => ({
  ...{ id, name, issuer, subject, claims: parseJson<Record<string, string>>(claims) },
  ...{ scopes: scopeNames(scope), bounds: boundsIn(bounds) ?? null, createdAt, lastUsedAt },
})
