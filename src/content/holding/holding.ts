// Holding: what new accounts write with links waits for a moderator, if the operator wants that (HOLD_LINKS_HOURS); and what the level of
// trust of its author does not allow at once (TRUST). A held thing is hidden from all but its author and moderators, and is a case in their queue.

import type { HeldVerdict } from '../../contract/kinds.ts'
import { Problem } from '../../contract/problem.ts'
import { rightsOf } from '../../contract/trust.ts'
import type { Transaction } from '../../database/schema.ts'
import { proofIn } from '../../identity/proof-of-work.ts'
import type { Caller, Context } from '../../request/handler.ts'
import { countOf } from '../counter-queries.ts'
import { changeHidden } from '../hiding/hiding.ts'
import { lockOpenCase } from '../reports/case-queries.ts'
import { openCase } from '../reports/cases.ts'
import type { HideableKind } from '../things.ts'

/** An account with this many things in the feed is no longer new. */
export const KNOWN_AFTER = 3

/** What Markdown makes a link to another site of: `scheme://`, `//host`, and schemes without slashes, which browsers add. Browsers take a backslash for a slash. */
const LINK = /(?:\b(?:https?|ftp|mailto):|[\\/]{2})[\\/]*\S/i
/** A character that Markdown reads as another one: an entity or a number of it, or one behind a backslash. */
const WRITTEN =
  /&(?:#x0*(?<hex>[\da-f]{1,6})|#0*(?<decimal>\d{1,7})|(?<name>sol|colon|bsol));?|\\(?<escaped>[!-/:-@[-`{-~])/gi
const NAMED: Readonly<Record<string, string>> = { sol: '/', colon: ':', bsol: '\\' }

/** A text with the characters that Markdown reads. */
const asRead = (text: string): string =>
  text.replace(WRITTEN, (whole, ...found) => {
    const { hex, decimal, name, escaped } = found.at(-1) as Record<string, string | undefined>
    const point = hex ? Number.parseInt(hex, 16) : Number(decimal)
    if (hex || decimal) return point > 0 && point < 128 ? String.fromCodePoint(point) : whole
    return escaped ?? NAMED[String(name).toLowerCase()] ?? whole
  })

type WriteContext = Pick<Context<Caller>, 'caller' | 'config' | 'now'>

const EVERY_LINK = new RegExp(LINK, 'gi')

const withoutOwn = (text: string, baseUrl: string) => asRead(text).replaceAll(`${baseUrl}/`, '/')
const linksAway = (text: string, baseUrl: string) => LINK.test(withoutOwn(text, baseUrl))

type Texts = readonly string[] | (() => readonly string[])
const textsIn = (texts: Texts) => (typeof texts === 'function' ? texts() : texts)

const countLinks = (texts: readonly string[], baseUrl: string): number =>
  texts.reduce((sum, text) => sum + (withoutOwn(text, baseUrl).match(EVERY_LINK)?.length ?? 0), 0)

/** Whether these texts wait for a moderator, by the age of the account or by its level of trust. Texts that are rarely needed come from a function. */
export async function isHeld(context: WriteContext, db: Transaction, texts: Texts): Promise<boolean> {
  return context.caller.held || (await isHeldForTrust(context, db, texts)) || isHeldForAge(context, db, texts)
}

/** Whether they are among the first of an account, or have more links than its level allows. */
async function isHeldForTrust({ caller, config }: WriteContext, db: Transaction, texts: Texts): Promise<boolean> {
  const rights = caller.role === 'member' ? rightsOf(config.trust, caller.trust) : undefined
  if (!rights) return false
  if (rights.held && (await isNew(db, caller))) return true
  return Number.isFinite(rights.links) && countLinks(textsIn(texts), config.baseUrl) > rights.links
}

/** Whether the account is new and they contain a link. */
async function isHeldForAge({ caller, config, now }: WriteContext, db: Transaction, texts: Texts): Promise<boolean> {
  const { holdLinksHours, baseUrl } = config
  if (holdLinksHours === 0 || caller.role !== 'member') return false
  const isYoung = Date.parse(now) - Date.parse(caller.createdAt) < holdLinksHours * 3_600_000
  if (caller.verified && !isYoung) return false
  if (!textsIn(texts).some((text) => linksAway(text, baseUrl))) return false
  return isNew(db, caller)
}

/** Whether an account has few things in the feed. */
const isNew = async (db: Transaction, { id }: Pick<Caller, 'id'>): Promise<boolean> =>
  (await countOf(db, { kind: 'feed', group: `by/${id}`, facets: [undefined] })) < KNOWN_AFTER

/**
 * Uses up the proof of work for one of the first things of a member, and for all of guests, where the operator wants one (PROOF_OF_WORK); throws
 * `forbidden` without it. What its account has agreed to was looked at when it was sent.
 */
export async function useProofOfFirst(context: Context<Caller>, db: Transaction): Promise<void> {
  const { caller, config, isAgreedTo } = context
  const { proofOfWork } = config
  const isAsked = proofOfWork === 'new' || (proofOfWork === 'unverified' && !caller.verified)
  if (proofOfWork === 'off' || !(isAsked || caller.held) || caller.role !== 'member' || isAgreedTo) return
  if (!caller.held && !(await isNew(db, caller))) return
  const proof = await proofIn(context)
  await proof.use(db)
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

interface ShownHeld {
  type: string
  id: string
  authorId: string
  now: string
  machineVerdict: HeldVerdict
  machineReason: string | null
  machinePercent: number | null
}

/** Hides a thing that shows until a moderator approves it, because a machine said so. What is gone or hidden by now stays as it is. */
export async function holdAgain(
  db: Transaction,
  hiding: HideableKind,
  { machineVerdict, machineReason, machinePercent, ...held }: ShownHeld,
): Promise<void> {
  // As decisions do: the case first, then the thing.
  await lockOpenCase(db, held.id)
  if ((await hiding.lock(db, held.id))?.hidden !== 0) return
  await changeHidden(db, hiding, { id: held.id, by: 'hold', isOn: true, now: held.now })
  await openCase(db, held, { held: 1, machineVerdict, machineReason, machinePercent })
}

interface EditTexts {
  before: readonly string[]
  after: readonly string[]
}

/** Throws `forbidden` where an edit adds a link to a text that shows, and the text would have been held with it. */
export async function assertMayLink(
  context: WriteContext,
  db: Transaction,
  { before, after }: EditTexts,
): Promise<void> {
  const { caller, config } = context
  const { baseUrl } = config
  const rights = caller.role === 'member' ? rightsOf(config.trust, caller.trust) : undefined
  const [had, has] = [countLinks(before, baseUrl), countLinks(after, baseUrl)]
  if (rights && has > had && has > rights.links) {
    throw new Problem('forbidden', `Links in a text at this level of trust: at most ${rights.links}`)
  }
  if (before.some((text) => linksAway(text, baseUrl)) || !(await isHeldForAge(context, db, after))) return
  throw new Problem(
    'forbidden',
    'A new account cannot add a link to a text; write a new one, which a moderator approves',
  )
}
