// The set-up through the front door: who has the newest link makes the one first admin. On SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { CookieJar } from '../../../test/cookies.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'
import { type Api, api } from '../../api.ts'
import { sha256 } from '../../runtime/hash.ts'
import { newToken } from '../../runtime/ids.ts'
import { type Client, connect } from '../../surfaces/client.ts'
import { renewSetupLink } from './setup.ts'

const BOSS = 'boss@example.com'

/** The token of the link that a start prints. */
async function start({ dependencies }: World): Promise<string> {
  const link = await renewSetupLink(dependencies)
  assert.ok(link)
  const { origin, pathname, searchParams } = new URL(link)
  assert.deepEqual([origin, pathname, [...searchParams.keys()]], [dependencies.config.baseUrl, '/setup', ['token']])
  return searchParams.get('token')!
}

function browser({ app, dependencies }: World): Client<Api> {
  const cookies = new CookieJar()
  const fetch = async (request: Request) => cookies.take(await app.fetch(cookies.give(request)))
  return connect(api, { baseUrl: dependencies.config.baseUrl, fetch })
}

async function codeFor(world: World, token: string, email = BOSS): Promise<string> {
  await browser(world).setup.sendCode({ token, email })
  return world.code(email)
}

const rows = ({ db }: World) => db.selectFrom('setup').select(['tokenHash', 'doneAt']).execute()
const admins = ({ db }: World) =>
  db.selectFrom('user').select(['email', 'role', 'emailVerifiedAt']).where('role', '=', 'admin').execute()

onEveryEngine('the set-up', (it) => {
  it('makes the first admin, whose address is proven, and signs it in', async (world) => {
    const token = await start(world)
    const page = browser(world)
    const { mailFolder, mailFrom } = await page.setup.check({ token })
    assert.equal(mailFolder, world.dependencies.config.mailUrl.slice('file:'.length))
    assert.equal(mailFrom, world.dependencies.config.mailFrom)
    const code = await codeFor(world, token)
    const { user } = await page.setup.finish({ token, email: 'Boss@example.com ', code, adminName: 'Mira' })
    assert.deepEqual([user.email, user.name, user.role, user.emailVerified], [BOSS, 'Mira', 'admin', true])
    assert.equal((await page.accounts.getSession())?.user.role, 'admin')
    const { items } = await page.admin.listAudit()
    assert.deepEqual(items.map(({ action, actorId }) => [action, actorId]).toSorted(), [
      ['role.change', user.id],
      ['setup.finish', user.id],
    ])
    assert.deepEqual(await renewSetupLink(world.dependencies), undefined)
  })

  it('keeps no more of the token than a hash', async (world) => {
    const token = await start(world)
    assert.equal(token.length, 43)
    assert.deepEqual(await rows(world), [{ tokenHash: sha256(token), doneAt: null }])
  })

  it('refuses every wrong token, at every step', async (world) => {
    const old = await start(world)
    const token = await start(world)
    const code = await codeFor(world, token)
    const page = browser(world)
    for (const wrong of [old, newToken(), token.slice(1), `${token}x`, token.toUpperCase(), sha256(token), 'x', ' ']) {
      await assert.rejects(page.setup.check({ token: wrong }), { status: 403 }, wrong)
      await assert.rejects(page.setup.sendCode({ token: wrong, email: BOSS }), { status: 403 }, wrong)
      await assert.rejects(page.setup.finish({ token: wrong, email: BOSS, code }), { status: 403 }, wrong)
    }
    for (const wrong of ['', 'x'.repeat(201), undefined as never, 7 as never]) {
      await assert.rejects(page.setup.finish({ token: wrong, email: BOSS, code }), { status: 400 })
    }
    assert.deepEqual(await admins(world), [])
    assert.equal((await world.mails(BOSS)).length, 1)
    await page.setup.finish({ token, email: BOSS, code })
  })

  it('needs the code that was mailed to that address for it', async (world) => {
    const token = await start(world)
    const page = browser(world)
    const code = await codeFor(world, token)
    const wrong = code === '111111' ? '222222' : '111111'
    await assert.rejects(page.setup.finish({ token, email: BOSS, code: wrong }), { status: 400, message: /^code: / })
    await assert.rejects(page.setup.finish({ token, email: 'other@example.com', code }), { status: 400 })
    await page.accounts.sendCode({ email: BOSS })
    const ofSignIn = await world.code(BOSS)
    if (ofSignIn !== code)
      await assert.rejects(page.setup.finish({ token, email: BOSS, code: ofSignIn }), { status: 400 })
    assert.deepEqual(await admins(world), [])
    await page.setup.finish({ token, email: BOSS, code })
  })

  it('ends a code after five wrong tries', async (world) => {
    const token = await start(world)
    const code = await codeFor(world, token)
    const wrong = code === '111111' ? '222222' : '111111'
    for (let tries = 0; tries < 5; tries++) {
      await assert.rejects(browser(world).setup.finish({ token, email: BOSS, code: wrong }), { status: 400 })
    }
    await assert.rejects(browser(world).setup.finish({ token, email: BOSS, code }), { status: 400 })
    await browser(world).setup.finish({ token, email: BOSS, code: await codeFor(world, token) })
  })

  it('stores the answers with the admin, or nothing of either', async (world) => {
    const token = await start(world)
    const code = await codeFor(world, token)
    const page = browser(world)
    const finish = (settings: Record<string, string>) => page.setup.finish({ token, email: BOSS, code, settings })
    await assert.rejects(finish({ SIGN_UP: 'whoever' }), { status: 400, message: /^SIGN_UP: / })
    await assert.rejects(finish({ SIGN_UP: 'closed', SIGN_UP_DOMAINS: 'example.com' }), { status: 400 })
    await assert.rejects(finish({ ACCENT: '#123456' }), { status: 400, message: /^settings: / })
    assert.deepEqual(await admins(world), [])
    await finish({ SITE_NAME: 'Acme Lab', SIGN_UP: 'invited', SIGN_UP_DOMAINS: '', MAIL_FROM: '' })
    // The other process of the world may have answered.
    await world.dependencies.settings.reload()
    assert.equal(world.dependencies.config.name, 'Acme Lab')
    const stored = await world.db.selectFrom('setting').select(['name', 'value']).orderBy('name').execute()
    assert.deepEqual(stored, [
      { name: 'SIGN_UP', value: 'invited' },
      { name: 'SITE_NAME', value: 'Acme Lab' },
    ])
    await assert.rejects(world.alice.account(), { status: 403 })
  })

  it('is over when it was used', async (world) => {
    const token = await start(world)
    const code = await codeFor(world, token)
    await browser(world).setup.finish({ token, email: BOSS, code })
    const page = browser(world)
    await assert.rejects(page.setup.check({ token }), { status: 409 })
    await assert.rejects(page.setup.sendCode({ token, email: 'second@example.com' }), { status: 409 })
    await assert.rejects(page.setup.finish({ token, email: 'second@example.com', code }), { status: 409 })
    assert.deepEqual(
      (await admins(world)).map(({ email }) => email),
      [BOSS],
    )
    assert.equal((await rows(world))[0]?.tokenHash, null)
  })

  it('is over for good once a client made an account', async (world) => {
    const token = await start(world)
    const code = await codeFor(world, token)
    await world.alice.account()
    await assert.rejects(browser(world).setup.finish({ token, email: BOSS, code }), { status: 409 })
    await assert.rejects(browser(world).setup.sendCode({ token, email: BOSS }), { status: 409 })
    assert.equal(await renewSetupLink(world.dependencies), undefined)
    assert.match((await rows(world))[0]?.doneAt ?? '', /Z$/)
    assert.deepEqual(await admins(world), [])
  })

  it('is not there in a database from before', async (world) => {
    const token = await start(world)
    await world.db.deleteFrom('setup').execute()
    assert.equal(await renewSetupLink(world.dependencies), undefined)
    await assert.rejects(browser(world).setup.check({ token }), { status: 409 })
  })

  it('has one good link after several starts at once', async (world) => {
    const links = await Promise.all(Array.from({ length: 6 }, () => start(world)))
    const good = await Promise.all(
      links.map((token) =>
        browser(world)
          .setup.check({ token })
          .then(
            () => true,
            () => false,
          ),
      ),
    )
    assert.equal(good.filter(Boolean).length, 1)
  })
})

for (let turn = 1; turn <= 10; turn++) {
  onEveryEngine(`the set-up by several browsers at once, turn ${turn}`, (it) => {
    it('makes one admin', async (world) => {
      const token = await start(world)
      const names = ['one', 'two', 'three', 'four']
      const codes: string[] = []
      for (const name of names) codes.push(await codeFor(world, token, `${name}@example.com`))
      const outcomes = await Promise.allSettled(
        names.map((name, n) => browser(world).setup.finish({ token, email: `${name}@example.com`, code: codes[n]! })),
      )
      const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
      assert.deepEqual(
        refused.map(({ reason }) => reason.status),
        [409, 409, 409],
      )
      assert.equal((await admins(world)).length, 1)
      assert.equal((await world.db.selectFrom('user').select('id').execute()).length, 1)
    })
  })
}

onEveryEngine(
  'the set-up where sign-up is closed',
  (it) => {
    it('makes its admin all the same', async (world) => {
      const token = await start(world)
      const code = await codeFor(world, token)
      const { user } = await browser(world).setup.finish({ token, email: BOSS, code })
      assert.equal(user.role, 'admin')
    })
  },
  { SIGN_UP: 'closed' },
)

onEveryEngine(
  'the set-up of an operator who named admins',
  (it) => {
    it('is not open', async (world) => {
      assert.equal(await renewSetupLink(world.dependencies), undefined)
      await assert.rejects(browser(world).setup.check({ token: newToken() }), { status: 409 })
    })
  },
  { ADMIN_EMAILS: BOSS },
)
