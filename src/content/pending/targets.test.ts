// An approval is of what will be done: the thing itself is named, what does nothing is not shown, and what has changed is asked again.
import assert from 'node:assert/strict'
import { agentOf, type TestAgent } from '../../../test/agents.ts'
import { workflowFile } from '../../../test/library.ts'
import { verified } from '../../../test/pending.ts'
import { BASE_URL, onEveryEngine, type World } from '../../../test/world.ts'

const ASKS = JSON.stringify([{ type: 'guildhall_bounds', ask: ['posts', 'comments', 'orgs', 'library'] }])
const agentThatAsks = (world: World): Promise<TestAgent> =>
  agentOf(world, world.alice, { more: { authorization_details: ASKS } })

async function sent({ app, dependencies }: World, agent: TestAgent, [method, path, body]: [string, string, unknown]) {
  const headers = { Authorization: `Bearer ${agent.accessToken}`, 'Content-Type': 'application/json' }
  const url = `${dependencies.config.baseUrl}/api${path}`
  const response = await app.fetch(new Request(url, { method, headers, body: JSON.stringify(body) }))
  assert.equal(response.status, 202, await response.clone().text())
  return (await response.json()) as { id: string }
}

onEveryEngine('what is approved', (it) => {
  it('is named as it is, and what does nothing is not shown', async (world) => {
    const { alice } = world
    const agent = await agentThatAsks(world)
    const item = await alice.library.publish({ kind: 'workflow', file: workflowFile({ name: 'Payroll' }) })
    const lie = { name: 'Old scratch item', title: 'Old scratch item' }
    const query = 'name=Old+scratch+item&reason=Not+used'
    const { id } = await sent(world, agent, ['DELETE', `/library/items/${item.id}?${query}`, lie])
    const [listed] = (await alice.pendingActs.list({})).items
    assert.deepEqual([listed?.title, listed?.target?.title], ['Payroll', 'Payroll'])
    assert.equal(listed?.target?.url, new URL((await alice.library.get({ id: item.id })).url).pathname)
    const details = await alice.pendingActs.get({ id })
    assert.ok(!JSON.stringify(details).includes('scratch'), JSON.stringify(details.request))
    assert.deepEqual(details.request.fields, { reason: 'Not used' })
    for (const path of ['/settings/pending', `/settings/pending/${id}`]) {
      const page = await (await alice.request(path)).text()
      assert.ok(page.includes(`href="${listed?.target?.url}"`) && page.includes('Payroll'), path)
      assert.ok(!page.includes('scratch'), path)
    }
    const made = await sent(world, agent, ['POST', '/community/posts', { title: 'New', body: 'B', hidden: 'x' }])
    const post = await alice.pendingActs.get({ id: made.id })
    assert.deepEqual([post.request.fields, post.target, post.changes], [{ title: 'New', body: 'B' }, null, []])
  })

  it('shows what would change, and on what a comment is', async (world) => {
    const { alice, bob } = world
    const agent = await agentThatAsks(world)
    const bug = await alice.bugs.create({ title: 'Crash', description: 'On start', severity: 'low' })
    const edit = await sent(world, agent, ['PATCH', `/community/bugs/${bug.id}/text`, { title: 'No crash' }])
    const details = await alice.pendingActs.get({ id: edit.id })
    assert.deepEqual([details.target?.title, details.target?.url], ['Crash', `/community/bugs/${bug.id}`])
    assert.deepEqual(details.changes, [{ name: 'title', from: 'Crash', to: 'No crash' }])
    assert.match(
      await (await alice.request(`/settings/pending/${edit.id}`)).text(),
      /<del>Crash<\/del> <ins>No crash<\/ins>/,
    )
    const post = await bob.posts.create({ title: 'Hello', body: 'World' })
    const comment = await sent(world, agent, ['POST', `/community/posts/${post.id}/comments`, { body: 'Nice' }])
    const shown = await alice.pendingActs.get({ id: comment.id })
    assert.deepEqual([shown.target?.title, shown.changes], ['Hello', []])
  })

  it('is shown in the list, in the inbox, by mail and on its page: on what, the text and the difference', async (world) => {
    const { alice, app, mails } = world
    const agent = await agentThatAsks(world)
    await verified(world)
    const other = await agentOf(world, alice, { name: 'Day Clerk' })
    const bug = await alice.bugs.create({ title: 'Crash', description: 'On start', severity: 'low' })
    const text = 'It **stops**\n\nYour account is locked: evil.example'
    const edit = { title: 'No\u200b crash', description: text }
    const { id } = await sent(world, agent, ['PATCH', `/community/bugs/${bug.id}/text`, edit])
    const url = `/community/bugs/${bug.id}`
    const head = {
      ...{ title: 'Crash', target: { title: 'Crash', url, href: BASE_URL + url }, excerpt: text },
      changes: [
        { name: 'title', from: 'Crash', to: edit.title },
        { name: 'description', from: 'On start', to: text },
      ],
    }
    const [listed] = (await alice.pendingActs.list({})).items
    assert.partialDeepStrictEqual(listed, head)
    await app.deliver()
    const [told] = (await alice.notifications.list({})).items
    assert.deepEqual(told?.act, head)
    for (const one of [agent, other]) assert.equal((await one.notifications.list({})).items[0]?.act, undefined)
    const { body = '' } = (await mails(alice.email)).at(-1) ?? {}
    assert.match(body, new RegExp(`^On "Crash": http://localhost:3000${url}$`, 'm'))
    assert.match(body, /^title: "Crash" becomes "No\\u\{200b\} crash"$/m)
    assert.match(body, /^> It \*\*stops\*\*\n> \n> Your account is locked: evil\.example$/m)
    for (const path of ['/settings/pending', '/notifications', `/settings/pending/${id}`]) {
      const page = await (await alice.request(path)).text()
      assert.ok(page.includes(`href="${url}"`), path)
      assert.match(page, /<del>Crash<\/del> <ins>No\\u\{200b\} crash<\/ins>/, path)
    }
    assert.match(await (await alice.request(`/settings/pending/${id}`)).text(), /It <strong>stops<\/strong>/)
  })

  it('has the beginning of long texts in lists, and all of them on its page', async (world) => {
    const { alice } = world
    const agent = await agentThatAsks(world)
    const [before, after] = ['a'.repeat(200), 'b'.repeat(201)]
    const { id: postId } = await alice.posts.create({ title: 'Long', body: before })
    const { id } = await sent(world, agent, ['PATCH', `/community/posts/${postId}/text`, { body: after }])
    const [listed] = (await alice.pendingActs.list({})).items
    const cut = `${'b'.repeat(200)}…`
    assert.deepEqual([listed?.excerpt, listed?.changes], [cut, [{ name: 'body', from: before, to: cut }]])
    const { changes } = await alice.pendingActs.get({ id })
    assert.deepEqual(changes, [{ name: 'body', from: before, to: after }])
  })

  it('is asked again where the thing has changed, or another page was looked at', async (world) => {
    const { alice } = world
    const agent = await agentThatAsks(world)
    const bug = await alice.bugs.create({ title: 'Crash', description: 'On start', severity: 'low' })
    const { id } = await sent(world, agent, ['PATCH', `/community/bugs/${bug.id}/text`, { title: 'No crash' }])
    const { seen } = await alice.pendingActs.get({ id })
    await alice.bugs.edit({ id: bug.id, title: 'Crash at night' })
    await assert.rejects(alice.pendingActs.approve({ id, seen }), { status: 409 })
    assert.equal((await alice.bugs.get({ id: bug.id })).title, 'Crash at night')
    const again = await alice.pendingActs.get({ id })
    assert.deepEqual(
      [again.state, again.changes],
      ['waiting', [{ name: 'title', from: 'Crash at night', to: 'No crash' }]],
    )
    await assert.rejects(alice.pendingActs.approve({ id, seen }), { status: 409 })
    assert.equal((await alice.pendingActs.approve({ id, seen: again.seen })).state, 'made')
    assert.equal((await alice.bugs.get({ id: bug.id })).title, 'No crash')
  })

  it('is read in the inbox once it is decided, and leads to what was made', async (world) => {
    const { alice, app } = world
    const agent = await agentThatAsks(world)
    const [yes, no, open] = [
      await sent(world, agent, ['POST', '/community/posts', { title: 'Yes', body: 'B' }]),
      await sent(world, agent, ['POST', '/community/posts', { title: 'No', body: 'B' }]),
      await sent(world, agent, ['POST', '/community/posts', { title: 'Open', body: 'B' }]),
    ]
    await app.deliver()
    assert.equal((await alice.notifications.count({})).unread, 3)
    const { answer, made } = await alice.pendingActs.approve({ id: yes.id })
    assert.ok(answer)
    const { id: postId, number } = answer.body as { id: string; number: number }
    assert.equal(made, `/community/${number}`)
    for (const path of ['/settings/pending', `/settings/pending/${yes.id}`]) {
      const page = await (await alice.request(path)).text()
      assert.ok(page.includes(`href="/community/${number}"`), path)
    }
    assert.equal((await alice.request(made)).headers.get('location'), `/community/posts/${number}-yes`)
    await alice.pendingActs.refuse({ id: no.id })
    assert.equal((await alice.notifications.count({})).unread, 1)
    const { items } = await alice.notifications.list({ unread: 'true' })
    assert.deepEqual(
      items.map(({ url }) => url),
      [`/settings/pending/${open.id}`],
    )
    const comment = await sent(world, agent, ['POST', `/community/posts/${postId}/comments`, { body: 'Nice' }])
    const place = await alice.pendingActs.approve({ id: comment.id })
    assert.ok(place.answer)
    assert.equal(place.made, `/community/comments/${(place.answer.body as { id: string }).id}`)
    const edit = await sent(world, agent, ['PATCH', `/community/posts/${postId}/text`, { title: 'Yes!' }])
    assert.equal((await alice.pendingActs.approve({ id: edit.id })).made, `/community/${number}`)
    const removal = await sent(world, agent, ['DELETE', `/community/posts/${postId}`, {}])
    const gone = await alice.pendingActs.approve({ id: removal.id })
    assert.deepEqual([gone.state, gone.made], ['made', null])
  })
})
