// Holding: what new accounts write with links waits for a moderator, if the operator wants that (HOLD_LINKS_HOURS). A held thing is
// hidden from all but its author and moderators, and is a case in their queue.
import { Problem } from '../../contract/problem.ts'
import type { Transaction } from '../../database/schema.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { countOf } from '../counters.ts'
import { openCase } from '../reports/cases.ts'
import { changeHidden, type HideableKind } from './hiding.ts'

/** An account with this many things in the feed is no longer new. */
export const KNOWN_AFTER = 3

/** What Markdown makes a link to another site of: `scheme://`, `//host` and `mailto:`. */
const LINK = /\/\/\S|\bmailto:/i

type WriteContext = Pick<Context<Caller>, 'caller' | 'config' | 'now'>

const linksAway = (text: string, baseUrl: string) => LINK.test(text.replaceAll(`${baseUrl}/`, '/'))

/** Whether these texts wait for a moderator: the account is new and they contain a link. Texts that are rarely needed come from a function. */
export async function isHeld(
  { caller, config, now }: WriteContext,
  db: Transaction,
  texts: readonly string[] | (() => readonly string[]),
): Promise<boolean> {
  const { holdLinksHours, baseUrl } = config
  if (holdLinksHours === 0 || caller.role !== 'member') return false
  const isYoung = Date.parse(now) - Date.parse(caller.createdAt) < holdLinksHours * 3_600_000
  if (caller.verified && !isYoung) return false
  const written = typeof texts === 'function' ? texts() : texts
  if (!written.some((text) => linksAway(text, baseUrl))) return false
  return (await countOf(db, { kind: 'feed', group: `by/${caller.id}`, facets: [undefined] })) < KNOWN_AFTER
}

/** Hides a new thing until a moderator approves it. */
export async function hold(
  db: Transaction,
  hiding: HideableKind,
  held: { type: string; id: string; authorId: string; now: string },
): Promise<void> {
  await changeHidden(db, hiding, { id: held.id, by: 'hold', isOn: true, now: held.now })
  await openCase(db, held, { held: 1 })
}

interface EditTexts {
  before: readonly string[]
  after: readonly string[]
}

/** Throws `forbidden` where an edit adds the first link to a text that shows, and the text would have been held with it. */
export async function assertMayLink(
  context: WriteContext,
  db: Transaction,
  { before, after }: EditTexts,
): Promise<void> {
  const { baseUrl } = context.config
  if (before.some((text) => linksAway(text, baseUrl)) || !(await isHeld(context, db, after))) return
  throw new Problem(
    'forbidden',
    'A new account cannot add a link to a text; write a new one, which a moderator approves',
  )
}
