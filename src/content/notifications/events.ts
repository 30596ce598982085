// What happened to a thing, told in the transaction that did it, and who follows it from then on. delivery.ts finds later who is notified.
import type { ModerationAction, ModerationRule } from '../../contract/kinds.ts'
import type { Db, EventTable, Transaction } from '../../database/schema.ts'
import { newId } from '../../runtime/ids.ts'
import { OF_BLOCK } from '../hiding/rules.ts'
import { preview } from '../preview.ts'
import { insertEvent, insertEventOn } from './event-queries.ts'
import { listPositionsOf, updateRead } from './marking-queries.ts'
import { findFollow, findInbox, insertFollow, insertInstalled, lockInbox, type Reason } from './queries.ts'
import { mentionsIn, settingsOf } from './rules.ts'

export interface Act {
  by: string
  now: string
  /** The type and the id of the thing. */
  on: { type: string; id: string }
}

type Row = Omit<EventTable, 'number' | 'title' | 'url' | 'sequence'>

/** An event without what only its kind has. */
export const rowOf = (kind: EventTable['kind'], { by, now, on }: Act): Row => ({
  ...{ id: newId(), kind, targetType: on.type, targetId: on.id, actorId: by, createdAt: now },
  ...{ commentId: null, excerpt: '', detail: null, mentioned: '[]', repliedTo: null },
  ...{ place: '', recipients: 0, doneAt: null, hidden: 0 },
})

/** A new thing that everybody can see, for webhooks and for those whom its text mentions. */
export async function recordCreated(db: Transaction, act: Act, text: string): Promise<void> {
  const mentioned = JSON.stringify(mentionsIn(text))
  await insertEventOn(db, { ...rowOf('created', act), excerpt: preview(text), mentioned })
}

interface EditDetail {
  text: string
  before: string
  /** The comment whose text it is, if it is one; `thing` as in `CommentDetail`. */
  comment?: { id: string; thing?: { title: string } | undefined }
}

/** A changed text, for webhooks and for those whom it mentions and `before` did not. */
export async function recordEdited(db: Transaction, act: Act, { text, before, comment }: EditDetail): Promise<void> {
  const mentioned = JSON.stringify(mentionsIn(text, before))
  const row = { ...rowOf('edited', act), excerpt: preview(text), mentioned, commentId: comment?.id ?? null }
  const url = comment ? urlOf(comment.id) : ''
  if (comment?.thing) await insertEvent(db, { ...row, number: null, title: comment.thing.title, url })
  else await insertEventOn(db, row, url)
}

interface CommentDetail {
  commentId: string
  body: string
  /** The author of the comment that it replies to. */
  repliedTo?: string | undefined
  /** What the feed does not know, such as a post of the blog. */
  thing?: { title: string } | undefined
}

/** Where the site shows a comment. */
export const urlOf = (commentId: string) => `/community/comments/${commentId}`

/** A new comment on a thing, for its followers, for the author of what it replies to, and for those it mentions. */
export async function recordComment(
  db: Transaction,
  act: Act,
  { commentId, body, repliedTo = '', thing }: CommentDetail,
): Promise<void> {
  const mentioned = JSON.stringify(mentionsIn(body))
  const said = { commentId, excerpt: preview(body), mentioned, repliedTo: repliedTo || null }
  const row = { ...rowOf('comment', act), ...said }
  if (thing) await insertEvent(db, { ...row, number: null, title: thing.title, url: urlOf(commentId) })
  else await insertEventOn(db, row, urlOf(commentId))
}

interface StatusChange {
  from: string
  to: string
  reason: string | null
}

/** A new status; none when it is the same. */
export async function recordStatus(db: Transaction, act: Act, { from, to, reason }: StatusChange): Promise<void> {
  if (from === to) return
  const detail = JSON.stringify({ status: { from, to } })
  await insertEventOn(db, { ...rowOf('status', act), excerpt: preview(reason ?? ''), detail })
}

/** Another thing was merged into one: its followers, who now are those of both, get its number and title. */
export async function recordMerged(
  db: Transaction,
  act: Act,
  { reason, ...merged }: { number: number; title: string; reason: string | null },
): Promise<void> {
  await insertEventOn(db, {
    ...rowOf('merged', act),
    excerpt: preview(reason ?? ''),
    detail: JSON.stringify({ merged }),
  })
}

/** The merge of a thing was undone: its followers, who are back, get the number and title of what it was merged into. */
export async function recordUnmerged(
  db: Transaction,
  act: Act,
  { reason, ...unmerged }: { number: number; title: string; reason: string | null },
): Promise<void> {
  await insertEventOn(db, {
    ...rowOf('unmerged', act),
    excerpt: preview(reason ?? ''),
    detail: JSON.stringify({ unmerged }),
  })
}

/** A thing is released: for its followers, and for those who voted for it. Without `release` where they may not read that. */
export async function recordReleased(
  db: Transaction,
  act: Act,
  detail: { status: { from: string; to: string }; release?: { id: string; url: string } },
): Promise<void> {
  await insertEventOn(db, { ...rowOf('released', act), detail: JSON.stringify(detail) })
}

/** A new version of an item, with what is new in it. `hidden` is a private one, which goes to webhooks of its owner alone. */
export async function recordVersion(
  db: Transaction,
  act: Act,
  {
    version,
    hidden,
    news = '',
  }: { version: string; hidden?: { title: string; url: string } | undefined; news?: string | undefined },
): Promise<void> {
  const row = { ...rowOf('version', act), excerpt: preview(news), detail: JSON.stringify({ version }) }
  if (hidden) await insertEvent(db, { ...row, ...hidden, number: null, hidden: 1 })
  else await insertEventOn(db, row)
}

interface Life {
  kind: 'yanked' | 'unyanked' | 'deprecated' | 'undeprecated'
  /** Of a yank; `successor` of a deprecation. */
  version?: string
  successor?: string | null
  reason: string
  hidden?: { title: string; url: string } | undefined
}

/** A version is yanked or an item deprecated, for those who follow or downloaded it; and that this is taken back, for webhooks. */
export async function recordLife(db: Transaction, act: Act, { kind, reason, hidden, ...detail }: Life): Promise<void> {
  const row = { ...rowOf(kind, act), excerpt: preview(reason), detail: JSON.stringify({ ...detail, change: kind }) }
  if (hidden) await insertEvent(db, { ...row, ...hidden, number: null, hidden: 1 })
  else await insertEventOn(db, row)
}

export interface Notice {
  /** Of the act. */
  id: string
  action: ModerationAction
  rule: ModerationRule
}

/** A decision of moderators, for the account that it concerns: who decided is not told. */
export async function recordNotice(
  db: Transaction,
  { to, now, on, notice, reason }: Omit<Act, 'by'> & { to: string; notice: Notice; reason: string },
  title: string,
): Promise<void> {
  const row = { ...rowOf('notice', { by: '', now, on }), actorId: null, repliedTo: to, excerpt: preview(reason) }
  const detail = JSON.stringify({ notice })
  await insertEvent(db, { ...row, detail, number: null, title, url: `/moderation/notices/${notice.id}` })
}

/** The outcome of a report: what was reported, and what was done. */
export interface JudgedDetail {
  type: string
  action: ModerationAction
}

/** A case was decided, for those who reported: it names neither the thing nor who decided. */
export async function recordJudged(
  db: Transaction,
  { now, actId, report }: { now: string; actId: string; report: JudgedDetail },
): Promise<void> {
  const row = { ...rowOf('judged', { by: '', now, on: { type: 'report', id: actId } }), actorId: null }
  const told = { number: null, title: '', url: '/moderation/reports' }
  await insertEvent(db, { ...row, ...told, detail: JSON.stringify({ report }) })
}

export interface InvitationDetail {
  /** Of the invitation. */
  id: string
  role: 'owner' | 'maintainer' | 'member' | 'transfer'
  /** It waits for the account, another account accepted it, or what the account was by one has ended. */
  state: 'open' | 'accepted' | 'removed'
}

/** An invitation, for the account that it is for; or its end, for the account that it concerns. */
export async function recordInvited(
  db: Transaction,
  { by, to, now, invited }: { by: string; to: string; now: string; invited: InvitationDetail },
  { title, url }: { title: string; url: string },
): Promise<void> {
  const row = { ...rowOf('invited', { by, now, on: { type: 'invitation', id: invited.id } }), repliedTo: to }
  await insertEvent(db, { ...row, detail: JSON.stringify({ invitation: invited }), number: null, title, url })
}

type ApprovalRequest = Record<'id' | 'to' | 'now' | 'title' | 'agent' | 'operation', string> & {
  /** The page of the thing that it is about: it is in the inbox only while the part of that is on (database/parts-on.ts). */
  about: string | undefined
}

/** An agent's write waits for the yes of the account. */
export async function recordAsked(db: Transaction, { id, to, now, title, ...detail }: ApprovalRequest): Promise<void> {
  const row = { ...rowOf('asked', { by: '', now, on: { type: PENDING_ACT, id } }), actorId: null, repliedTo: to }
  const url = `/settings/pending/${id}`
  await insertEvent(db, { ...row, detail: JSON.stringify(detail), number: null, title, url })
}

/** What events call a write that waits. */
const PENDING_ACT = 'pending-act'

/** Marks what an account was told of a write that waits as read: it has decided. */
export async function readNotificationsOf(db: Transaction, userId: string, actId: string): Promise<void> {
  const ids = await listPositionsOf(db, { userId, type: PENDING_ACT, id: actId })
  if (ids.length === 0 || !(await lockInbox(db, userId))) return
  await updateRead(db, userId, { ids, limit: ids.length })
}

const REMOVED = { title: '', url: '', number: null }

/** What is gone; `isSeen` where others could see it until now: then webhooks tell that. `board`: where it was, for webhooks of that. */
type GoneThing = Act['on'] & { isSeen: boolean; board?: string | undefined }

const inBoard = (board: string | undefined): string | null => (board === undefined ? null : JSON.stringify({ board }))

/** A thing is gone: its notifications disappear. */
export async function recordGone(db: Transaction, { isSeen, board, ...on }: GoneThing, now: string): Promise<void> {
  const row = { ...rowOf('gone', { by: '', now, on }), ...REMOVED, actorId: null, detail: inBoard(board) }
  await insertEvent(db, { ...row, hidden: isSeen ? 0 : 1 })
}

/** A thing, or a comment on it, that was hidden shows again: for webhooks, which were told that it is gone. */
export async function recordShown(
  db: Transaction,
  act: Act,
  { text, comment }: { text: string; comment?: { id: string; thing?: { title: string } | undefined } },
): Promise<void> {
  const row = { ...rowOf('shown', act), excerpt: preview(text), commentId: comment?.id ?? null }
  const url = comment ? urlOf(comment.id) : ''
  if (comment?.thing) await insertEvent(db, { ...row, number: null, title: comment.thing.title, url })
  else await insertEventOn(db, row, url)
}

/** A thing or a comment on it is hidden: what was told of it is gone until it shows again. `isBlock`: its author is blocked. */
export async function recordHidden(
  db: Transaction,
  { isSeen, isBlock, board, commentId = null, ...on }: GoneThing & { isBlock: boolean; commentId?: string | null },
  now: string,
): Promise<void> {
  const detail = isBlock ? OF_BLOCK : inBoard(board)
  const row = { ...rowOf('hidden', { by: '', now, on }), ...REMOVED, actorId: null, commentId, detail }
  await insertEvent(db, { ...row, hidden: isSeen ? 0 : 1 })
}

/** A comment is gone, and so is what was told of it. */
export async function recordCommentGone(
  db: Transaction,
  { isSeen, ...on }: GoneThing,
  { commentId, now }: { commentId: string; now: string },
) {
  const row = { ...rowOf('gone', { by: '', now, on }), ...REMOVED, actorId: null, commentId }
  await insertEvent(db, { ...row, hidden: isSeen ? 0 : 1 })
}

/** What a blocked account did is in no inbox any more. */
export async function recordBlocked(db: Transaction, userId: string, now: string): Promise<void> {
  await insertEvent(db, { ...rowOf('blocked', { by: userId, now, on: { type: 'user', id: userId } }), ...REMOVED })
}

/** Follows a thing by itself, unless the account chose otherwise. */
export const followBecause = (db: Db, reason: Reason, { by: userId, now, on }: Act): Promise<void> =>
  insertFollow(db, reason, { targetId: on.id, userId, createdAt: now })

/** The same for what an account voted for: most do not want that, and then nothing is written. */
export async function followVoted(db: Db, act: Act): Promise<void> {
  if (settingsOf(await findInbox(db, act.by)).followVoted) await followBecause(db, 'followVoted', act)
}

/** Notes who downloaded an item, to tell them of its new versions. */
export async function recordDownload(db: Db, { by: userId, now, on }: Act): Promise<void> {
  const key = { targetId: on.id, userId }
  if ((await findFollow(db, key)) === undefined) await insertInstalled(db, { ...key, createdAt: now })
}
