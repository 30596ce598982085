// Handlers for links that invite.
import { record } from '../../audit/audit.ts'
import { boardBySlug, slugsOf } from '../../content/board-access/boards.ts'
import { FIRST_BOARD } from '../../content/board-access/rules.ts'
import { Problem } from '../../contract/problem.ts'
import { pageOfRows } from '../../database/cursor.ts'
import { lockName } from '../../database/engine.ts'
import type { Db } from '../../database/schema.ts'
import { signUpActions } from '../../identity/audit-actions.ts'
import { limit } from '../../identity/guesses.ts'
import { newLinkKey } from '../../identity/invitation-links.ts'
import * as queries from '../../identity/invitation-queries.ts'
import { limits } from '../../identity/rules.ts'
import type { Handlers } from '../../request/handler.ts'
import { after } from '../../runtime/clock.ts'
import { newId } from '../../runtime/ids.ts'
import { type invitationLinks, MAX_OPEN_LINKS } from './invitation-links-contract.ts'

/** A board that a link can invite to. */
async function boardToInvite(db: Db, slug: string): Promise<string> {
  const { id } = await boardBySlug(db, slug)
  if (id === FIRST_BOARD) throw new Problem('conflict', 'Everyone reads the first board: it takes no invitation')
  return id
}

export const handlers: Handlers<typeof invitationLinks> = {
  async list({ db }, request) {
    const sorted = { list: ['invitationLinks'], by: { id: '' } }
    const { items: links, ...end } = await pageOfRows(request, sorted, ({ after: place, ...range }) =>
      queries.listLinks(db, { ...range, before: place && String(place[0]) }),
    )
    const uses = await queries.listUses(
      db,
      links.map(({ id }) => id),
    )
    const slugOf = await slugsOf(db)
    const items = links.map(({ createdById, createdUsername: username, createdName: name, boardId, ...link }) => ({
      ...link,
      board: slugOf({ boardId }) ?? null,
      createdBy: { id: createdById, username, name },
      usedBy: uses.filter(({ linkId }) => linkId === link.id).map(({ linkId: _, ...use }) => use),
    }))
    return { items, ...end }
  },

  async create(context, { role, board, expiresInDays, maxUses }) {
    const { db, caller, now, config, address } = context
    await limit(context, `invite:${caller.id}`, limits.invitationsByAdmin)
    const { key, tokenHash } = await newLinkKey(context)
    const boardId = board === undefined ? null : await boardToInvite(db, board)
    const link = { id: newId(), role, createdAt: now, expiresAt: after(now, expiresInDays * 86_400), maxUses, uses: 0 }
    await db.transaction().execute(async (transaction) => {
      await lockName(transaction, 'sign-up invitations')
      if ((await queries.countOpenLinks(transaction, now)) >= MAX_OPEN_LINKS)
        throw new Problem('conflict', `At most ${MAX_OPEN_LINKS} links are open; revoke one first`)
      await queries.insertLink(transaction, { ...link, tokenHash, createdById: caller.id, revokedAt: null })
      if (boardId !== null) await queries.insertLinkBoard(transaction, { linkId: link.id, boardId })
      const act = { action: signUpActions.link, actorId: caller.id, targetId: link.id, address }
      await record(transaction, now, {
        ...act,
        detail: { role, maxUses, expiresAt: link.expiresAt, ...(board && { board }) },
      })
    })
    return { ...link, board: board ?? null, revokedAt: null, link: `${config.baseUrl}/join?key=${key}` }
  },

  async revoke({ db, caller, now, address }, { id }) {
    await db.transaction().execute(async (transaction) => {
      if (!(await queries.revokeLink(transaction, id, now))) throw new Problem('not_found', 'No such link')
      const act = { action: signUpActions['revoke-link'], actorId: caller.id, targetId: id, address }
      await record(transaction, now, act)
    })
    return { id }
  },
}
