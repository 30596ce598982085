// Writes of agents that wait for a yes, put where they are kept: for tests of what is done with them.
import assert from 'node:assert/strict'
import { sealKept } from '../src/content/pending/request.ts'
import { newId } from '../src/runtime/ids.ts'
import type { ApiError } from '../src/surfaces/client.ts'
import { agentOf, type TestAgent } from './agents.ts'
import type { Person, World } from './world.ts'

export const bug = { title: 'Crash', description: 'On start', severity: 'low' } as const
/** What a client asks for, so that its account is asked before it writes these kinds. */
export const asking = (ask: string[], more: object = {}) => ({
  authorization_details: JSON.stringify([{ type: 'guildhall_bounds', ask, ...more }]),
})
export const PUBLISHED = ['posts', 'comments', 'orgs', 'library']

/** A new client of alice that asks before it writes these kinds. */
export const agentThatAsks = (world: World, ask = PUBLISHED, more: object = {}): Promise<TestAgent> =>
  agentOf(world, world.alice, { more: asking(ask, more) })

/** Verifies the address of alice. */
export const verified = ({ db, alice }: World) =>
  db.updateTable('user').set({ emailVerifiedAt: '2026-01-01T00:00:00.000Z' }).where('email', '=', alice.email).execute()

interface PendingAnswer {
  id: string
  state: string
  message: string
}

/** The pending act of a write that was answered with 202. */
export async function waits(write: Promise<unknown>): Promise<PendingAnswer & { headers: Headers }> {
  const answer = await write.then(
    () => assert.fail('it was made at once'),
    (error: ApiError) => error,
  )
  assert.equal(answer.status, 202, answer.message)
  return { ...(answer.body as PendingAnswer), headers: answer.headers }
}

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
