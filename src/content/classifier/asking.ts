// Shows a text that waits to the classifier, and holds the thing where it says so. No transaction waits for an answer. A thing that is hidden, gone or
// in a closed board by then is not sent.

import type { HeldVerdict } from '../../contract/kinds.ts'
import { beginningOf } from '../../contract/storable.ts'
import type { Db } from '../../database/schema.ts'
import { getUser } from '../../identity/account-queries.ts'
import { reachOf, sendGuarded } from '../../outgoing/guarded-request.ts'
import type { Dependencies } from '../../request/handler.ts'
import { timestamp } from '../../runtime/clock.ts'
import { holdAgain } from '../holding/holding.ts'
import type { HideableKind, Thing } from '../things.ts'
import { viaOf } from '../via.ts'
import { signedHeaders } from '../webhooks/signing.ts'
import * as queries from './queries.ts'
import { ANSWER_BYTES, TEXT_LENGTH, TIMEOUT_MILLISECONDS, type Verdict, verdictIn } from './rules.ts'

export type Hidings = ReadonlyMap<string, HideableKind>
type Asking = Pick<Dependencies, 'db' | 'clock' | 'config' | 'reach'>
type Check = NonNullable<Awaited<ReturnType<typeof queries.findCheck>>>

/** Asks about a thing that waits, once. Rejects where there is no answer: then it is asked again. */
export async function ask(asking: Asking, hidings: Hidings, id: string): Promise<void> {
  const { db, clock, config } = asking
  const check = await queries.findCheck(db, id)
  const hiding = check && hidings.get(check.type)
  const thing = hiding && (await findShown(db, hiding, id))
  const payload = check && thing && config.classifier && (await payloadOf(asking, check, thing))
  const verdict = payload === undefined ? undefined : await verdictOn(asking, id, payload)
  await db.transaction().execute(async (transaction) => {
    if (check) await queries.deleteCheck(transaction, check)
    if (!verdict || !hiding || !thing || verdict.verdict === 'ok') return
    const held = { type: hiding.type, id, authorId: thing.authorId, now: timestamp(clock.now()) }
    await holdAgain(transaction, hiding, { ...held, ...machineOf(verdict, verdict.verdict) })
  })
}

/** A thing that everybody sees, with all that people read of it. */
async function findShown(db: Db, hiding: HideableKind, id: string): Promise<Thing | undefined> {
  const thing = await hiding.find(db, id)
  if (thing?.hidden !== 0 || (await hiding.isPlaceSeen?.(db, id)) === false) return undefined
  const more = await hiding.findMore?.(db, id)
  return more ? { ...thing, text: [thing.text, more].filter(Boolean).join('\n\n') } : thing
}

/** What is sent; undefined where the author is gone or blocked. */
async function payloadOf(
  { db, config }: Pick<Asking, 'db' | 'config'>,
  { type, viaClientId }: Check,
  { id, authorId, title, text, url }: Thing,
): Promise<string | undefined> {
  const author = await getUser(db, authorId).catch(() => undefined)
  if (!author || author.blockedAt !== null) return undefined
  const { createdAt, emailVerifiedAt, trust } = author
  const via = (await viaOf({ db, config }, [{ viaClientId }]))({ viaClientId })
  const known = { id: authorId, createdAt, verified: emailVerifiedAt !== null, trust: config.trust ? trust : null }
  return JSON.stringify({
    id,
    type,
    title,
    text: beginningOf(text, TEXT_LENGTH),
    author: known,
    via,
    url: `${config.baseUrl}${url}`,
  })
}

async function verdictOn({ clock, config, reach }: Asking, id: string, payload: string): Promise<Verdict | undefined> {
  const { classifier, privateServices } = config
  if (!classifier) return undefined
  const signed = signedHeaders({ id, timestamp: Math.floor(clock.now() / 1000), payload }, [classifier.secret])
  const url = new URL(classifier.url)
  const request = {
    method: 'POST',
    headers: { ...signed, 'Content-Type': 'application/json', Accept: 'application/json' },
    body: payload,
    timeoutMilliseconds: TIMEOUT_MILLISECONDS,
    maxBytes: ANSWER_BYTES,
  } as const
  const { status, body, isCut } = await sendGuarded(url, request, reachOf(url, privateServices, reach))
  if (status < 200 || status > 299) throw new Error(`The classifier answered with status ${status}`)
  const verdict = isCut ? undefined : verdictIn(body.toString('utf8'))
  if (!verdict) throw new Error('The answer of the classifier is no verdict')
  return verdict
}

const machineOf = ({ reason, confidence }: Verdict, machineVerdict: HeldVerdict) => ({
  machineVerdict,
  machineReason: reason || null,
  machinePercent: confidence == null ? null : Math.round(confidence * 100),
})
