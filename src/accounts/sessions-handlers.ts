// The caller's own sessions: only their account can list and end them, from an open session.
import { type Act, record } from '../audit/audit.ts'
import { Problem } from '../contract/problem.ts'
import type { Transaction } from '../database/schema.ts'
import * as queries from '../identity/account-queries.ts'
import { sessionActions } from '../identity/audit-actions.ts'
import { lockCaller, noSessionCookie } from '../identity/sessions.ts'
import { queueSignal } from '../identity/signal-queries.ts'
import type { Caller, Context, Handlers } from '../request/handler.ts'
import type { sessions } from './sessions-contract.ts'

export const handlers: Handlers<typeof sessions> = {
  async list({ db, caller, now }) {
    const here = currentOf(caller)
    const all = await queries.listSessions(db, { userId: caller.id, now })
    const items = all.map(({ id, createdAt, seenAt, device }) => {
      const current = id === here
      // Renewed at most once a day, so another browser may have been used since.
      const lastSeenAt = current ? now : seenAt
      return { id, createdAt, lastSeenAt, device, current }
    })
    return { items }
  },

  async end(context, { id }) {
    const { db, caller, config, now, reply } = context
    await db.transaction().execute(async (transaction) => {
      const { id: userId } = await lockCaller(context, transaction)
      const ended = await queries.deleteSessionOf(transaction, { id, userId, now })
      if (!ended) throw new Problem('not_found', 'No such session')
      await remember(context, transaction, { action: sessionActions.end, targetId: id })
    })
    if (id === currentOf(caller)) reply.append('Set-Cookie', noSessionCookie(config.baseUrl))
    return { id }
  },

  async endOthers(context) {
    const { db, caller, now } = context
    return db.transaction().execute(async (transaction) => {
      const { id: userId } = await lockCaller(context, transaction)
      const ended = await queries.deleteOtherSessions(transaction, { id: currentOf(caller), userId, now })
      const act = { action: sessionActions['end-others'], targetType: 'user', targetId: userId, detail: { ended } }
      if (ended > 0) {
        await queueSignal(transaction, userId, now)
        await remember(context, transaction, act)
      }
      return { ended }
    })
  },
}

/** The session a request came with. */
function currentOf({ via }: Caller): string {
  if ('session' in via) return via.session
  throw new Problem('unauthorized', 'Sign in first')
}

function remember(
  { caller, now, address }: Context<Caller>,
  db: Transaction,
  { detail, ...act }: Omit<Act, 'actorId'>,
): Promise<void> {
  return record(db, now, { ...act, actorId: caller.id, detail: { ...detail, by: currentOf(caller) }, address })
}
