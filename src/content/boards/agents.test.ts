// The rule of a board for agents: with that of the instance, and for every kind of act.
import assert from 'node:assert/strict'
import { agentOf, type TestAgent } from '../../../test/agents.ts'
import { verify } from '../../../test/visitor.ts'
import { BASE_URL, onEveryEngine, type World } from '../../../test/world.ts'
import { api } from '../../api.ts'
import type { WriteKind } from '../../contract/bounds.ts'
import { type Contract, needsRole, type Operation } from '../../contract/operation.ts'

const bug = { title: 'Crash', description: 'It stops', severity: 'low' } as const
const SUGGEST = /Agents may only suggest here/
const OFF = /Agents may not write here/

/** A board with a bug of Alice and a comment of Bob, and an agent of the moderator. */
async function start(world: World, agents: string | null) {
  const { admin, alice, bob, moderator } = world
  await admin.boards.create({ slug: 'labs', name: 'Labs', agents })
  const { id } = await alice.bugs.create({ ...bug, board: 'labs' })
  const { id: into } = await alice.bugs.create({ ...bug, board: 'labs' })
  const { id: commentId } = await bob.bugs.comment({ id, body: 'Restart' })
  const agent = await agentOf(world, moderator)
  const label = await admin.labels.create({ name: `mail-${crypto.randomUUID().slice(0, 8)}`, color: '#b4552d' })
  return { agent, id, into, commentId, labelId: label.id, board: 'labs' }
}
type Started = Awaited<ReturnType<typeof start>>

/** Calls of an agent on what is in the board, by their operations; each can be made more than once. */
const calls: Record<string, (given: Started) => Promise<unknown>> = {
  'bugs.create': ({ agent, board }) => agent.bugs.create({ ...bug, board }),
  'features.create': ({ agent, board }) => agent.features.create({ title: 'T', description: 'D', board }),
  'posts.create': ({ agent, board }) => agent.posts.create({ title: 'T', body: 'B', board }),
  'changelog.create': ({ agent, board }) => agent.changelog.create({ title: 'T', body: 'B', board }),
  'bugs.edit': ({ agent, id }) => agent.bugs.edit({ id, title: `T ${Math.random()}` }),
  'bugs.triage': ({ agent, id }) => agent.bugs.triage({ id, severity: 'high' }),
  'bugs.close': ({ agent, id }) => agent.bugs.close({ id, closed: true }),
  'bugs.attachLabel': ({ agent, id, labelId }) => agent.bugs.attachLabel({ id, labelId }),
  'bugs.vote': ({ agent, id }) => agent.bugs.vote({ id, value: 1 }),
  'bugs.comment': ({ agent, id }) => agent.bugs.comment({ id, body: 'Hm' }),
  'comments.edit': ({ agent, commentId: id }) => agent.comments.edit({ id, body: `B ${Math.random()}` }),
  'comments.react': ({ agent, commentId: id }) => agent.comments.react({ id, reaction: 'heart' }),
  'follows.set': ({ agent, id }) => agent.follows.set({ id, state: 'following' }),
  'threads.pin': ({ agent, id }) => agent.threads.pin({ id, pinned: true }),
  'threads.lock': ({ agent, id }) => agent.threads.lock({ id, locked: false }),
  'threads.solve': ({ agent, id, commentId }) => agent.threads.solve({ id, commentId }),
  'threads.setDue': ({ agent, id }) => agent.threads.setDue({ id, dueOn: '2026-12-01' }),
  'boards.move': ({ agent, id, board }) => agent.boards.move({ type: 'bug', id, board }),
  'reports.create': ({ agent, commentId }) =>
    agent.reports.create({ targetType: 'comment', targetId: commentId, reason: 'spam' }).catch((error: Error) => {
      if (!/already/.test(error.message)) throw error
    }),
}

const operationOf = (name: string): Operation => {
  const [slice = '', verb = ''] = name.split('.')
  return (api as Record<string, Contract>)[slice]![verb]!
}

/** Where a role is asked for, a refusal says no more than that. */
const refusalOf = (name: string, message: RegExp) => ({
  status: 403,
  message: needsRole(operationOf(name).access) ? /^Forbidden$/ : message,
})

/** The kinds of all that is written about a thing by its id, or to a board: not what an account keeps for itself, as a bookmark. */
const KINDS = new Set(
  Object.values(api as Record<string, Contract>)
    .flatMap((contract) => Object.values<Operation>(contract))
    .filter(({ path }) =>
      /^\/community\/(bugs|features|posts|changelog|comments|threads|follows|reports|boards\/\{board\}\/)/.test(path),
    )
    .flatMap(({ kind }) => kind ?? [])
    .filter((kind) => kind !== 'account'),
)

const setAgents = ({ admin }: World, AGENTS: string) => admin.settings.change({ changes: { AGENTS } })

const set = ({ admin }: World, agents: string | null, board = 'labs') => admin.boards.update({ board, agents })

onEveryEngine('the rule of a board for agents', (it) => {
  it('holds for every kind of act, and for that alone', async (world) => {
    const given = await start(world, null)
    assert.deepEqual([...new Set(Object.keys(calls).map((name) => operationOf(name).kind))].sort(), [...KINDS].sort())
    for (const kind of KINDS) {
      for (const [rule, isRefused] of [
        [`write; ${kind}: suggest`, (one: WriteKind | undefined) => one === kind],
        [`off; ${kind}: write`, (one: WriteKind | undefined) => one !== kind],
      ] as const) {
        await set(world, rule)
        for (const [name, call] of Object.entries(calls)) {
          if (isRefused(operationOf(name).kind))
            await assert.rejects(
              call(given),
              refusalOf(name, rule.startsWith('off') ? OFF : SUGGEST),
              `${name} ${rule}`,
            )
          else await call(given).catch((error: Error) => assert.fail(`${name} with ${rule}: ${error.message}`))
        }
      }
    }
    await set(world, 'off')
    for (const [name, call] of Object.entries(calls)) await assert.rejects(call(given), refusalOf(name, OFF), name)
    await set(world, null)
    for (const call of Object.values(calls)) await call(given)
  })

  it('leaves people alone, other boards, and what is in none', async (world) => {
    const { admin, moderator, alice } = world
    const given = await start(world, 'off')
    const { agent, id } = given
    await moderator.bugs.comment({ id, body: 'By hand' })
    await moderator.bugs.triage({ id, status: 'in_progress' })
    await agent.threads.bookmark({ id, bookmarked: true })
    await agent.threads.visit({ id, seenAt: new Date(0).toISOString() })
    const elsewhere = await agent.bugs.create(bug)
    await agent.bugs.comment({ id: elsewhere.id, body: 'Here' })
    await assert.rejects(agent.boards.move({ type: 'bug', id: elsewhere.id, board: 'labs' }), { status: 403 })
    await assert.rejects(agent.bugs.merge({ id: elsewhere.id, into: id }), { status: 403 })
    await set(world, 'suggest', 'main')
    await assert.rejects(agent.bugs.create(bug), { message: SUGGEST })
    await assert.rejects(agent.bugs.comment({ id: elsewhere.id, body: 'Here' }), { message: SUGGEST })
    await alice.bugs.create(bug)
    await agent.blog.comment({ slug: 'what-guildhall-is', body: 'Well said' })
    await agent.profile.update({ name: 'A clerk' })
    const { agents } = await admin.boards.get({ board: 'main' })
    assert.equal(agents, 'suggest')
  })

  it('and that of the instance: the stricter of both holds', async (world) => {
    const given = await start(world, 'write')
    const { agent, id } = given
    await setAgents(world, 'suggest; votes: write')
    await assert.rejects(agent.bugs.comment({ id, body: 'Hm' }), { message: SUGGEST })
    await agent.bugs.vote({ id, value: 1 })
    await set(world, 'off; votes: suggest')
    await assert.rejects(agent.bugs.vote({ id, value: 1 }), { message: SUGGEST })
    await setAgents(world, 'write')
    await assert.rejects(agent.bugs.comment({ id, body: 'Hm' }), { message: OFF })
  })

  it('rules what they suggest, by its kind', async (world) => {
    const { agent, id } = await start(world, 'suggest; comments: off')
    const why = { reason: 'R', confidence: 0.5 }
    await agent.suggestions.create({ operation: 'bugs.triage', input: { id, severity: 'high' }, ...why })
    const said = { operation: 'bugs.comment', input: { id, body: 'Hm' }, ...why }
    await assert.rejects(agent.suggestions.create(said), { status: 403, message: OFF })
    await set(world, 'off; posts: suggest')
    const { items } = await world.moderator.suggestions.list({ targetId: id })
    await agent.suggestions.withdraw({ id: items[0]!.id })
    await agent.suggestions.create({ operation: 'bugs.close', input: { id, closed: true }, ...why })
  })

  it('goes by the verified email of the account', async (world) => {
    const { agent, id } = await start(world, 'write; unverified: off')
    await assert.rejects(agent.bugs.comment({ id, body: 'Hm' }), { message: OFF })
    await verify(world, await world.moderator.account())
    await agent.bugs.comment({ id, body: 'Hm' })
  })

  it('is refused for a trial too, and says nothing of a board that its account does not read', async (world) => {
    const { admin, moderator, alice } = world
    const { agent, id } = await start(world, 'off')
    const tried = await world.app.fetch(
      new Request(`${BASE_URL}/api/community/bugs/${id}/comments`, {
        method: 'POST',
        headers: {
          ...{ Authorization: `Bearer ${agent.accessToken}`, 'Content-Type': 'application/json' },
          Prefer: 'handling=dry-run',
        },
        body: JSON.stringify({ body: 'Hm' }),
      }),
    )
    assert.equal(tried.status, 403)
    assert.match(await tried.text(), OFF)
    await admin.boards.create({ slug: 'staff', name: 'Staff', readers: 'roles: moderator', agents: 'off' })
    const inside = await moderator.bugs.create({ ...bug, board: 'staff' })
    const stranger: TestAgent = await agentOf(world, alice)
    await assert.rejects(stranger.bugs.comment({ id: inside.id, body: 'Hm' }), { status: 404 })
    await assert.rejects(stranger.bugs.create({ ...bug, board: 'staff' }), { status: 404 })
    await assert.rejects(agent.bugs.comment({ id: inside.id, body: 'Hm' }), { message: OFF })
  })

  it('is a line like that of the setting, or null', async (world) => {
    const { admin } = world
    await start(world, null)
    for (const agents of ['', 'never', 'write; account: off', 'write; trust: 9'])
      await assert.rejects(admin.boards.update({ board: 'labs', agents }), { status: 400 }, agents)
    await assert.rejects(admin.boards.update({ board: 'labs', agents: 'write; trust: 2' }), { status: 400 })
    await admin.boards.update({ board: 'labs', agents: 'write; votes: off' })
    assert.equal((await world.anonymous.boards.get({ board: 'labs' })).agents, 'write; votes: off')
    await admin.boards.update({ board: 'labs', agents: null })
    assert.equal((await world.anonymous.boards.get({ board: 'labs' })).agents, null)
  })

  it('holds for what a release closes: an agent closes nothing where it may not write', async (world) => {
    const { admin, alice, bob } = world
    await admin.boards.create({ slug: 'labs', name: 'Labs', agents: 'suggest' })
    const inside = await alice.bugs.create({ ...bug, board: 'labs' })
    const outside = await bob.bugs.create(bug)
    const agent = await agentOf(world, admin)
    const release = { title: 'R', body: 'B' }
    const closing = (numbers: number[]) => ({ ...release, closes: numbers.join() })
    const refused = { status: 403 }
    await assert.rejects(agent.changelog.create(closing([inside.number])), refused)
    await assert.rejects(agent.changelog.create(closing([outside.number, inside.number])), refused)
    const made = await agent.changelog.create(closing([outside.number]))
    assert.equal((await bob.bugs.get({ id: outside.id })).status, 'resolved')
    await assert.rejects(agent.changelog.edit({ id: made.id, ...closing([outside.number, inside.number]) }), refused)
    const draft = await agent.changelog.create({ ...closing([outside.number]), draft: true })
    await admin.changelog.edit({ id: draft.id, ...closing([inside.number]) })
    await assert.rejects(agent.changelog.publish({ id: draft.id }), refused)
    assert.equal((await alice.bugs.get({ id: inside.id })).status, 'open')
    await admin.changelog.publish({ id: draft.id })
    assert.equal((await alice.bugs.get({ id: inside.id })).status, 'resolved', 'a person does')
    assert.equal((await agent.changelog.create(release)).closes, '')
  })
})
