// Reports, cases, notices and the log. By now the caller is allowed, and the input is parsed.
import { record } from '../../audit/audit.ts'
import { Problem } from '../../contract/problem.ts'
import type { Db, ModerationActTable } from '../../database/schema.ts'
import { isBlocked } from '../../identity/account-queries.ts'
import type { Handlers } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import { maySee } from '../hiding/rules.ts'
import { recordNotice } from '../notifications/events.ts'
import { nameFrom, preview } from '../preview.ts'
import { findAct, listActsOn, listLog, listNoticesTo, lockAct, updateAct } from './act-queries.ts'
import { appeal, isBlocking, noSuchNotice, readAppealToken } from './appeals.ts'
import { caseActions } from './audit-actions.ts'
import * as queries from './case-queries.ts'
import { openCase, settle } from './cases.ts'
import type { moderation, reports } from './contract.ts'
import { carryOutDecision, type Deciding, type Powers, undoAct } from './deciding.ts'
import { judgeOf, requireNotOwn } from './impartial.ts'
import { findTarget, lastActOf, listed, noticeOf, whole } from './showing.ts'

const MAX_WAITING = 100
const noSuchCase = () => new Problem('not_found', 'No such case')

export const reportHandlers = ({ hidings }: Pick<Powers, 'hidings'>): Handlers<typeof reports> => ({
  async create({ db, caller, now, budget }, { targetType: type, targetId, reason, text }) {
    const thing = await findTarget(db, hidings, { type, id: targetId })
    const seen =
      thing && maySee(caller, { ...thing, authorBlockedAt: (await isBlocked(db, thing.authorId)) ? now : null })
    const isSeen =
      seen &&
      !(await isBlockedMember(db, type, targetId)) &&
      ((await hidings.get(type)?.isPlaceSeen?.(db, targetId)) ?? true)
    if (!isSeen) throw new Problem('not_found', 'There is no such thing to report')
    const { authorId } = thing
    if (authorId === caller.id) throw new Problem('conflict', 'This is your own')
    return db.transaction().execute(async (transaction) => {
      await budget.spend(transaction)
      const caseId = await openCase(transaction, { type, id: targetId, authorId, now }, { reportCount: 1 })
      const row = { id: newId(), caseId, targetId, reporterId: caller.id, reason, text: text || null, createdAt: now }
      if (!(await queries.insertReport(transaction, { ...row, closed: 0 }))) {
        throw new Problem('conflict', 'You have reported this already')
      }
      return { id: row.id, targetId, reason, createdAt: now }
    })
  },
})

/** What there is to do about an account was done when it was blocked. */
const isBlockedMember = async (db: Db, type: string, id: string): Promise<boolean> =>
  type === 'user' && (await queries.findAccount(db, id))?.blockedAt != null

/** Stores the decision of an appeal, and undoes the act where it is granted. */
async function decideAppeal(
  { powers, context, db }: Deciding,
  { act, granted, reason }: { act: ModerationActTable; granted: boolean; reason: string },
): Promise<void> {
  const { caller, now, address } = context
  const { id, targetType: type, targetId, accountId: to, action, rule, title } = act
  const decided = { appealGranted: granted ? 1 : 0, appealReason: reason, appealDecidedAt: now } as const
  if (granted && act.undoneAt === null) await undoAct({ powers, context, db }, { id, reason })
  await updateAct(db, id, decided)
  const notice = { id, action: granted ? ('undo' as const) : action, rule }
  await recordNotice(db, { to, now, on: { type, id: targetId }, notice, reason }, title)
  const detail = { act: id, granted }
  await record(db, now, { action: caseActions.appeal, actorId: caller.id, targetId, detail, reason, address })
}

const decisionHandlers = (powers: Powers): Pick<Handlers<typeof moderation>, 'decide' | 'undo' | 'decideAppeal'> => ({
  async decide(context, { id, action, rule, reason }) {
    const { db, now, caller } = context
    return db.transaction().execute(async (transaction) => {
      const found = await queries.lockCase(transaction, id)
      if (!found) throw noSuchCase()
      requireNotOwn(caller, found.authorId)
      if (found.state === 'closed') throw new Problem('conflict', 'This case is closed')
      const { targetType: type, targetId, authorId: accountId } = found
      const thing = await findTarget(transaction, powers.hidings, { type, id: targetId })
      if (!thing && action !== 'dismiss') throw new Problem('conflict', 'It is gone; dismiss the case')
      const isHeld = thing !== undefined && found.held === 1
      if (isHeld && action === 'dismiss' && found.reportCount === 0) {
        throw new Problem('conflict', 'It waits for approval: approve it, hide it or remove it')
      }
      const { title = '', text = '', url = '' } = thing ?? {}
      const on = { type, id: targetId, title: title || nameFrom(text), url }
      const acting = { action, rule, reason, on, accountId, caseId: id }
      const actId = await carryOutDecision({ powers, context, db: transaction }, acting)
      const held = isHeld && (action === 'dismiss' || action === 'warn') ? 1 : 0
      await settle(transaction, found, { reportCount: 0, held, now })
      return { id: actId, action }
    })
  },

  async undo(context, { id, reason }) {
    const undone = await context.db.transaction().execute((db) => undoAct({ powers, context, db }, { id, reason }))
    return { id: undone, action: 'undo' }
  },

  async decideAppeal(context, { id, granted, reason }) {
    const { db, now } = context
    const seen = await findAct(db, id)
    if (!seen?.appealedAt) throw new Problem('not_found', 'No such appeal')
    await db.transaction().execute(async (transaction) => {
      const found = await queries.lockOpenCase(transaction, seen.targetId)
      const act = await lockAct(transaction, id)
      if (!found || !act || act.appealDecidedAt !== null) throw new Problem('conflict', 'This was decided already')
      requireNotOwn(context.caller, act.accountId)
      await decideAppeal({ powers, context, db: transaction }, { act, granted, reason })
      await settle(transaction, found, { appealCount: found.appealCount - 1, now })
    })
    return { id, granted }
  },
})

const noticeHandlers: Pick<Handlers<typeof moderation>, 'notice' | 'notices' | 'appeal' | 'appealByLink' | 'log'> = {
  async notice({ db, caller }, { id }) {
    const act = await findAct(db, id)
    if (act?.accountId !== caller.id) throw noSuchNotice()
    return noticeOf(act)
  },

  async notices({ db, caller }, { page, per_page }) {
    const found = await listNoticesTo(db, caller.id, { offset: page * per_page, limit: per_page + 1 })
    return { items: found.slice(0, per_page).map(noticeOf), hasMore: found.length > per_page }
  },

  appeal: ({ db, caller, now, budget }, { id, text }) =>
    appeal(db, (transaction) => budget.spend(transaction), {
      ...{ id, text, now },
      mayAnswer: ({ accountId }) => accountId === caller.id,
    }),

  async appealByLink({ db, now, secretFor }, { token, text }) {
    const id = await readAppealToken(secretFor, token)
    if (id === undefined) throw noSuchNotice()
    return appeal(db, async () => undefined, { id, text, now, mayAnswer: isBlocking })
  },

  async log({ db }, { page, per_page }) {
    const found = await listLog(db, { offset: page * per_page, limit: per_page + 1 })
    const items = found.slice(0, per_page).map(({ undoneAt, appealGranted, ...act }) => ({
      ...act,
      undone: undoneAt !== null,
      appeal: appealGranted === null ? null : appealGranted === 1 ? ('granted' as const) : ('refused' as const),
    }))
    return { items, hasMore: found.length > per_page }
  },
}

export const moderationHandlers = (powers: Powers): Handlers<typeof moderation> => ({
  async cases({ db }, { state, page, per_page }) {
    const rows = await queries.listCases(db, state, { offset: page * per_page, limit: per_page + 1 })
    const items = await Promise.all(
      rows.slice(0, per_page).map(async (row) => {
        const { targetType: type, targetId: id } = row
        const thing = await findTarget(db, powers.hidings, { type, id })
        const [act] = await listActsOn(db, id, 1)
        const excerpt = preview(thing?.text ?? '')
        return { ...listed(row, thing ?? act), excerpt, gone: thing === undefined, lastAct: lastActOf(act) }
      }),
    )
    const waiting = await queries.countOpen(db, MAX_WAITING)
    return { items, hasMore: rows.length > per_page, waiting }
  },

  async case({ db, caller }, { id }) {
    const found = await queries.findCase(db, id)
    if (!found) throw noSuchCase()
    return { ...(await whole(db, powers.hidings, found)), waitsFor: await judgeOf(db, caller, found.authorId) }
  },

  async caseReports({ db }, { id, page, per_page }) {
    if (!(await queries.findCase(db, id))) throw noSuchCase()
    const found = await queries.listReports(db, id, { offset: page * per_page, limit: per_page + 1 })
    return { items: found.slice(0, per_page), hasMore: found.length > per_page }
  },

  ...decisionHandlers(powers),
  ...noticeHandlers,
})
