// Asks domains for the keys that they name. A question that finds no answer is no failure of a job: it is asked again some hours later, and
// given up quietly, so an instance without the internet has nothing to look after.
import { reachOf, sendGuarded } from '../../outgoing/guarded-request.ts'
import type { Dependencies } from '../../request/handler.ts'
import { after, timestamp } from '../../runtime/clock.ts'
import * as queries from './queries.ts'
import {
  AGAIN_SECONDS,
  ANSWER_BYTES,
  addressOf,
  KEPT_SECONDS,
  prefixOf,
  REST_SECONDS,
  RETRY_SECONDS,
  saidBy,
  TIMEOUT_MILLISECONDS,
} from './rules.ts'

type Asking = Pick<Dependencies, 'db' | 'clock' | 'config' | 'reach'>

/** Asks a domain, once. No transaction waits for the answer. */
export async function askDomain(asking: Asking, domain: string): Promise<void> {
  const { db, clock } = asking
  const now = timestamp(clock.now())
  const found = await queries.findDomain(db, domain)
  if (!found || found.dueAt > now || (found.askedAt !== null && found.askedAt > after(now, -REST_SECONDS))) return
  if (!(await queries.claimDomain(db, found, now))) return
  const question = { domain, askedAt: now, changes: found.changes }
  if (!(await queries.isSignedFor(db, prefixOf(domain)))) return queries.deleteDomain(db, question)
  const keys = await keysOf(asking, domain)
  const namedAt = keys?.length ? now : found.namedAt
  const old = after(now, -KEPT_SECONDS)
  if (found.signedAt <= old && (namedAt === null || namedAt <= old)) return queries.deleteDomain(db, question)
  const said = keys && { publicKeys: JSON.stringify(keys), namedAt }
  await queries.settleDomain(db, question, { ...said, dueAt: after(now, keys ? AGAIN_SECONDS : RETRY_SECONDS) })
}

/** The keys that a domain names; undefined where it does not answer. */
async function keysOf({ config, reach }: Asking, domain: string): Promise<string[] | undefined> {
  const url = new URL(addressOf(domain))
  const request = {
    method: 'GET',
    headers: { Accept: 'text/plain' },
    timeoutMilliseconds: TIMEOUT_MILLISECONDS,
    maxBytes: ANSWER_BYTES,
  } as const
  try {
    // A member chooses the domain: by https alone, also where an operator names the machine.
    return saidBy(
      await sendGuarded(url, request, { ...reachOf(url, config.privateServices, reach), allowsHttp: false }),
    )
  } catch {
    return undefined
  }
}
