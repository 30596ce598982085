// The browsers that are signed in to an account: what is known of them, and who ends them.
import assert from 'node:assert/strict'
import { bearing, tokenHolder } from '../../test/oauth.ts'
import { isSignedIn } from '../../test/passkeys.ts'
import { FIREFOX, SAFARI, signedInBrowser } from '../../test/visitors.ts'
import { BASE_URL, onEveryEngine, type Person, type World } from '../../test/world.ts'

const DAY = 86_400

const listed = async (person: Person) => (await person.sessions.list()).items
const hereOf = async (person: Person) => (await listed(person)).find(({ current }) => current)!
const actsOf = ({ db }: World, start: string) =>
  db.selectFrom('audit').selectAll().where('action', 'like', `${start}%`).orderBy('id').execute()

onEveryEngine('the browsers of an account', (it) => {
  it('are listed newest first, with what they are and which of them asks', async (world) => {
    const { alice, bob } = world
    const firefox = await signedInBrowser(world, alice, FIREFOX)
    world.clock.pass(60)
    const safari = await signedInBrowser(world, alice, SAFARI)
    const seenBy = async (person: Person) => (await listed(person)).map(({ device, current }) => [device, current])
    assert.deepEqual(await seenBy(firefox), [
      ['Safari on macOS', false],
      ['Firefox on Linux', true],
      [null, false],
    ])
    assert.equal((await hereOf(safari)).device, 'Safari on macOS')
    assert.deepEqual(await seenBy(bob), [[null, true]])
    assert.equal((await hereOf(safari)).id, (await safari.accounts.getSession())!.session.id)
  })

  it('show their last use to within a day, and are gone a week after it', async (world) => {
    const { alice, clock } = world
    const other = await signedInBrowser(world, alice)
    const { id, createdAt } = await hereOf(other)
    const ofOther = async () => (await listed(alice)).find((session) => session.id === id)
    assert.equal((await ofOther())!.lastSeenAt, createdAt)
    clock.pass(DAY - 60)
    const { lastSeenAt } = await hereOf(other)
    assert.equal(Math.round((Date.parse(lastSeenAt) - Date.parse(createdAt)) / 60_000), (DAY - 60) / 60)
    assert.equal((await ofOther())!.lastSeenAt, createdAt, 'noted once a day')
    clock.pass(120)
    await hereOf(other)
    assert.ok((await ofOther())!.lastSeenAt > lastSeenAt)
    assert.equal((await ofOther())!.createdAt, createdAt)
    clock.pass(6 * DAY)
    await listed(alice)
    clock.pass(DAY)
    assert.equal(await ofOther(), undefined)
    await assert.rejects(alice.sessions.end({ id }), { status: 404 })
  })

  it('store only browser names of our list', async (world) => {
    const said = `<script>alert("Mozilla")</script> ${FIREFOX} secret-of-the-network/7`
    const browser = await signedInBrowser(world, world.alice, said)
    await signedInBrowser(world, world.alice, 'something else altogether')
    assert.equal((await hereOf(browser)).device, 'Firefox on Linux')
    const stored = await world.db.selectFrom('session').selectAll().execute()
    assert.deepEqual(stored.map(({ device }) => device).sort(), ['Firefox on Linux', null, null])
    assert.doesNotMatch(JSON.stringify(stored), /script|secret|altogether|rv:/)
  })

  it('have a public id that cannot sign in', async (world) => {
    const { id } = await hereOf(await signedInBrowser(world, world.alice))
    const headers = { Cookie: `guildhall_session=${id}` }
    assert.equal((await world.anonymous.request('/api/account/sessions', { headers })).status, 401)
    const { tokenHash } = await world.db
      .selectFrom('session')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    assert.notEqual(tokenHash, id)
  })

  it('are not for a token to see or end, nor for a blocked account', async (world) => {
    const { id } = await hereOf(world.alice)
    const token = await tokenHolder(world, world.alice, 'community:read community:write')
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', `/${id}`],
      ['POST', '/end-others'],
    ] as const) {
      assert.equal((await token.request(`/api/account/sessions${path}`, { method })).status, 401)
      assert.equal((await bearing(world, id).request(`/api/account/sessions${path}`, { method })).status, 401)
      assert.equal((await world.blocked.request(`/api/account/sessions${path}`, { method })).status, 403)
    }
    assert.ok(await isSignedIn(world.alice))
  })
})

onEveryEngine('ending a browser', (it) => {
  it('signs it out, and no other', async (world) => {
    const { alice } = world
    const [lost, kept] = [await signedInBrowser(world, alice), await signedInBrowser(world, alice)]
    const { id } = await hereOf(lost)
    assert.deepEqual(await alice.sessions.end({ id }), { id })
    await assert.rejects(lost.sessions.list(), { status: 401 })
    assert.ok((await isSignedIn(kept)) && (await isSignedIn(alice)))
    await assert.rejects(alice.sessions.end({ id }), { status: 404 })
  })

  it('is for its own account alone', async (world) => {
    const { id } = await hereOf(world.alice)
    await assert.rejects(world.bob.sessions.end({ id }), { status: 404 })
    await assert.rejects(world.bob.sessions.end({ id: 'nothing' }), { status: 404 })
    assert.ok(await isSignedIn(world.alice))
    assert.deepEqual(await actsOf(world, 'session.'), [])
  })

  it('may be ending this one: the cookie goes, also on the day it would have been renewed', async (world) => {
    for (const seconds of [0, 2 * DAY]) {
      const browser = await signedInBrowser(world, world.alice)
      const { id } = await hereOf(browser)
      world.clock.pass(seconds)
      const response = await browser.request(`/api/account/sessions/${id}`, { method: 'DELETE' })
      assert.equal(response.status, 200)
      const cookies = response.headers.getSetCookie()
      assert.equal(cookies.length, 1)
      assert.match(cookies[0]!, /^guildhall_session=; .*Max-Age=0/)
      assert.equal(await isSignedIn(browser), false)
    }
  })

  it('is all others at once, and tells how many there were', async (world) => {
    const { alice, bob } = world
    const [first, second] = [await signedInBrowser(world, alice), await signedInBrowser(world, alice)]
    await bob.account()
    assert.deepEqual(await first.sessions.endOthers(), { ended: 2 })
    assert.deepEqual(await first.sessions.endOthers(), { ended: 0 })
    assert.ok((await isSignedIn(first)) && (await isSignedIn(bob)))
    assert.ok(!(await isSignedIn(second)) && !(await isSignedIn(alice)))
  })

  it('is refused to pages of other sites', async (world) => {
    const headers = { Origin: 'https://evil.example' }
    const init = { method: 'POST', headers }
    const browser = await signedInBrowser(world, world.alice)
    assert.equal((await browser.request('/api/account/sessions/end-others', init)).status, 403)
    assert.ok(await isSignedIn(world.alice))
  })

  it('is written into the audit log with who did it and from which session', async (world) => {
    const { alice } = world
    const { id: userId } = await alice.account()
    const { id: by } = await hereOf(alice)
    const { id } = await hereOf(await signedInBrowser(world, alice))
    await alice.sessions.end({ id })
    await signedInBrowser(world, alice)
    await alice.sessions.endOthers()
    await alice.sessions.endOthers()
    const acts = await actsOf(world, 'session.')
    assert.deepEqual(
      acts.map(({ action, actorId, targetId, detail }) => [action, actorId, targetId, JSON.parse(detail!)]),
      [
        ['session.end', userId, id, { by }],
        ['session.end-others', userId, userId, { ended: 1, by }],
      ],
    )
    assert.ok(acts.every(({ address }) => address === '127.0.0.1'))
  })

  it('happens once, however many ask at the same time', async (world) => {
    const { alice } = world
    const { id } = await hereOf(await signedInBrowser(world, alice))
    const path = `/api/account/sessions/${id}`
    const ends = Array.from({ length: 8 }, () => alice.request(path, { method: 'DELETE' }))
    const statuses = (await Promise.all(ends)).map(({ status }) => status)
    assert.deepEqual(statuses.sort(), [200, ...Array(7).fill(404)])
    assert.equal((await actsOf(world, 'session.end')).length, 1)
  })

  it('leaves one of two that end each other', async (world) => {
    for (let round = 0; round < 5; round++) {
      const pair = [await signedInBrowser(world, world.alice), await signedInBrowser(world, world.alice)]
      const path = `${BASE_URL}/api/account/sessions/end-others`
      const answers = await Promise.all(pair.map((browser) => browser.request(path, { method: 'POST' })))
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401])
      const left = await Promise.all(pair.map(isSignedIn))
      assert.deepEqual(
        left,
        answers.map(({ status }) => status === 200),
      )
    }
  })
})
