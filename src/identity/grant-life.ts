// The life of a grant, for its account to look at: when it got tokens and from where, which scopes it uses, and mails about what is strange.
import { networkOf } from '../budgets/budgets.ts'
import type { Scope } from '../contract/operation.ts'
import type { Db } from '../database/schema.ts'
import type { EndpointRequest } from '../request/endpoint.ts'
import type { Dependencies } from '../request/handler.ts'
import { after } from '../runtime/clock.ts'
import { newId } from '../runtime/ids.ts'
import { outageOf } from '../runtime/outage.ts'
import { getUser } from './account-queries.ts'
import { deviceOf, systemOf } from './device.ts'
import * as queries from './grant-life-queries.ts'
import { newNetworkMail, reuseMail } from './mails.ts'

export { listEvents, listReuse, listScopeUses } from './grant-life-queries.ts'

type EventOrigin = Pick<EndpointRequest, 'now' | 'address'> & { userAgent: string | null }
type EventSubject = Pick<queries.GrantEvent, 'grantId' | 'userId' | 'clientId' | 'kind'>

const placeOf = ({ address, userAgent }: EventOrigin) => ({
  network: networkOf(address),
  device: deviceOf(userAgent) ?? systemOf(userAgent) ?? null,
})

/** Notes what happened to a grant. */
export const recordEvent = (db: Db, received: EventOrigin, of: EventSubject): Promise<void> =>
  queries.insertEvent(db, { id: newId(), ...of, ...placeOf(received), createdAt: received.now })

/** A grant that was quiet for so long is looked at when it comes back. */
const QUIET_SECONDS = 7 * 86_400

type MailDependencies = Pick<Dependencies, 'outbox' | 'config'>

/** Whether a grant got its last token so long ago. */
export const wasQuiet = (lastAt: string, now: string): boolean => lastAt < after(now, -QUIET_SECONDS)

interface UnusualEvent extends EventSubject {
  clientName: string | null
}

/** Mails the account when a grant that was quiet comes back from a network it never came from: at most once for that network. */
export async function warnOfNetwork(
  { outbox, config }: MailDependencies,
  db: Db,
  { received, of }: { received: EventOrigin; of: UnusualEvent },
): Promise<void> {
  const { network, device } = placeOf(received)
  if (await queries.isKnownNetwork(db, { grantId: of.grantId, network })) return
  const user = await getUser(db, of.userId)
  const told = { name: of.clientName ?? of.clientId, network, device, now: received.now }
  await outbox.enqueue(db, { recipient: user.email, ...newNetworkMail(config.baseUrl, told) })
}

/** Mails the account that a copy of a token was stopped; the grant has ended with it, so that is one mail a grant. */
export async function warnOfReuse(
  { outbox, config }: MailDependencies,
  db: Db,
  { received, of }: { received: EventOrigin; of: UnusualEvent },
): Promise<void> {
  const user = await getUser(db, of.userId)
  const told = { name: of.clientName ?? of.clientId, ...placeOf(received), now: received.now }
  await outbox.enqueue(db, { recipient: user.email, ...reuseMail(config.baseUrl, told) })
}

const MAX_KNOWN = 20_000
/** A scope that was not used for so long can be taken away. */
export const UNUSED_SECONDS = 30 * 86_400

/** Notes the scopes that grants use: once a day each, and no request waits for it. */
export class ScopeUse {
  /** What was noted today, by this process. */
  #noted = new Set<string>()
  #day = ''

  note(
    { db, log }: Pick<Dependencies, 'db' | 'log'>,
    { grantId, scope }: { grantId: string; scope: Scope },
    now: string,
  ) {
    const day = now.slice(0, 10)
    if (day !== this.#day || this.#noted.size >= MAX_KNOWN) {
      this.#noted = new Set()
      this.#day = day
    }
    const key = `${grantId} ${scope}`
    if (this.#noted.has(key)) return
    this.#noted.add(key)
    const use = { grantId, scope, usedAt: now, before: `${day}T00:00:00.000Z` }
    queries.upsertScopeUse(db, use).catch((error: unknown) => {
      this.#noted.delete(key)
      // A read does not wait for a disk that refuses writes.
      if (!outageOf(error)) log.error({ err: error }, 'the use of a scope was not noted')
    })
  }
}
