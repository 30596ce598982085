// Two ways with other trackers (behaviour.md, section 5): the addresses at which their deliveries arrive.
import { record } from '../../audit/audit.ts'
import { hasten } from '../../content/tracked/queries.ts'
import { statusOf } from '../../contract/problem.ts'
import type { Db, Transaction } from '../../database/schema.ts'
import type { Endpoint } from '../../request/endpoint.ts'
import type { Dependencies } from '../../request/handler.ts'
import { after } from '../../runtime/clock.ts'
import { deliveryPath, MAX_DELIVERY_BYTES, type ServiceName, serviceNames, trackerActions } from './contract.ts'
import { listTrackers, lockTracker, updateTracker } from './queries.ts'
import { POLL_SECONDS } from './rules.ts'

// What those who run the server do with links at the command line.

export { listTrackers as listLinks } from './queries.ts'

export const linkActs = ['pause', 'resume', 'sync'] as const
type LinkAct = (typeof linkActs)[number]

/** Does something with the link of this id, or of this name where one has it. Gives why it cannot be done. */
export async function actOnLink(
  db: Db,
  { act, name, now }: { act: LinkAct; name: string; now: string },
): Promise<{ id: string; name: string } | { refused: string }> {
  const found = (await listTrackers(db)).filter(({ id, nameKey }) => id === name || nameKey === name.toLowerCase())
  const [link] = found
  if (!link) return { refused: `No link is called ${name}.` }
  if (found.length > 1) return { refused: `Several links are called ${name}; name one by its id.` }
  return db.transaction().execute(async (transaction) => {
    const row = await lockTracker(transaction, link.id)
    if (!row) return { refused: `No link is called ${name}.` }
    if (act === 'sync' && row.state !== 'on') return { refused: `${row.name} is paused; resume it first.` }
    if (act === 'sync') await syncNow(transaction, row, now)
    else await setState(transaction, row, { state: act === 'pause' ? 'paused' : 'on', now })
    return { id: row.id, name: row.name }
  })
}

type Row = NonNullable<Awaited<ReturnType<typeof lockTracker>>>

async function setState(
  db: Transaction,
  { id, name }: Row,
  { state, now }: { state: Row['state']; now: string },
): Promise<void> {
  await updateTracker(db, id, { state, restUntil: '' })
  await record(db, now, { action: trackerActions.update, actorId: null, targetId: id, detail: { name, state } })
}

/** Has the other side asked at once, and what failed tried again. */
async function syncNow(db: Transaction, { id, polledAt }: Row, now: string): Promise<void> {
  const due = after(now, -POLL_SECONDS)
  await updateTracker(db, id, { restUntil: '', polledAt: polledAt < due ? polledAt : due })
  await hasten(db, { trackerId: id, now })
}

const endpointOf = (dependencies: Dependencies, service: ServiceName): Endpoint => ({
  path: deliveryPath(service, ':id'),
  otherSites: 'keep out',
  bodyLimit: MAX_DELIVERY_BYTES,
  methods: {
    POST: async (received) => {
      const id = received.url.pathname.split('/').at(-1) ?? ''
      return (await import('./serving.ts')).serveDelivery(dependencies, { service, id }, received)
    },
  },
  refuse: (problem) => ({
    status: statusOf[problem.code],
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    body: JSON.stringify({ code: problem.code, message: problem.message }),
  }),
})

export const trackerEndpoints = (dependencies: Dependencies): readonly Endpoint[] =>
  serviceNames.map((service) => endpointOf(dependencies, service))
