// Cursors of the library's lists.
import assert from 'node:assert/strict'
import { allOf, assertSameByCursor } from '../../test/cursors.ts'
import { automationFile, workflowFile } from '../../test/library.ts'
import { onEveryEngine, type World } from '../../test/world.ts'

async function publishSome({ alice, bob, clock }: World) {
  const made = []
  for (let n = 0; n < 7; n++) {
    const tags = n % 2 ? 'mail,night' : 'mail'
    const file = workflowFile({ name: `Wobble ${n}` })
    const item = await alice.library.publish({ kind: 'workflow', file, visibility: 'public', tags })
    if (n % 3 === 0) await bob.library.vote({ id: item.id, value: 1 })
    made.push(item)
    clock.pass(n % 2)
  }
  return made
}

onEveryEngine('a cursor of the library', (it) => {
  it('reads items by every filter and order, tags, versions, users and teams', async (world) => {
    const { alice, anonymous } = world
    const [first] = await publishSome(world)
    for (let n = 1; n < 4; n++)
      await alice.library.publishVersion({ id: first!.id, file: workflowFile({ name: `V${n}` }) })
    await alice.profile.setUsername({ username: 'alice' })
    await alice.accounts.sendVerification({})
    await alice.accounts.verifyEmail({ code: await world.code(alice.email) })
    for (let n = 0; n < 4; n++) {
      const name = `Team ${n % 2 ? 'b' : 'A'} ${n}`
      const { slug } = await alice.teams.create({ slug: `team-${n}`, name })
      await alice.teams.setShown({ slug, shown: true })
    }
    for (let n = 0; n < 4; n++) {
      const file = workflowFile({ name: `Shared ${n}` })
      await alice.library.publish({ kind: 'workflow', file, team: 'team-0', visibility: 'public', tags: 'mail' })
    }
    const used = await alice.library.publish({
      kind: 'automation',
      file: automationFile({ id: 'harbor-board' }),
      visibility: 'public',
    })
    for (let n = 0; n < 4; n++) {
      const file = workflowFile({ name: `User ${n}`, automations: {}, unbundledAutomations: { 'harbor-board': {} } })
      await alice.library.publish({ kind: 'workflow', file, visibility: 'public', tags: `tag${n}` })
    }
    const lists: Record<string, Parameters<typeof assertSameByCursor<object>>[0][string]> = {
      tags: (page) => anonymous.library.tags(page),
      teams: (page) => anonymous.teams.list(page),
      shown: (page) => anonymous.teams.list({ username: 'alice', ...page }),
      users: (page) => anonymous.library.usedBy({ id: used.id, ...page }),
      versions: async (page) => {
        const { versions: items, ...end } = await anonymous.library.versions({ id: first!.id, ...page })
        return { items, ...end }
      },
    }
    for (const sort of ['latest', 'popular'] as const) {
      for (const filter of [
        {},
        { kind: 'workflow' },
        { q: 'wobble' },
        { q: 'wo' },
        { tag: 'mail' },
        { q: 'wobble', tag: 'mail' },
      ]) {
        lists[JSON.stringify({ sort, ...filter })] = (page) => anonymous.library.list({ sort, ...filter, ...page })
      }
      lists[`${sort} mine`] = (page) => alice.library.list({ sort, scope: 'mine', ...page })
      lists[`${sort} team`] = (page) => anonymous.library.list({ sort, team: 'team-0', tag: 'mail', ...page })
    }
    await assertSameByCursor(lists, 4)
  })

  it('goes on at its place when items come and are updated, and keeps the answer without it', async (world) => {
    const { alice, anonymous } = world
    const made = await publishSome(world)
    const plain = await anonymous.library.list({ per_page: 3 })
    assert.deepEqual(Object.keys(plain), ['items', 'page', 'per_page', 'total'])
    for (const filter of [{}, { q: 'wobble' }, { tag: 'mail' }]) {
      const read = (cursor: string) => anonymous.library.list({ ...filter, cursor, per_page: 3 })
      const before = (await allOf(read)).map(({ id }) => id)
      const between = async () => {
        const file = workflowFile({ name: 'Wobble again' })
        await alice.library.publish({ kind: 'workflow', file, visibility: 'public', tags: 'mail' })
      }
      assert.deepEqual(
        (await allOf(read, between)).map(({ id }) => id),
        before,
      )
    }
    const { nextCursor } = await anonymous.library.list({ cursor: '', per_page: 3 })
    const cursor = nextCursor as string
    for (const other of [{ kind: 'workflow' }, { sort: 'popular' as const }, { tag: 'mail' }, { q: 'wobble' }]) {
      await assert.rejects(anonymous.library.list({ cursor, ...other }), { status: 400, code: 'invalid_request' })
    }
    await assert.rejects(anonymous.library.versions({ id: made[0]!.id, cursor }), { status: 400 })
  })
})
