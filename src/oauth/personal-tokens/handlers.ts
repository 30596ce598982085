// The caller's own personal access tokens. The value of a new one is in one response; only its keyed hash is stored.
import { Problem } from '../../contract/problem.ts'
import { scopeNames } from '../../contract/scopes.ts'
import { strengthOf } from '../../contract/sign-in-strength.ts'
import { personalTokenActions } from '../../identity/audit-actions.ts'
import { newPersonalToken } from '../../identity/checked-secret.ts'
import { createGrant, revokeGrant } from '../../identity/grants.ts'
import { limit } from '../../identity/guesses.ts'
import { personalTokenMail } from '../../identity/mails.ts'
import { limits } from '../../identity/rules.ts'
import { lockCaller, requireRecent } from '../../identity/sessions.ts'
import type { Handlers } from '../../request/handler.ts'
import { after } from '../../runtime/clock.ts'
import type { personalTokens } from './contract.ts'
import * as queries from './queries.ts'
import { MAX_TOKENS, PERSONAL_CLIENT, PERSONAL_CLIENT_NAME } from './rules.ts'

const DAY_SECONDS = 86_400

export const handlers: Handlers<typeof personalTokens> = {
  async list({ db, caller, now }) {
    return { items: (await queries.listPersonalTokens(db, caller.id, now)).map(shown) }
  },

  async create(context, { name, scopes, expiresInDays }) {
    const { caller, now, outbox, config } = context
    await limit(context, `personal-token:${caller.id}`, limits.personalTokensByAccount)
    const token = newPersonalToken()
    const hash = await queries.personalTokenHash(context, token)
    const stored = await context.db.transaction().execute(async (db) => {
      const user = await lockCaller(context, db)
      await requireRecent(context, db)
      if ((await queries.listPersonalTokens(db, user.id, now)).length >= MAX_TOKENS)
        throw new Problem('conflict', `An account has at most ${MAX_TOKENS} personal access tokens; revoke one first`)
      const scope = scopeNames(scopes.join(' ')).join(' ')
      const expiresAt = after(now, expiresInDays * DAY_SECONDS)
      const { id } = await createGrant(db, context, {
        ...{ userId: user.id, clientId: PERSONAL_CLIENT, clientName: PERSONAL_CLIENT_NAME, sessionId: null, scope },
        ...{ action: personalTokenActions.create, expiresAt, detail: { name, scope, expiresAt } },
        acr: strengthOf({ byPasskey: 'session' in caller.via && caller.via.byPasskey === true }),
      })
      const row = { id, hash, userId: user.id, name, scope, createdAt: now, lastUsedAt: null, expiresAt }
      await queries.insertPersonalToken(db, row)
      await outbox.enqueue(db, { recipient: user.email, ...personalTokenMail(config.baseUrl, row) })
      return row
    })
    return { ...shown(stored), token }
  },

  async revoke(context, { id }) {
    const { caller, now, address } = context
    await context.db.transaction().execute(async (db) => {
      await lockCaller(context, db)
      const token = await queries.findPersonalToken(db, { id })
      const by = { actorId: caller.id, reason: 'revoked by its account', now, address }
      const ended =
        token?.userId === caller.id && (await revokeGrant(db, id, { ...by, action: personalTokenActions.revoke }))
      if (!ended) throw new Problem('not_found', 'No such token')
    })
    return { id }
  },
}

const shown = ({ id, name, scope, createdAt, lastUsedAt, expiresAt }: queries.PersonalToken) => ({
  id,
  name,
  scopes: scopeNames(scope),
  createdAt,
  lastUsedAt,
  expiresAt,
})
