// A run whose files are texts, as a tool sends them: the same rules as for a form.
import assert from 'node:assert/strict'
import { objectsIn } from '../../../../test/stored.ts'
import { onEveryEngine, type World } from '../../../../test/world.ts'
import { noBudget } from '../../../budgets/writes.ts'
import type { Caller, Context } from '../../../request/handler.ts'
import { timestamp } from '../../../runtime/clock.ts'
import { addRun } from './handlers.ts'

async function contextOf({ dependencies, bob }: World): Promise<Context<Caller>> {
  const { id, email, username, role } = await bob.account()
  const account = { id, email, username, role, verified: false, createdAt: new Date(0).toISOString() }
  const caller: Caller = { ...account, via: { scopes: ['community:write'], clientId: 'agent', grantId: null } }
  return {
    ...dependencies,
    caller,
    now: new Date(dependencies.clock.now()).toISOString(),
    address: '127.0.0.1',
    sentAt: timestamp(dependencies.clock.now()),
    isAgreedTo: false,
    userAgent: () => null,
    budget: noBudget,
    apart: dependencies.db,
    always: dependencies.db,
    worker: () => ({ owner: caller.id, isFirst: true }),
    afterCommit: async (work) => void (await work()),
    request: new Request(dependencies.config.baseUrl),
    reply: new Headers(),
    sessionToken: undefined,
    cookie: () => undefined,
    requireCaller: () => caller,
    mayGoOn: async () => true,
  }
}

const text = (filename: string, content: string) => ({ filename, read: async () => Buffer.from(content) })

onEveryEngine('a run from texts', (it) => {
  it('is kept like one from a form, and refused like one', async (world) => {
    const { alice, anonymous } = world
    const context = await contextOf(world)
    const org = await alice.orgs.create({ orgJson: JSON.stringify({ name: 'Desk', roles: [{ id: 'solo' }] }) })
    const run = await addRun(context, org.slug, { label: null, files: [text('../a "quoted".md', '# Größe')] })
    assert.deepEqual(
      run.files.map(({ filename, fileType, sizeBytes }) => [filename, fileType, sizeBytes]),
      [['a "quoted".md', 'md', 9]],
    )
    assert.equal(await (await anonymous.orgRuns.file({ fileId: run.files[0]!.id })).text(), '# Größe')
    const eleven = Array.from({ length: 11 }, (_, index) => text(`${index}.md`, ''))
    for (const files of [
      [],
      eleven,
      [text('a.txt', '')],
      [text('a.md', '\0')],
      [text('a.md', 'x'.repeat(2_097_153))],
    ]) {
      await assert.rejects(addRun(context, org.id, { label: null, files }), { name: 'Problem' })
    }
    await assert.rejects(addRun(context, 'nothing', { label: null, files: [text('a.md', '')] }), { code: 'not_found' })
    assert.equal((await objectsIn(world, 'org-runs')).length, 1)
  })
})
