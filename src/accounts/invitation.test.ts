// Links that invite: what they give, to whom, how often, and until when.
import assert from 'node:assert/strict'
import { newBrowser } from '../../test/visitors.ts'
import { onEveryEngine, type Person, type World } from '../../test/world.ts'

const gone = { status: 404, message: 'This invitation is not good, or no longer; ask for another one' }

/** Who is in the tests has an account; from then on, sign-up is for invited people. */
async function restrict({ admin, alice, moderator }: World, signUp: 'invited' | 'closed') {
  for (const person of [admin, alice, moderator]) await person.account()
  await admin.settings.change({ changes: { SIGN_UP: signUp } })
}

async function linkOf(world: World, input: Parameters<Person['invitationLinks']['create']>[0] = {}) {
  const { admin } = world
  await restrict(world, 'invited')
  const made = await admin.invitationLinks.create(input)
  return { ...made, key: new URL(made.link).searchParams.get('key') ?? '' }
}

/** A browser that has opened a link. */
async function opened(world: World, key: string): Promise<Person> {
  const browser = newBrowser(world)
  await browser.invitation.open({ key })
  return browser
}

/** Signs up with a mailed code. */
async function join(world: World, browser: Person, email: string) {
  await browser.accounts.sendCode({ email })
  return browser.accounts.signInWithCode({ email, code: await world.code(email) })
}

const usesOf = async ({ admin }: World, id: string) =>
  (await admin.invitationLinks.list()).items.find((one) => one.id === id)!

const emailOf = (n: number | string) => `joiner-${n}@elsewhere.example`

/** Verifies the address of a person. */
async function verify(world: World, person: Person) {
  const { email } = await person.account()
  await person.accounts.sendVerification()
  await person.accounts.verifyEmail({ code: await world.code(email) })
}

onEveryEngine('a link that invites', (it) => {
  it('lets people sign up by a mailed code, gives its role, and says who used it', async (world) => {
    const { id, key, uses, maxUses, role } = await linkOf(world, { role: 'moderator', maxUses: 2, expiresInDays: 3 })
    assert.deepEqual([uses, maxUses, role], [0, 2, 'moderator'])
    const browser = await opened(world, key)
    const { user } = await join(world, browser, emailOf('a'))
    assert.deepEqual([user.role, user.emailVerified], ['moderator', true])
    await assert.rejects(browser.invitation.open({}), gone, 'the cookie is gone with the use')
    const second = await opened(world, key)
    await join(world, second, emailOf('b'))
    await assert.rejects(newBrowser(world).invitation.open({ key }), gone)
    const shown = await usesOf(world, id)
    assert.equal(shown.uses, 2)
    assert.deepEqual(shown.usedBy.map((one) => one.id).includes(user.id), true)
    assert.equal('tokenHash' in shown, false)
    const stranger = newBrowser(world)
    await stranger.accounts.sendCode({ email: emailOf('c') })
    assert.equal((await world.mails(emailOf('c'))).length, 0)
  })

  it('gives its role to an account that is there, once its address is verified', async (world) => {
    const { alice, moderator } = world
    const { key } = await linkOf(world, { role: 'moderator', maxUses: 5 })
    await assert.rejects(alice.invitation.accept(), gone, 'nothing was opened')
    await alice.invitation.open({ key })
    await assert.rejects(alice.invitation.accept(), { status: 403 })
    await verify(world, alice)
    await alice.invitation.open({ key })
    assert.equal((await alice.invitation.accept()).user.role, 'moderator')
    await alice.invitation.open({ key })
    await assert.rejects(alice.invitation.accept(), { status: 409 })
    await moderator.invitation.open({ key })
    await assert.rejects(moderator.invitation.accept(), { status: 409 })
    await assert.rejects(world.anonymous.invitation.accept(), { status: 401 })
  })

  it('ends at its time, when it is revoked, and with the power of who made it', async (world) => {
    const { admin } = world
    const late = await linkOf(world, { expiresInDays: 1 })
    const browser = await opened(world, late.key)
    world.clock.pass(86_400 + 1)
    await assert.rejects(browser.invitation.open({ key: late.key }), gone)
    const revoked = await linkOf(world)
    const carries = await opened(world, revoked.key)
    await admin.invitationLinks.revoke({ id: revoked.id })
    await assert.rejects(admin.invitationLinks.revoke({ id: revoked.id }), { status: 404 })
    await assert.rejects(carries.invitation.open({}), gone)
    await carries.accounts.sendCode({ email: emailOf('late') })
    assert.equal((await world.mails(emailOf('late'))).length, 0)
    const last = await linkOf(world)
    const { id } = await admin.account()
    await world.db.updateTable('user').set({ role: 'member' }).where('id', '=', id).execute()
    await assert.rejects(newBrowser(world).invitation.open({ key: last.key }), gone)
    await world.db.updateTable('user').set({ role: 'admin' }).where('id', '=', id).execute()
  })

  it('ends for good with the role of who made it, and with a block', async (world) => {
    const { admin, alice } = world
    await restrict(world, 'invited')
    const { id } = await alice.account()
    const ends: readonly ((isOver: boolean) => Promise<unknown>)[] = [
      (isOver) => admin.admin.setRole({ id, role: isOver ? 'member' : 'admin' }),
      (isOver) => admin.admin.block({ id, blocked: isOver }),
    ]
    await admin.admin.setRole({ id, role: 'admin' })
    for (const end of ends) {
      const { link } = await alice.invitationLinks.create({ role: 'moderator' })
      const key = new URL(link).searchParams.get('key') ?? ''
      await newBrowser(world).invitation.open({ key })
      await end(true)
      await assert.rejects(newBrowser(world).invitation.open({ key }), gone)
      await end(false)
      await assert.rejects(newBrowser(world).invitation.open({ key }), gone, 'it does not come back')
    }
  })

  it('is used no more often than it may, by many at once', async (world) => {
    for (let round = 0; round < 10; round++) {
      const { id, key } = await linkOf(world, { maxUses: 1 })
      const emails = ['x', 'y', 'z'].map((name) => emailOf(`${round}${name}`))
      const all: { browser: Person; email: string; code: string }[] = []
      for (const email of emails) {
        const browser = await opened(world, key)
        await browser.accounts.sendCode({ email })
        all.push({ browser, email, code: await world.code(email) })
      }
      const results = await Promise.allSettled(
        all.map(({ browser, email, code }) => browser.accounts.signInWithCode({ email, code })),
      )
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1, `round ${round}`)
      const lost = results.filter((one) => one.status === 'rejected')
      assert.ok(lost.every(({ reason }) => reason.status === 403))
      assert.equal((await usesOf(world, id)).uses, 1)
      const rows = await world.db.selectFrom('user').select('id').where('email', 'in', emails).execute()
      assert.equal(rows.length, 1)
    }
  })

  it('is made, seen and revoked by admins alone, within bounds', async (world) => {
    const { alice, moderator, anonymous, admin } = world
    const { id, key } = await linkOf(world)
    for (const [person, status] of [
      [alice, 403],
      [moderator, 403],
      [anonymous, 401],
    ] as const) {
      await assert.rejects(person.invitationLinks.create({ role: 'member' }), { status })
      await assert.rejects(person.invitationLinks.list(), { status })
      await assert.rejects(person.invitationLinks.revoke({ id }), { status })
    }
    await admin.invitationLinks.create({ expiresInDays: 90, maxUses: 100 })
    const wrong = [{ expiresInDays: 91 }, { expiresInDays: 0 }, { maxUses: 101 }, { maxUses: 0 }, { role: 'admin' }]
    for (const input of wrong) await assert.rejects(admin.invitationLinks.create(input as never), { status: 400 })
    const rows = await world.db.selectFrom('invitationLink').select('tokenHash').execute()
    assert.ok(rows.every(({ tokenHash }) => !tokenHash.includes(key) && tokenHash.length > 20))
  })

  it('makes no account where sign-up is closed', async (world) => {
    const { key } = await linkOf(world)
    await restrict(world, 'closed')
    const browser = await opened(world, key)
    await browser.accounts.sendCode({ email: emailOf('closed') })
    assert.equal((await world.mails(emailOf('closed'))).length, 0)
  })

  it('is listed by pages, and goes with who used it 30 days after its end', async (world) => {
    const { admin, app, clock } = world
    const pass = async (days: number) => {
      clock.pass(days * 86_400)
      await app.cleanUp()
    }
    const links = [await linkOf(world, { maxUses: 1, expiresInDays: 90 })]
    for (let n = 0; n < 3; n++) links.push(await linkOf(world, { maxUses: 2, expiresInDays: n === 2 ? 1 : 90 }))
    const [usedUp, revoked, used, late] = links.map(({ id }) => id)
    const idsAt = async (page: number) => {
      const { items, hasMore } = await admin.invitationLinks.list({ page, per_page: 3 })
      return { ids: items.map(({ id }) => id), hasMore }
    }
    assert.deepEqual(await idsAt(0), { ids: [late, used, revoked], hasMore: true })
    assert.deepEqual(await idsAt(1), { ids: [usedUp], hasMore: false })
    const { items: first, nextCursor } = await admin.invitationLinks.list({ cursor: '', per_page: 3 })
    assert.equal(first.length, 3)
    const { items: rest } = await admin.invitationLinks.list({ cursor: nextCursor!, per_page: 3 })
    assert.deepEqual(
      rest.map(({ id }) => id),
      [usedUp],
    )
    await pass(0.5)
    for (const at of [0, 2]) await join(world, await opened(world, links[at]!.key), emailOf(at))
    await admin.invitationLinks.revoke({ id: revoked! })
    assert.deepEqual(
      (await admin.invitationLinks.list({ per_page: 100 })).items.map(({ usedBy }) => usedBy.length),
      [0, 1, 0, 1],
    )
    const left = async () =>
      (await world.db.selectFrom('invitationLink').select('id').orderBy('id').execute()).map(({ id }) => id)
    await pass(29.9)
    assert.equal((await left()).length, 4)
    await pass(0.2)
    assert.deepEqual(await left(), [used, late])
    await pass(0.5)
    assert.deepEqual(await left(), [used])
    await pass(88)
    assert.deepEqual(await left(), [used])
    await pass(2)
    assert.deepEqual(await left(), [])
    assert.deepEqual(await world.db.selectFrom('invitationUse').selectAll().execute(), [])
  })

  it('is offered on its page where it gives something', async (world) => {
    const { alice, moderator } = world
    const pageOf = async (person: Person, key: string) => {
      await person.request(`/join?key=${key}`, { redirect: 'manual' })
      return (await person.request('/join')).text()
    }
    const asMember = await linkOf(world)
    for (const person of [alice, moderator]) {
      const page = await pageOf(person, asMember.key)
      assert.match(page, /This invitation gives your account nothing more/)
      assert.doesNotMatch(page, /\?\/accept/)
    }
    const asModerator = await linkOf(world, { role: 'moderator' })
    assert.match(await pageOf(alice, asModerator.key), /\?\/accept/)
    assert.doesNotMatch(await pageOf(moderator, asModerator.key), /\?\/accept/)
  })

  it('leads from its page to the sign-up, and to the role', async (world) => {
    const { key } = await linkOf(world, { role: 'moderator' })
    const browser = newBrowser(world)
    const first = await browser.request(`/join?key=${key}`, { redirect: 'manual' })
    assert.deepEqual([first.status, first.headers.get('location')], [303, '/join'])
    const page = await (await browser.request('/join')).text()
    assert.match(page, /You may join Guildhall as a moderator/)
    assert.match(page, /href="\/sign-up\?to=%2Fjoin"/)
    assert.doesNotMatch(page, /ginvite_/)
    assert.equal((await newBrowser(world).request('/join?key=ginvite_no')).status, 404)
    const admin = await (await world.admin.request('/admin/invitations')).text()
    assert.match(admin, /Links that invite/)
    assert.doesNotMatch(admin, /ginvite_/)
  })
})

onEveryEngine(
  'guesses of links that invite',
  (it) => {
    it('are counted where they are wrong: 60 in 15 minutes from an address', async (world) => {
      const { key } = await linkOf(world)
      const browser = await opened(world, key)
      for (let n = 0; n < 70; n++) await browser.invitation.open(n % 2 === 0 ? { key } : {})
      const guess = (n: number) => browser.invitation.open({ key: `ginvite_${'x'.repeat(30)}${n}` })
      for (let n = 0; n < 60; n++) await assert.rejects(guess(n), gone)
      await assert.rejects(guess(60), { status: 429 })
      await assert.rejects(browser.invitation.open({ key }), { status: 429 })
      // A browser without a link has guessed nothing.
      await assert.rejects(newBrowser(world).invitation.open({}), gone)
      world.clock.pass(15 * 60 + 1)
      assert.equal((await browser.invitation.open({ key })).role, 'member')
    })
  },
  { RATE_LIMITS: 'on' },
)
