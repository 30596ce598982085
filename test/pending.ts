// Writes of agents that wait for a yes, put where they are kept: for tests of what is done with them.
import { sealKept } from '../src/content/pending/sealing.ts'
import { newId } from '../src/runtime/ids.ts'
import type { Person, World } from './world.ts'

const PREVIEW = { status: 201, body: '{}', headers: [['Dry-Run', 'notifications=0, webhooks=0, mails=0, audit=0']] }

/** A post of an agent with this grant. Gives the id of the pending act. */
export async function insertWaiting(
  { db, dependencies: { secretFor } }: World,
  person: Person,
  grantId: string,
): Promise<string> {
  const json = JSON.stringify({ title: 'Books', body: 'Kept' })
  const id = newId()
  const act = {
    ...{ id, userId: (await person.account()).id, grantId, clientId: 'agent', clientName: null },
    ...{ operation: 'posts.create', scope: 'community:write', state: 'waiting' as const },
    request: await sealKept(secretFor, { method: 'POST', target: '/api/community/posts', address: '127.0.0.1', json }),
    preview: await sealKept(secretFor, PREVIEW),
    title: await sealKept(secretFor, 'Books'),
    ...{ answer: null, reason: null, createdAt: '2026-01-01T00:00:00.000Z', decidedAt: null },
    expiresAt: '2126-01-01T00:00:00.000Z',
  }
  await db.insertInto('pendingAct').values(act).execute()
  return id
}
