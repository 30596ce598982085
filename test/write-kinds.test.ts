// What each operation writes, and what waits where an account wants to be asked before something is published.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it as once } from 'node:test'
import { api } from '../src/api.ts'
import { presets, writeKinds } from '../src/contract/bounds.ts'
import type { Contract } from '../src/contract/operation.ts'
import { agentOf } from './agents.ts'
import { agentThatAsks, verified, waits } from './pending.ts'
import { tinyPng } from './pictures.ts'
import { onEveryEngine } from './world.ts'

const writes = Object.entries<Contract>(api).flatMap(([slice, contract]) =>
  Object.entries(contract).flatMap(([verb, { kind }]) => (kind ? [{ name: `${slice}.${verb}`, kind }] : [])),
)

once('The specification lists every operation that writes under its kind', () => {
  const text = readFileSync('docs/spec/behaviour.md', 'utf8')
  const rows = [...text.matchAll(/^\| `(\w+)` \| ([^|]*) \|$/gm)].map(([, kind = '', names = '']) => [
    kind,
    [...names.matchAll(/`([\w.]+)`/g)].map(([, name]) => name),
  ])
  const declared = writeKinds.map((kind) => [
    kind,
    writes.flatMap((write) => (write.kind === kind ? [write.name] : [])),
  ])
  assert.deepEqual(rows, declared)
})

/** What agents may write with a token that others can then see, and how it is called. */
const published = [...presets.ask.ask]

onEveryEngine('an account that is asked before an agent publishes', (it) => {
  it('is asked for everything that others can then see', async (world) => {
    await world.alice.account()
    await verified(world)
    const agent = await agentThatAsks(world, published)
    const before = await world.alice.profile.get()
    await waits(agent.teams.create({ name: 'Night shift', slug: 'night-shift' }))
    await waits(agent.profile.update({ name: 'Alice', tagline: 'Keeps the books' }))
    await waits(agent.profile.setUsername({ username: 'somebody-else' }))
    await waits(agent.avatars.set({ avatar: new File([await tinyPng()], 'face.png') }))
    await waits(agent.posts.create({ title: 'Books', body: 'Kept' }))
    assert.deepEqual(await world.alice.profile.get(), before)
    assert.deepEqual((await world.bob.teams.list({})).items, [])
  })

  it('is not asked for votes, and not for what only itself can see', async (world) => {
    await world.alice.account()
    await verified(world)
    const agent = await agentThatAsks(world, published)
    const { id } = await world.bob.posts.create({ title: 'Books', body: 'Kept' })
    await agent.posts.vote({ id, value: 1 })
    await agent.follows.set({ id, state: 'following' })
    await agent.notifications.updateSettings({ mention: 'off' })
    await agent.savedFilters.save({ name: 'Open', path: '/community/bugs?status=open' })
  })

  it('is asked for teams, profile, account and moderation together by the name other', async (world) => {
    await world.alice.account()
    await verified(world)
    const agent = await agentThatAsks(world, ['other'])
    await waits(agent.teams.create({ name: 'Night shift', slug: 'night-shift' }))
    await waits(agent.profile.update({ name: 'Alice', tagline: 'Keeps the books' }))
    await waits(agent.notifications.updateSettings({ mention: 'off' }))
    await waits(agent.reports.create({ targetType: 'post', targetId: (await postOf(world)).id, reason: 'spam' }))
    await agent.posts.create({ title: 'Books', body: 'Kept' })
  })

  it('lets an agent write one of the others alone', async (world) => {
    await world.alice.account()
    await verified(world)
    const more = { authorization_details: JSON.stringify([{ type: 'guildhall_bounds', kinds: ['teams'] }]) }
    const agent = await agentOf(world, world.alice, { more })
    await agent.teams.create({ name: 'Night shift', slug: 'night-shift' })
    await assert.rejects(agent.profile.update({ name: 'Alice', tagline: 'Keeps the books' }), { status: 403 })
    await assert.rejects(agent.posts.create({ title: 'Books', body: 'Kept' }), { status: 403 })
  })
})

const postOf = ({
  bob,
}: {
  bob: { posts: { create(post: { title: string; body: string }): Promise<{ id: string }> } }
}) => bob.posts.create({ title: 'Books', body: 'Kept' })
