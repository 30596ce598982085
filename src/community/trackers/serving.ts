// Deliveries of webhooks: signed with the secret of the link, and taken once. One says where to look, and who did it; nothing else of it is believed.

import { countTry } from '../../budgets/budgets.ts'
import { askToLook } from '../../content/tracked/queries.ts'
import { Problem } from '../../contract/problem.ts'
import type { TrackerTable } from '../../database/schema.ts'
import { insertUsedProof } from '../../identity/code-queries.ts'
import type { EndpointRequest, EndpointResponse } from '../../request/endpoint.ts'
import type { Dependencies } from '../../request/handler.ts'
import { after } from '../../runtime/clock.ts'
import { sha256 } from '../../runtime/hash.ts'
import { unseal } from '../../runtime/seal.ts'
import type { ServiceName } from './contract.ts'
import { findTracker } from './queries.ts'
import type { Delivery } from './service.ts'
import { kindOf } from './services.ts'
import { SEALING } from './syncing.ts'

/** A delivery is known for so long; GitHub lets one be sent again for three days. */
const KNOWN_SECONDS = 7 * 86_400
/** Of a link. */
const OF_LINK = { tries: 6_000, windowSeconds: 3_600 }
/** Of what is not signed: a network. */
const UNSIGNED = { tries: 300, windowSeconds: 3_600 }

const taken: EndpointResponse = {
  status: 202,
  headers: { 'Content-Type': 'application/json; charset=utf-8' },
  body: '{}',
}

const nothingHere = () => new Problem('not_found', 'There is nothing here')

/** Takes a delivery for a link. It is quick: what follows is done by a job. */
export async function serveDelivery(
  dependencies: Dependencies,
  { service, id }: { service: ServiceName; id: string },
  received: EndpointRequest,
): Promise<EndpointResponse> {
  const { db, config } = dependencies
  const { now, address, body } = received
  const stored = await findTracker(db, id)
  const tracker = stored?.source === service ? stored : undefined
  if (!tracker || !(await isSigned(dependencies, tracker, received))) {
    if (config.rateLimits) await countTry(db, { key: `tracker network ${address}`, limit: UNSIGNED, now })
    throw tracker
      ? new Problem('unauthorized', 'This delivery is not signed with the secret of the link')
      : nothingHere()
  }
  if (config.rateLimits) await countTry(db, { key: `tracker ${id}`, limit: OF_LINK, now })
  const delivery = readDelivery(tracker, received)
  if (delivery.nameKey !== tracker.nameKey) return taken
  const name = sha256(`tracker ${id} ${delivery.id} ${sha256(body)}`)
  const { number, told } = delivery
  await db.transaction().execute(async (transaction) => {
    if (!(await insertUsedProof(transaction, { hash: name, expiresAt: after(now, KNOWN_SECONDS) }))) return
    if (number === undefined) return
    const key = `issue:${number}`
    await askToLook(transaction, { trackerId: id, key, now, ...(told && { told: JSON.stringify(told) }) })
  })
  return taken
}

async function isSigned(
  { secretFor }: Dependencies,
  tracker: TrackerTable,
  received: EndpointRequest,
): Promise<boolean> {
  const secret = unseal(await secretFor(SEALING), tracker.secret)
  return kindOf(tracker).deliveries.isSigned(secret, received)
}

function readDelivery(tracker: TrackerTable, received: EndpointRequest): Delivery {
  try {
    return kindOf(tracker).deliveries.read(received)
  } catch {
    throw new Problem('invalid_request', 'This is no delivery of a webhook of this service')
  }
}
