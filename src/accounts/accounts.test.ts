// Accounts: sign-up, sign-in, sessions and mailed codes.
import assert from 'node:assert/strict'
import { byCode, password, post, session, signedIn, signUp } from '../../test/sign-up.ts'
import { onEveryEngine } from '../../test/world.ts'

onEveryEngine('accounts', (it) => {
  it('are made with a password; the cookie is for this site alone and unreadable to scripts', async (world) => {
    const response = await post(world, '/sign-up/email', { name: ' Carol ', email: ' Carol@Example.com', password })
    assert.deepEqual(Object.keys((await response.clone().json()).user), [
      'id',
      'email',
      'emailVerified',
      'name',
      'username',
      'image',
      'role',
      'deletionAt',
      'language',
    ])
    const { user } = await response.json()
    assert.equal(user.email, 'carol@example.com')
    assert.equal(user.name, 'Carol')
    assert.equal(user.role, 'member')
    assert.match(
      response.headers.getSetCookie()[0]!,
      /^guildhall_session=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/,
    )
  })

  it('refuse a registered address with 409, case-insensitively', async (world) => {
    await signUp(world, 'carol@example.com')
    const again = await post(world, '/sign-up/email', { name: 'C', email: 'CAROL@example.com', password })
    assert.equal(again.status, 409)
    assert.equal((await again.json()).code, 'conflict')
  })

  it('take passwords of 8 to 128 characters and names of 1 to 100', async (world) => {
    const given = (name: string, secret: string, email: string) =>
      post(world, '/sign-up/email', { name, email, password: secret })
    assert.equal((await given('C', 'x'.repeat(7), 'a@example.com')).status, 400)
    assert.equal((await given('C', 'x'.repeat(8), 'b@example.com')).status, 200)
    assert.equal((await given('C', 'x'.repeat(128), 'c@example.com')).status, 200)
    assert.equal((await given('C', 'x'.repeat(129), 'd@example.com')).status, 400)
    assert.equal((await given('C'.repeat(100), password, 'e@example.com')).status, 200)
    assert.equal((await given('C'.repeat(101), password, 'f@example.com')).status, 400)
    assert.equal((await given(' ', password, 'g@example.com')).status, 400)
    const bad = await given('C', password, 'no address')
    assert.deepEqual(await bad.json(), { code: 'invalid_request', message: 'email: must be an email address' })
  })

  it('sign in with the password; an unknown address and a wrong password look the same', async (world) => {
    await signUp(world, 'carol@example.com')
    assert.equal((await post(world, '/sign-in/email', { email: 'Carol@example.com', password })).status, 200)
    const wrong = await post(world, '/sign-in/email', { email: 'carol@example.com', password: 'another password' })
    const unknown = await post(world, '/sign-in/email', { email: 'nobody@example.com', password })
    assert.deepEqual([wrong.status, unknown.status], [401, 401])
    assert.deepEqual(await wrong.json(), await unknown.json())
  })

  it('keep passwords, session tokens and codes as hashes only', async (world) => {
    const cookie = await signUp(world, 'carol@example.com')
    await world.anonymous.accounts.sendCode({ email: 'carol@example.com' })
    const code = await world.code('carol@example.com')
    const [user] = await world.db.selectFrom('user').selectAll().execute()
    assert.match(user!.passwordHash!, /^\$argon2id\$v=19\$m=\d+,t=\d+,p=1\$[\w+/]+\$[\w+/]+$/)
    const stored = JSON.stringify([
      await world.db.selectFrom('session').selectAll().execute(),
      await world.db.selectFrom('emailCode').selectAll().execute(),
      await world.db.selectFrom('outbox').selectAll().execute(),
    ])
    assert.ok(!stored.includes(cookie.split('=')[1]!))
    assert.ok(!stored.includes(`${code}`), 'neither in the code, nor in the outbox once the mail is out')
  })

  it('end a session on sign-out, for good', async (world) => {
    const cookie = await signUp(world, 'carol@example.com')
    assert.equal((await signedIn(world, cookie))!.user.role, 'member')
    const out = await world.anonymous.request('/api/auth/sign-out', { method: 'POST', headers: { cookie } })
    assert.deepEqual(await out.json(), { success: true })
    assert.match(out.headers.get('set-cookie')!, /^guildhall_session=; .*Max-Age=0/)
    assert.equal(await signedIn(world, cookie), null)
  })

  it('keep a session for 7 days from its last use', async (world) => {
    const cookie = await signUp(world, 'carol@example.com')
    const read = () => world.anonymous.request('/api/community/me', { headers: { cookie } })
    world.clock.pass(6 * 86_400)
    const renewed = await read()
    assert.equal(renewed.status, 200)
    assert.equal(session(renewed), cookie)
    world.clock.pass(7 * 86_400 - 1)
    assert.equal((await read()).status, 200)
    world.clock.pass(7 * 86_400)
    assert.equal((await read()).status, 401)
  })

  it('end a session after 90 days, however often it is used', async (world) => {
    const cookie = await signUp(world, 'carol@example.com')
    const read = () => world.anonymous.request('/api/community/me', { headers: { cookie } })
    let last = ''
    for (let day = 5; day < 90; day += 5) {
      world.clock.pass(5 * 86_400)
      const response = await read()
      assert.equal(response.status, 200, `day ${day}`)
      last = response.headers.get('set-cookie') ?? last
    }
    // Five days, less what the requests took.
    const maxAge = Number(last.match(/Max-Age=(\d+);/)?.[1])
    assert.ok(maxAge > 432_000 - 60 && maxAge <= 432_000, 'the cookie ends with the session')
    world.clock.pass(5 * 86_400 - 60)
    assert.equal((await read()).status, 200)
    world.clock.pass(61)
    assert.equal((await read()).status, 401)
  })

  it('are made by a mailed code where there are none, with the address proven', async (world) => {
    const response = await byCode(world, 'dora@example.com')
    assert.equal(response.status, 200)
    const { user } = await response.json()
    assert.equal(user.emailVerified, true)
    assert.equal(user.name, null)
    assert.equal((await byCode(world, 'dora@example.com').then((again) => again.json())).user.id, user.id)
  })

  it('take a code once, for 10 minutes, and only the newest', async (world) => {
    const email = 'dora@example.com'
    const verify = (code: string) => post(world, '/sign-in/code/verify', { email, code })
    await world.anonymous.accounts.sendCode({ email })
    const first = await world.code(email)
    await world.anonymous.accounts.sendCode({ email })
    const second = await world.code(email)
    if (first !== second) assert.equal((await verify(first)).status, 401)
    assert.equal((await verify(second)).status, 200)
    assert.equal((await verify(second)).status, 401)
    await world.anonymous.accounts.sendCode({ email })
    world.clock.pass(599)
    assert.equal((await verify(await world.code(email))).status, 200)
    await world.anonymous.accounts.sendCode({ email })
    const late = await world.code(email)
    world.clock.pass(601)
    assert.equal((await verify(late)).status, 401)
  })

  it('let a code be tried wrongly 4 times, not 5', async (world) => {
    const email = 'dora@example.com'
    const attempt = async (failures: number) => {
      await world.anonymous.accounts.sendCode({ email })
      const code = await world.code(email)
      const wrong = code === '000000' ? '111111' : '000000'
      for (let tries = 0; tries < failures; tries++) {
        assert.equal((await post(world, '/sign-in/code/verify', { email, code: wrong })).status, 401)
      }
      return (await post(world, '/sign-in/code/verify', { email, code })).status
    }
    assert.equal(await attempt(4), 200)
    assert.equal(await attempt(5), 401)
  })

  it('count wrong codes that come at the same time', async (world) => {
    const email = 'dora@example.com'
    await world.anonymous.accounts.sendCode({ email })
    const code = await world.code(email)
    const wrong = code === '000000' ? '111111' : '000000'
    await Promise.all(Array.from({ length: 12 }, () => post(world, '/sign-in/code/verify', { email, code: wrong })))
    assert.equal((await post(world, '/sign-in/code/verify', { email, code })).status, 401)
  })

  it('give one session for a code that is used many times at once', async (world) => {
    const email = 'dora@example.com'
    await world.anonymous.accounts.sendCode({ email })
    const code = await world.code(email)
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => post(world, '/sign-in/code/verify', { email, code })),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  })

  it('belong to the owner of the mailbox: the first code removes the password and the sessions of a squatter', async (world) => {
    const squatter = await signUp(world, 'dora@example.com')
    const owner = await byCode(world, 'dora@example.com')
    assert.equal(owner.status, 200)
    assert.equal(await signedIn(world, squatter), null)
    assert.equal((await post(world, '/sign-in/email', { email: 'dora@example.com', password })).status, 401)
    assert.equal((await signedIn(world, session(owner)))!.user.emailVerified, true)
  })

  it('keep password and sessions when the owner proves the address from inside', async (world) => {
    const email = 'dora@example.com'
    const cookie = await signUp(world, email)
    assert.equal((await post(world, '/verify-email/send', {}, { cookie })).status, 200)
    const code = await world.code(email)
    assert.equal(
      (await post(world, '/verify-email', { code: code === '000000' ? '1' : '000000' }, { cookie })).status,
      400,
    )
    assert.equal((await (await post(world, '/verify-email', { code }, { cookie })).json()).user.emailVerified, true)
    await byCode(world, email)
    assert.equal((await signedIn(world, cookie))!.user.emailVerified, true)
    assert.equal((await post(world, '/sign-in/email', { email, password })).status, 200)
  })

  it('ask for a session, not a token, to prove an address', async (world) => {
    assert.equal((await post(world, '/verify-email/send', {})).status, 401)
  })

  it('get no session while blocked, by password or by code', async (world) => {
    const email = 'dora@example.com'
    await signUp(world, email)
    await world.db.updateTable('user').set({ blockedAt: new Date().toISOString() }).where('email', '=', email).execute()
    const answer = await post(world, '/sign-in/email', { email, password })
    assert.equal(answer.status, 403)
    assert.equal((await answer.json()).code, 'blocked')
    assert.equal((await byCode(world, email)).status, 403)
  })
})

onEveryEngine(
  'limits',
  (it) => {
    it('stop a guesser of one address after 10 wrong passwords with 429 and Retry-After', async (world) => {
      const statuses = new Set<number>()
      for (let tries = 0; tries < 10; tries++) {
        statuses.add((await post(world, '/sign-in/email', { email: 'carol@example.com', password })).status)
      }
      assert.deepEqual([...statuses], [401])
      const answer = await post(world, '/sign-in/email', { email: 'carol@example.com', password })
      assert.equal(answer.status, 429)
      assert.ok(Number(answer.headers.get('retry-after')) > 0)
      assert.equal((await answer.json()).code, 'rate_limited')
      world.clock.pass(15 * 60 + 1)
      assert.equal((await post(world, '/sign-in/email', { email: 'carol@example.com', password })).status, 401)
    })

    it('count 20 sign-ups an hour from one network, regardless of X-Forwarded-For', async (world) => {
      const from = (index: number) =>
        post(
          world,
          '/sign-up/email',
          { name: 'C', email: `c${index}@example.com`, password },
          { 'X-Forwarded-For': `10.0.0.${index}` },
        )
      for (let index = 0; index < 20; index++) assert.equal((await from(index)).status, 200)
      assert.equal((await from(20)).status, 429)
    })

    it('mail 5 codes an hour to one address', async (world) => {
      for (let tries = 0; tries < 5; tries++) await world.anonymous.accounts.sendCode({ email: 'dora@example.com' })
      await assert.rejects(world.anonymous.accounts.sendCode({ email: 'dora@example.com' }), { status: 429 })
      assert.equal((await world.mails('dora@example.com')).length, 5)
    })
  },
  { RATE_LIMITS: 'on' },
)
