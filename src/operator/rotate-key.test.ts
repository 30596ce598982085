// Another signing key, in two steps or after a leak: what goes on, what ends, and when.
import assert from 'node:assert/strict'
import { runCommand } from '../../test/operator.ts'
import { makeWorld, onEveryEngine, type World } from '../../test/world.ts'
import { record } from '../audit/audit.ts'
import { readConfig } from '../config/config.ts'
import { signingKeyActions } from '../identity/audit-actions.ts'
import { rotateKey } from './rotate-key.ts'

interface Rotated {
  settings: Record<string, object>
  due: string
}

/** Runs the command as the operator of a world would. */
const rotate = ({ dependencies: { config } }: World, options: { finish?: boolean; leaked?: boolean } = {}) =>
  runCommand(rotateKey, config, options)

/** The server after a start with settings that the command printed. */
function startedWith({ db, databaseUrl: url, dependencies: { config } }: World, settings: Record<string, object>) {
  const texts = Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, JSON.stringify(value)]))
  return makeWorld({ db, url }, { ...texts, BLOB_URL: config.blobUrl })
}

const statusWith = async ({ app }: World, token: string) => {
  const headers = { Authorization: `Bearer ${token}` }
  return (await app.fetch(new Request('http://localhost:3000/api/community/me', { headers }))).status
}

const tokenOf = async ({ alice }: World) =>
  (await alice.personalTokens.create({ name: 'Backup', scopes: ['community:read'], expiresInDays: 30 })).token

/** The ids of the Ed25519 keys that the server publishes. */
async function publishedBy({ app }: World): Promise<string[]> {
  const jwks = await app.fetch(new Request('http://localhost:3000/api/auth/jwks'))
  const { keys } = (await jwks.json()) as { keys: { kid: string; kty: string }[] }
  return keys.filter(({ kty }) => kty === 'OKP').map(({ kid }) => kid)
}

onEveryEngine('npm run admin -- rotate-key', (it) => {
  it('rotates the key in two steps: tokens, webhooks and the log go on, and the second step has its time', async (world) => {
    const { alice, dependencies } = world
    const { config } = dependencies
    await alice.account()
    const early = await runCommand(rotateKey, config, { finish: true })
    assert.deepEqual([early.code, /No key was rotated/.test(early.complaints.join())], [1, true])
    const { token } = await alice.personalTokens.create({
      name: 'Backup',
      scopes: ['community:read'],
      expiresInDays: 30,
    })
    const [first] = (await runCommand(rotateKey, config)).results as { settings: Record<string, object>; due: string }[]
    assert.ok(first!.due > new Date(Date.now() + 3_600_000).toISOString())
    const texts = Object.fromEntries(Object.entries(first!.settings).map(([name, key]) => [name, JSON.stringify(key)]))
    const { db, databaseUrl: url } = world
    const next = await makeWorld({ db, url }, { ...texts, BLOB_URL: config.blobUrl })
    const me = await next.app.fetch(
      new Request('http://localhost:3000/api/community/me', { headers: { Authorization: `Bearer ${token}` } }),
    )
    assert.equal(me.status, 200, await me.text())
    const jwks = await next.app.fetch(new Request('http://localhost:3000/api/auth/jwks'))
    const { keys } = (await jwks.json()) as { keys: { kid: string; kty: string }[] }
    const kids = keys.filter(({ kty }) => kty === 'OKP').map(({ kid }) => kid)
    assert.deepEqual(kids, [next.dependencies.config.signingKey!.kid, config.signingKey!.kid])
    for (const [settings, pattern] of [
      [next.dependencies.config, /due at/],
      [config, /still name the key/],
    ] as const) {
      const refused = await runCommand(rotateKey, settings, { finish: true })
      assert.deepEqual([refused.code, pattern.test(refused.complaints.join())], [1, true])
    }
    assert.equal((await runCommand(rotateKey, config, { finish: true, leaked: true })).code, 2)
  })

  it('takes the second step once it is due: the old key goes, and the secrets in the database stay good', async (world) => {
    const token = await tokenOf(world)
    const { settings } = (await rotate(world)).results[0] as Rotated
    const next = await startedWith(world, settings)
    const { kid: to } = next.dependencies.config.signingKey!
    const { kid: from } = world.dependencies.config.signingKey!
    // As if the first step had been taken a day ago.
    const [now, due] = [new Date().toISOString(), new Date(Date.now() - 86_400_000).toISOString()]
    const detail = { from, to, leaked: false, due }
    await record(world.db, now, { action: signingKeyActions.rotate, actorId: null, targetId: to, detail })
    const { code, results } = await rotate(next, { finish: true })
    assert.deepEqual([code, results], [0, [{ settings: { PREVIOUS_KEYS: [] }, dropped: [from] }]])
    const last = await startedWith(next, { ...settings, PREVIOUS_KEYS: [] })
    assert.deepEqual(await publishedBy(last), [to])
    assert.equal(await statusWith(last, token), 200)
  })

  it('ends all that a leaked key signed or protects, at once', async (world) => {
    const token = await tokenOf(world)
    assert.equal(await statusWith(world, token), 200)
    const before = new Date().toISOString()
    const { settings, due } = (await rotate(world, { leaked: true })).results[0] as Rotated
    assert.deepEqual(Object.keys(settings).sort(), ['PREVIOUS_KEYS', 'SIGNING_KEY'])
    assert.deepEqual(settings['PREVIOUS_KEYS'], [])
    assert.ok(due >= before && due <= new Date().toISOString())
    const next = await startedWith(world, settings)
    assert.deepEqual(await publishedBy(next), [next.dependencies.config.signingKey!.kid])
    assert.equal(await statusWith(next, token), 401)
    assert.equal((await rotate(next, { finish: true })).code, 0)
  })

  it('keeps keys of earlier rotations, and takes the settings that it prints', async (world) => {
    const first = (await rotate(world)).results[0] as Rotated
    const next = await startedWith(world, first.settings)
    const second = (await rotate(next)).results[0] as Rotated
    const kids = (second.settings['PREVIOUS_KEYS'] as { kid: string; d?: string }[]).map(({ kid, d }) => [kid, d])
    const kidOf = ({ dependencies: { config } }: World) => config.signingKey!.kid
    assert.deepEqual(
      kids,
      [kidOf(next), kidOf(world)].map((kid) => [kid, undefined]),
    )
    assert.deepEqual(second.settings['SECRETS_KEY'], first.settings['SECRETS_KEY'])
    const texts = Object.entries(second.settings).map(([name, value]) => [name, JSON.stringify(value)])
    assert.deepEqual(readConfig(Object.fromEntries(texts)).warnings, [])
  })
})
