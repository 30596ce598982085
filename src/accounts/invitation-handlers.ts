// Handlers for a link that invites, on the side of who got it.
import { addressKey, uncountTry } from '../budgets/budgets.ts'
import { Problem } from '../contract/problem.ts'
import { findBoardName } from '../identity/board-member-queries.ts'
import { limit } from '../identity/guesses.ts'
import { carriesLink, carryLink, findLink, givesAnything, noSuchLink, useLink } from '../identity/invitation-links.ts'
import { limits } from '../identity/rules.ts'
import { lockCaller } from '../identity/sessions.ts'
import type { Context, Handlers } from '../request/handler.ts'
import type { invitation } from './invitation-contract.ts'
import { accountOf } from './sign-in/entry.ts'

/** The link of a secret that is given or carried. Only one that is not good counts as a try, so that no one is kept from a good one. */
async function guessedLink(context: Context, key?: string) {
  if (key === undefined && !carriesLink(context)) throw noSuchLink()
  const counter = `invitation:${addressKey(context.address)}`
  await limit(context, counter, limits.invitationLinkByAddress)
  const link = await findLink(context, context.db, key)
  if (!link) throw noSuchLink()
  if (context.config.rateLimits) await uncountTry(context.db, counter)
  return link
}

export const handlers: Handlers<typeof invitation> = {
  async open(context, { key }) {
    const link = await guessedLink(context, key)
    if (key !== undefined) carryLink(context, key)
    const board = link.boardId === null ? undefined : await findBoardName(context.db, link.boardId)
    return { role: link.role, expiresAt: link.expiresAt, board: board ?? null }
  },

  async accept(context) {
    const link = await guessedLink(context)
    return context.db.transaction().execute(async (db) => {
      const user = await lockCaller(context, db)
      if (!(await givesAnything(db, link, user)))
        throw new Problem('conflict', 'You have an account, and this invitation gives it nothing more')
      if (user.emailVerifiedAt === null) throw new Problem('forbidden', 'Verify your email address first')
      const used = await useLink(context, db, user)
      if (!used) throw noSuchLink()
      return { user: accountOf(used) }
    })
  },
}
