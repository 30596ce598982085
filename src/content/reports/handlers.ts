// Reports, cases, notices and the log. By now the caller is allowed, and the input is parsed.

import { partsOff } from '../../contract/parts.ts'
import { Problem } from '../../contract/problem.ts'
import { pageOfRows } from '../../database/cursor.ts'
import type { Db } from '../../database/schema.ts'
import { isBlocked } from '../../identity/account-queries.ts'
import type { Context, Handlers } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import { maySee } from '../hiding/rules.ts'
import { findAct, listLog, listNoticesTo } from './act-queries.ts'
import { appeal, isBlocking, noSuchNotice, readAppealToken } from './appeals.ts'
import * as queries from './case-queries.ts'
import { openCase } from './cases.ts'
import type { moderation, reports } from './contract.ts'
import type { Powers } from './deciding.ts'
import { keepEvidence } from './evidence-queries.ts'
import { judgeOf } from './impartial.ts'
import { decideAppeal, decideCase, noSuchCase, showCase, undo } from './judging.ts'
import { findTarget, noticeOf, pageOfCases } from './showing.ts'

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
      const { title, text: words } = thing
      await keepEvidence(transaction, { targetType: type, targetId, authorId, title, text: words, createdAt: now })
      return { id: row.id, targetId, reason, createdAt: now }
    })
  },
})

/** What there is to do about an account was done when it was blocked. */
const isBlockedMember = async (db: Db, type: string, id: string): Promise<boolean> =>
  type === 'user' && (await queries.findAccount(db, id))?.blockedAt != null

/** Refuses a case on a thing of a part that is off, as one that there is not. */
async function requireOn({ db, config }: Pick<Context, 'db' | 'config'>, id: string): Promise<void> {
  if (await queries.isCaseOff(db, id, partsOff(config))) throw noSuchCase()
}

const decisionHandlers = (powers: Powers): Pick<Handlers<typeof moderation>, 'decide' | 'undo' | 'decideAppeal'> => ({
  async decide(context, decision) {
    await requireOn(context, decision.id)
    return decideCase({ powers, context }, context.db, decision)
  },
  undo: (context, act) => undo({ powers, context }, context.db, act),
  decideAppeal: (context, decision) => decideAppeal({ powers, context }, context.db, decision),
})

const noticeHandlers: Pick<Handlers<typeof moderation>, 'notice' | 'notices' | 'appeal' | 'appealByLink' | 'log'> = {
  async notice({ db, caller }, { id }) {
    const act = await findAct(db, id)
    if (act?.accountId !== caller.id) throw noSuchNotice()
    return noticeOf(act)
  },

  async notices({ db, caller }, request) {
    const list = { list: ['notices', caller.id], by: { id: '' } }
    const { items, ...page } = await pageOfRows(request, list, (range) => listNoticesTo(db, caller.id, range))
    return { items: items.map(noticeOf), ...page }
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

  async log({ db }, request) {
    const list = { list: ['log'], by: { createdAt: '', id: '' } }
    const { items: found, ...page } = await pageOfRows(request, list, (range) => listLog(db, range))
    const items = found.map(({ id: _, undoneAt, appealGranted, ...act }) => ({
      ...act,
      undone: undoneAt !== null,
      appeal: appealGranted === null ? null : appealGranted === 1 ? ('granted' as const) : ('refused' as const),
    }))
    return { items, ...page }
  },
}

export const moderationHandlers = (powers: Powers): Handlers<typeof moderation> => ({
  cases: ({ db, config }, input) => pageOfCases(db, powers.hidings, { ...input, off: partsOff(config) }),

  async case(context, { id }) {
    const { db, caller } = context
    await requireOn(context, id)
    const shown = await showCase({ powers, context }, db, id)
    return { ...shown, waitsFor: await judgeOf(db, caller, shown.author.id) }
  },

  async caseReports(context, { id, ...request }) {
    const { db } = context
    if (!(await queries.findCase(db, id))) throw noSuchCase()
    await requireOn(context, id)
    const list = { list: ['reports', id], by: { id: '' } }
    return pageOfRows(request, list, (range) => queries.listReports(db, id, range))
  },

  ...decisionHandlers(powers),
  ...noticeHandlers,
})
