// Cases as moderators see them, with the history of the author beside them.

import type { reportable } from '../../contract/kinds.ts'
import type { PartsOff } from '../../contract/parts.ts'
import { boardsWithinReach } from '../../contract/standing.ts'
import { beginningOf } from '../../contract/storable.ts'
import { type PageRequest, pageOfRows } from '../../database/cursor.ts'
import type { Db, ModerationActTable } from '../../database/schema.ts'
import { stateOf } from '../hiding/rules.ts'
import { countThings } from '../hiding/sweep-queries.ts'
import { preview } from '../preview.ts'
import type { HideableKind, Thing } from '../things.ts'
import { countActsOn, listActsOn } from './act-queries.ts'
import { type CaseFilters, listCases } from './case-list-queries.ts'
import * as queries from './case-queries.ts'
import { listEvidence } from './evidence-queries.ts'

type TargetType = (typeof reportable)[number]

/** What a case shows at most. */
const MAX_ROWS = 100
const MAX_TEXT = 2_000

/** A member as a thing: their profile can be reported. */
async function findMember(db: Db, id: string): Promise<Thing | undefined> {
  const user = await queries.findAccount(db, id)
  if (!user) return undefined
  const text = Object.values((await queries.findProfile(db, id)) ?? {})
    .filter((value) => value !== null && value !== '' && value !== '[]')
    .join('\n\n')
  const { username, name, createdAt } = user
  const title = username ?? name ?? ''
  return { id, authorId: id, createdAt, hidden: 0, title, text, url: username ? `/community/u/${username}` : '' }
}

/** The thing that a report or a case is about, hidden or not; undefined when it is gone. */
export const findTarget = (
  db: Db,
  hidings: ReadonlyMap<string, HideableKind>,
  { type, id }: { type: string; id: string },
): Promise<Thing | undefined> => (type === 'user' ? findMember(db, id) : hidings.get(type)?.find(db, id)) ?? gone

const gone = Promise.resolve(undefined)

/** A case in a list. */
function listed(
  row: queries.CaseRow & { authorUsername: string | null },
  { title, url }: Pick<Thing, 'title' | 'url'> = { title: '', url: '' },
) {
  const { id, state, targetType, targetId, authorId, authorUsername, reportCount, held, appealCount } = row
  return {
    ...{ id, state, reportCount, held: held === 1, appealCount, createdAt: row.createdAt, closedAt: row.closedAt },
    target: { type: targetType as TargetType, id: targetId, title, url },
    author: { id: authorId, username: authorUsername },
  }
}

/** What is kept of a thing that is gone. */
async function findKept(db: Db, targetId: string) {
  const kept = (await listEvidence(db, targetId)).at(-1)
  return kept && { ...kept, url: '' }
}

/** How many cases a page says that wait, at most. */
const MAX_WAITING = 100

/** A page of cases: open ones oldest first, closed ones newest first. */
export async function pageOfCases(
  db: Db,
  hidings: ReadonlyMap<string, HideableKind>,
  { page: number, per_page, cursor, off, ...filters }: CaseFilters & { off: PartsOff } & PageRequest,
) {
  const { state, ...others } = filters
  const wanted = Object.values(others).some((value) => value !== undefined) ? [others] : []
  const list = { list: ['cases', state, ...wanted], by: { createdAt: '', id: '' } }
  const request = { page: number, per_page, cursor }
  const { items: rows, ...page } = await pageOfRows(request, list, (range) => listCases(db, { ...filters, off }, range))
  const items = await Promise.all(
    rows.map(async (row) => {
      const { targetType: type, targetId: id } = row
      const thing = await findTarget(db, hidings, { type, id })
      const [act] = await listActsOn(db, id, 1)
      const kept = thing ? undefined : await findKept(db, id)
      const excerpt = preview((thing ?? kept)?.text ?? '')
      const { viaClientId } = row
      const shown = { ...listed(row, thing ?? kept ?? act), viaClientId }
      return { ...shown, excerpt, gone: thing === undefined, lastAct: lastActOf(act) }
    }),
  )
  return { items, ...page, waiting: await queries.countOpen(db, { limit: MAX_WAITING, off }) }
}

/** A case with everything that a decision needs. */
export async function whole(db: Db, hidings: ReadonlyMap<string, HideableKind>, row: queries.CaseRow) {
  const { id, targetType: type, targetId, authorId } = row
  const [thing, account] = [
    await findTarget(db, hidings, { type, id: targetId }),
    await queries.findAccount(db, authorId),
  ]
  const acts = await listActsOn(db, targetId, MAX_ROWS)
  const last = acts[0]
  const evidence = await listEvidence(db, targetId)
  const kept = evidence.at(-1)
  const shown = listed(
    { ...row, authorUsername: account?.username ?? null },
    thing ?? (kept ? { ...kept, url: '' } : last),
  )
  const state = thing && stateOf(thing)
  const isOfBoards = boardsWithinReach() !== undefined
  return {
    ...shown,
    target: {
      ...shown.target,
      text: beginningOf((thing ?? kept)?.text ?? '', MAX_TEXT),
      gone: thing === undefined,
      ...(state && { state }),
    },
    author: {
      ...shown.author,
      createdAt: account?.createdAt ?? row.createdAt,
      verified: account !== undefined && account.emailVerifiedAt !== null,
      blockedAt: account?.blockedAt ?? null,
      things: await countThings(db, authorId),
      // What was done to the account elsewhere is for moderators of the instance.
      acts: isOfBoards ? [] : await countActsOn(db, authorId),
      removal: isOfBoards ? null : ((await queries.findRemoval(db, authorId)) ?? null),
    },
    machine: machineIn(row),
    evidence: evidence.map(({ title, text, createdAt }) => ({ title, text: beginningOf(text, MAX_TEXT), createdAt })),
    reports: await queries.listReports(db, id, { limit: MAX_ROWS }),
    acts: acts.map(({ appealGranted, ...act }) => ({
      ...{ id: act.id, action: act.action, rule: act.rule, reason: act.reason, actorUsername: act.actorUsername },
      ...{ createdAt: act.createdAt, undoneAt: act.undoneAt, appeal: act.appeal, appealReason: act.appealReason },
      appealGranted: appealGranted === null ? null : appealGranted === 1,
    })),
  }
}

/** What the classifier said, where that held the thing. */
const machineIn = ({ machineVerdict: verdict, machineReason: reason, machinePercent: percent }: queries.CaseRow) =>
  verdict ? { verdict, reason, confidence: percent === null ? null : percent / 100 } : null

/** What a list of cases says of the last act on a thing. */
const lastActOf = (act: Awaited<ReturnType<typeof listActsOn>>[number] | undefined) =>
  act ? { action: act.action, actorUsername: act.actorUsername, createdAt: act.createdAt } : null

/** An act as the account sees it that it concerns. */
export function noticeOf(act: ModerationActTable) {
  const { id, action, rule, reason, createdAt, undoneAt, appeal, appealReason, appealGranted } = act
  const { targetType, targetId, title, url } = act
  return {
    ...{ id, action, rule, reason, createdAt, undoneAt, appeal, appealReason },
    target: { type: targetType as TargetType, id: targetId, title, url },
    appealGranted: appealGranted === null ? null : appealGranted === 1,
  }
}
