// Writes of agents that wait for the yes of their account: kept, shown, made once and refused.
import assert from 'node:assert/strict'
import { agentOf, agentWith } from '../../../test/agents.ts'
import { workflowFile } from '../../../test/library.ts'
import { AGENT, oauthClient } from '../../../test/oauth.ts'
import { agentThatAsks, asking, bug, PUBLISHED, verified, waits } from '../../../test/pending.ts'
import { BASE_URL, onEveryEngine } from '../../../test/world.ts'

onEveryEngine('a write that needs a yes', (it) => {
  it('is kept with what a dry run says, told to its account, and made as the agent when it agrees', async (world) => {
    const { alice, app, mails } = world
    const agent = await agentThatAsks(world)
    await verified(world)
    const act = await waits(agent.bugs.create(bug))
    assert.equal(act.state, 'waiting')
    assert.match(act.message, /waits for the yes/)
    const place = act.headers.get('location') ?? ''
    assert.ok(place.endsWith(`/api/account/pending-acts/${act.id}`))
    assert.equal(act.headers.get('retry-after'), '60')
    assert.equal((await alice.bugs.list({})).total, 0)
    await app.deliver()
    const [told] = (await alice.notifications.list({})).items
    assert.deepEqual([told?.type, told?.agent, told?.url], ['approval', 'Night Clerk', `/settings/pending/${act.id}`])
    assert.equal(told?.operation, 'bugs.create')
    assert.match((await mails(alice.email)).at(-1)?.body ?? '', /"Night Clerk" asks for your approval: File a bug/)
    const [pending] = (await alice.news.list({})).pending
    assert.deepEqual([pending?.type, pending?.id, pending?.operation], ['approval', act.id, 'bugs.create'])
    const details = await alice.pendingActs.get({ id: act.id })
    assert.deepEqual(details.request.fields, bug)
    assert.equal(details.title, 'Crash')
    assert.equal(details.preview.status, 201)
    assert.equal((details.preview.body as { title: string }).title, 'Crash')
    assert.equal(typeof details.preview.effects['notifications'], 'number')
    const made = await alice.pendingActs.approve({ id: act.id })
    assert.deepEqual([made.state, made.answer?.status], ['made', 201])
    const { items } = await alice.bugs.list({})
    assert.deepEqual(
      items.map(({ title, via }) => [title, via?.clientId]),
      [['Crash', agent.clientId]],
    )
    const seen = await agent.pendingActs.get({ id: act.id })
    assert.equal(seen.state, 'made')
    assert.partialDeepStrictEqual(seen.answer, { body: { id: items[0]?.id } })
  })

  it('is told to its account in the language of the account, on pages and in mails', async (world) => {
    const { alice, app, mails } = world
    const agent = await agentThatAsks(world)
    await verified(world)
    await alice.language.set({ language: 'de' })
    const crash = await alice.bugs.create(bug)
    const { id } = await waits(agent.bugs.edit({ id: crash.id, title: 'Crash on start' }))
    await app.deliver()
    for (const path of ['/', '/notifications', '/settings/pending', `/settings/pending/${id}`]) {
      const html = await (await alice.request(path)).text()
      assert.ok(html.includes('Text eines Bugs ändern'), path)
      assert.ok(!html.includes('Change the text of a bug'), path)
    }
    const [pending] = (await alice.news.list({})).pending
    assert.deepEqual(pending?.target, {
      title: 'Crash',
      url: `/community/bugs/${crash.id}`,
      href: `${BASE_URL}/community/bugs/${crash.id}`,
    })
    const named = `<a href="/community/bugs/${crash.id}"><bdi>Crash</bdi></a>`
    assert.ok((await (await alice.request('/')).text()).includes(named), 'the home page names what it is about')
    const [toDecide, ...more] = (await (await alice.request('/')).text()).match(/deine Zustimmung/g) ?? []
    assert.deepEqual([toDecide, more], ['deine Zustimmung', []], 'the home page says it once')
    assert.match(
      (await mails(alice.email)).at(-1)?.body ?? '',
      /„Night Clerk“ bittet um deine Zustimmung: Text eines Bugs ändern/,
    )
  })

  it('waits only for its kinds, and is refused at once where a check fails', async (world) => {
    const agent = await agentThatAsks(world, ['posts'])
    const { id } = await world.alice.posts.create({ title: 'P', body: 'B' })
    await agent.posts.comment({ id, body: 'C' })
    await assert.rejects(agent.bugs.create({ ...bug, title: '' }), { status: 400 })
    await assert.rejects(agent.bugs.edit({ id, title: 'x' }), { status: 404 })
    assert.equal((await agent.pendingActs.list({})).items.length, 0)
  })

  it('is one, however often it is sent with its key, also after it was made', async (world) => {
    const { alice, app, dependencies } = world
    const agent = await agentThatAsks(world)
    const send = async (title = 'Crash') => {
      const response = await app.fetch(
        new Request(`${dependencies.config.baseUrl}/api/community/bugs`, {
          method: 'POST',
          headers: {
            Authorization: `Bearer ${agent.accessToken}`,
            'Content-Type': 'application/json',
            'Idempotency-Key': '"night-1"',
          },
          body: JSON.stringify({ ...bug, title }),
        }),
      )
      return {
        status: response.status,
        body: await response.text(),
        replayed: response.headers.get('idempotency-replayed'),
      }
    }
    const both = await Promise.all([send(), send()])
    const [first] = both
    assert.deepEqual(
      both.map(({ status, body }) => [status, body]),
      [
        [202, first?.body],
        [202, first?.body],
      ],
    )
    assert.equal((await send('Other')).status, 422)
    const [act] = (await alice.pendingActs.list({})).items
    assert.equal((await alice.pendingActs.list({})).items.length, 1)
    await alice.pendingActs.approve({ id: act?.id ?? '' })
    assert.deepEqual(await send(), { status: 202, body: first?.body ?? '', replayed: 'true' })
    assert.equal((await alice.bugs.list({})).total, 1)
  })

  it('is made once, however many agree at once', async (world) => {
    const { alice } = world
    const agent = await agentThatAsks(world)
    const { id } = await waits(agent.bugs.create(bug))
    const decided = await Promise.allSettled([1, 2, 3].map(() => alice.pendingActs.approve({ id })))
    assert.equal(decided.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.equal((await alice.bugs.list({})).total, 1)
    await assert.rejects(alice.pendingActs.refuse({ id }), { status: 409 })
  })

  it('has its files with it, which the account can look at', async (world) => {
    const { alice } = world
    const agent = await agentThatAsks(world)
    const file = workflowFile({ name: 'Digest' })
    const { id } = await waits(agent.library.publish({ kind: 'workflow', visibility: 'public', file }))
    const { request } = await alice.pendingActs.get({ id })
    assert.deepEqual(request.fields, { kind: 'workflow', visibility: 'public' })
    const [kept] = request.files
    assert.equal(kept?.size, file.size)
    const bytes = await alice.pendingActs.file({ id, fileId: kept?.id ?? '' })
    assert.equal(await bytes.text(), await file.text())
    assert.equal((await alice.usage.get()).storedBytes, file.size)
    assert.equal((await alice.pendingActs.approve({ id })).state, 'made')
    assert.equal((await alice.usage.get()).storedBytes, file.size)
    assert.equal((await alice.library.list({})).items[0]?.name, 'Digest')
    assert.deepEqual((await alice.pendingActs.get({ id })).request.files, [])
  })

  it('is checked again when it is made: what fails then is told to the agent', async (world) => {
    const { alice, moderator } = world
    const agent = await agentThatAsks(world)
    const { id } = await alice.posts.create({ title: 'P', body: 'B' })
    const act = await waits(agent.posts.comment({ id, body: 'C' }))
    await moderator.posts.delete({ id })
    const failed = await alice.pendingActs.approve({ id: act.id })
    assert.deepEqual([failed.state, failed.answer?.status], ['failed', 404])
    assert.equal((await agent.pendingActs.get({ id: act.id })).state, 'failed')
    const other = await waits(agent.bugs.create(bug))
    const [grant] = (await alice.signIns.list()).items
    await alice.signIns.update({ id: grant?.id ?? '', bounds: { kinds: ['votes'], ask: ['posts'] } })
    assert.deepEqual((await alice.pendingActs.approve({ id: other.id })).answer?.status, 403)
    assert.equal((await alice.bugs.list({})).total, 0)
  })

  it('is refused with a reason that the agent reads', async (world) => {
    const { alice } = world
    const agent = await agentThatAsks(world)
    const { id } = await waits(agent.bugs.create(bug))
    const refused = await alice.pendingActs.refuse({ id, reason: 'Not on Fridays' })
    assert.deepEqual([refused.state, refused.reason], ['refused', 'Not on Fridays'])
    const [seen] = (await agent.pendingActs.list({})).items
    assert.deepEqual([seen?.state, seen?.reason], ['refused', 'Not on Fridays'])
    await assert.rejects(alice.pendingActs.approve({ id }), { status: 409 })
  })

  it('is seen by its account and its agent alone, and decided by the account in its browser', async (world) => {
    const { alice, bob } = world
    const agent = await agentThatAsks(world)
    const other = await agentOf(world, alice, { name: 'Day Clerk' })
    const { id } = await waits(agent.bugs.create(bug))
    for (const stranger of [bob, other]) {
      await assert.rejects(stranger.pendingActs.get({ id }), { status: 404 })
      assert.deepEqual((await stranger.pendingActs.list({})).items, [])
    }
    await assert.rejects(bob.pendingActs.approve({ id }), { status: 404 })
    await assert.rejects(agent.pendingActs.approve({ id }), { status: 401 })
    await assert.rejects(agent.pendingActs.refuse({ id }), { status: 401 })
    assert.equal((await alice.pendingActs.list({ state: 'waiting' })).items.length, 1)
  })

  it('says in a dry run that it would wait, and keeps nothing', async (world) => {
    const { app, dependencies, alice } = world
    const agent = await agentThatAsks(world)
    const response = await app.fetch(
      new Request(`${dependencies.config.baseUrl}/api/community/bugs`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${agent.accessToken}`,
          'Content-Type': 'application/json',
          Prefer: 'handling=dry-run',
        },
        body: JSON.stringify(bug),
      }),
    )
    assert.equal(response.status, 201)
    assert.match(response.headers.get('dry-run') ?? '', /audit=\d+, asks$/)
    assert.deepEqual((await alice.pendingActs.list({})).items, [])
  })

  it('of a helper and of a personal token waits as well', async (world) => {
    const { alice } = world
    const agent = await agentOf(world, alice, { clientId: AGENT, more: asking(PUBLISHED) })
    const { access_token: narrower } = await oauthClient(world).token({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      client_id: AGENT,
      subject_token: agent.accessToken,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    })
    await waits(agentWith(world, narrower).bugs.create(bug))
    assert.equal((await agent.pendingActs.list({})).items.length, 1)
    await verified(world)
    const { token, id: tokenId } = await alice.personalTokens.create({ name: 'A script', scopes: ['community:write'] })
    await alice.signIns.update({ id: tokenId, bounds: { ask: ['posts'], writes: 1 } })
    const script = agentWith(world, token)
    const { id } = await waits(script.bugs.create(bug))
    await assert.rejects(script.bugs.create(bug), { status: 429 })
    await alice.pendingActs.approve({ id })
    const [made] = (await alice.bugs.list({})).items
    assert.equal(made?.via?.name, 'Personal access token')
  })
})
