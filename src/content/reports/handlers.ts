// Reports, cases, notices and the log. By now the caller is allowed, and the input is parsed.

import { type Decision, noticed, type reportable } from '../../contract/kinds.ts'
import { partsOff } from '../../contract/parts.ts'
import { Problem } from '../../contract/problem.ts'
import { pageOfRows } from '../../database/cursor.ts'
import type { Db } from '../../database/schema.ts'
import { isBlocked } from '../../identity/account-queries.ts'
import type { Caller, Context, Handlers } from '../../request/handler.ts'
import { newId } from '../../runtime/ids.ts'
import { resolveBoard } from '../board-access/listing-queries.ts'
import { maySee } from '../hiding/rules.ts'
import type { Thing } from '../things.ts'
import { withVia } from '../via.ts'
import { findAct, listLog, listNoticesTo } from './act-queries.ts'
import { appeal, isBlocking, noSuchNotice, readAppealToken } from './appeals.ts'
import { listCaseAgents } from './case-list-queries.ts'
import * as queries from './case-queries.ts'
import { openCase } from './cases.ts'
import { MAX_CASE_AGENTS, type moderation, type reports } from './contract.ts'
import type { Powers } from './deciding.ts'
import { keepEvidence } from './evidence-queries.ts'
import { judgeOf } from './impartial.ts'
import { decideAppeal, decideCase, noSuchCase, showCase, undo } from './judging.ts'
import { listOwnReports } from './own-queries.ts'
import { findTarget, noticeOf, pageOfCases } from './showing.ts'

export const reportHandlers = ({ hidings }: Pick<Powers, 'hidings'>): Handlers<typeof reports> => ({
  async create({ db, caller, now, budget }, { targetType: type, targetId, reason, text }) {
    const thing = await findSeen({ db, caller, now, hidings }, { type, id: targetId })
    if (!thing) throw new Problem('not_found', 'There is no such thing to report')
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

  async mine({ db, caller, now, config }, request) {
    const list = { list: ['own reports', caller.id], by: { id: '' } }
    const of = { reporterId: caller.id, off: partsOff(config) }
    const { items: rows, ...page } = await pageOfRows(request, list, (range) => listOwnReports(db, of, range))
    const items = await Promise.all(
      rows.map(async (row) => {
        const target = { type: row.targetType as TargetType, id: row.targetId }
        return ownReportOf(row, target, await findSeen({ db, caller, now, hidings }, target))
      }),
    )
    return { items, ...page }
  },
})

type Hidings = Powers['hidings']
type TargetType = (typeof reportable)[number]

/** A thing or a member that the caller can read now; undefined for others. */
async function findSeen(
  { db, caller, now, hidings }: Pick<Context<Caller>, 'db' | 'caller' | 'now'> & { hidings: Hidings },
  { type, id }: { type: string; id: string },
): Promise<Thing | undefined> {
  const thing = await findTarget(db, hidings, { type, id })
  const isSeen =
    thing &&
    maySee(caller, { ...thing, authorBlockedAt: (await isBlocked(db, thing.authorId)) ? now : null }) &&
    !(await isBlockedMember(db, type, id)) &&
    ((await hidings.get(type)?.isPlaceSeen?.(db, id)) ?? true)
  return isSeen ? thing : undefined
}

/** A report as its author sees it. */
function ownReportOf(
  row: Awaited<ReturnType<typeof listOwnReports>>[number],
  target: { type: TargetType; id: string },
  thing: Thing | undefined,
) {
  const { id, reason, text, createdAt, closed } = row
  const action = (row.action ?? null) as Decision | null
  const acted = action !== null && noticed.has(action) ? ('acted' as const) : ('dismissed' as const)
  return {
    ...{ id, reason, text, createdAt, action, decidedAt: row.decidedAt, undone: row.undoneAt !== null },
    target: { ...target, title: thing?.title ?? '', url: thing?.url ?? '' },
    state: closed === 0 ? ('waiting' as const) : acted,
  }
}

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
  async cases({ db, config }, { board, ...input }) {
    const within = board === undefined ? undefined : await resolveBoard(db, { board })
    const off = partsOff(config)
    const { items, ...page } = await pageOfCases(db, powers.hidings, { ...input, within, off })
    const agents = await listCaseAgents(db, { state: input.state, off, limit: MAX_CASE_AGENTS })
    const reading = { db, config }
    return { ...page, items: await withVia(reading, items), agents: await withVia(reading, agents) }
  },

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
