// Versions that wait for a person: what a program publishes of an item that is only staged.
import assert from 'node:assert/strict'
import { agentOf } from '../../../test/agents.ts'
import { Authenticator } from '../../../test/authenticator.ts'
import { exchangeRun, gitHub, issuerFor, letRun, publishWith } from '../../../test/ci.ts'
import { workflowFile } from '../../../test/library.ts'
import { FORBIDDEN, NOT_FOUND, newVersion, publish, shared } from '../../../test/owners.ts'
import { register } from '../../../test/passkeys.ts'
import { waits } from '../../../test/pending.ts'
import { signedInBrowser } from '../../../test/visitors.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'

const PASSKEY = { status: 403, code: 'reauthentication_required' }
const waiting = async (by: Person, item: string) =>
  (await by.pendingActs.list({ item, state: 'waiting' })).items.map(({ id }) => id)
const versionOf = async (by: Person, id: string) => (await by.library.get({ id })).version

/** A run publishes a version of an item that waits; gives the act. */
async function stagedByRun(world: World, by: Person, id: string): Promise<string> {
  const issuer = await issuerFor(world)
  await letRun(by, issuer, { item: id })
  await by.trustedPublishers.setStaging({ id, only: true })
  const { access_token } = await exchangeRun(world, await issuer.token(gitHub()), 'workflow/digest')
  const file = workflowFile({ name: 'Digest' })
  const response = await publishWith(world, access_token, { file }, `/api/library/items/${id}/artifact`)
  assert.equal(response.status, 202, await response.clone().text())
  return ((await response.json()) as { id: string }).id
}

async function predicateOf(world: World, id: string, version: string) {
  const { payload } = await world.alice.transparency.statement({ id, version })
  return (JSON.parse(Buffer.from(payload, 'base64').toString()) as { predicate: Record<string, unknown> }).predicate
}

onEveryEngine('an item that is only staged', (it) => {
  it('keeps a version of a run until a maintainer agrees, whom its statement names', async (world) => {
    const { alice, bob } = world
    const { item, bobId } = await shared(world)
    const act = await stagedByRun(world, alice, item.id)
    assert.equal(await versionOf(alice, item.id), '1.0.0')
    assert.deepEqual([await waiting(alice, item.id), await waiting(bob, item.id)], [[act], [act]])
    world.clock.pass(2 * 86_400)
    await world.app.cleanUp()
    const later = await signedInBrowser(world, bob)
    assert.equal((await later.pendingActs.approve({ id: act })).state, 'made')
    assert.equal(await versionOf(alice, item.id), '1.0.1')
    const predicate = await predicateOf(world, item.id, '1.0.1')
    assert.deepEqual(predicate['approver'], { id: bobId, username: 'bobby' })
    assert.ok(predicate['provenance'])
    assert.deepEqual(await waiting(bob, item.id), [])
  })

  it('keeps a version of every other program too, and none of a person at the site', async (world) => {
    const { alice } = world
    const { id } = await publish(alice)
    await alice.trustedPublishers.setStaging({ id, only: true })
    const agent = await agentOf(world, alice)
    const act = await waits(newVersion(agent as unknown as Person, id))
    assert.deepEqual(await waiting(alice, id), [act.id])
    assert.equal(await versionOf(alice, id), '1.0.0')
    assert.equal((await newVersion(alice, id)).version, '1.0.1')
    await alice.trustedPublishers.setStaging({ id, only: false })
    assert.equal((await newVersion(agent as unknown as Person, id)).version, '1.0.2')
  })

  it('takes a passkey where the account has one, and another credential where it has none', async (world) => {
    const { alice } = world
    const { id } = await publish(alice)
    const act = await stagedByRun(world, alice, id)
    const other = await signedInBrowser(world, alice)
    await register(alice, new Authenticator())
    await assert.rejects(other.pendingActs.approve({ id: act }), PASSKEY)
    await assert.rejects(other.trustedPublishers.setStaging({ id, only: false }), PASSKEY)
    assert.equal((await alice.pendingActs.approve({ id: act })).state, 'made')
  })

  it('takes a credential that was used within ten minutes', async (world) => {
    const { alice } = world
    const { id } = await publish(alice)
    const act = await stagedByRun(world, alice, id)
    world.clock.pass(11 * 60)
    await assert.rejects(alice.pendingActs.approve({ id: act }), PASSKEY)
    assert.equal(await versionOf(alice, id), '1.0.0')
    await alice.pendingActs.refuse({ id: act, reason: 'Not now' })
    assert.equal((await alice.pendingActs.get({ id: act })).state, 'refused')
  })

  it('is decided on by its people alone, never by a token', async (world) => {
    const { alice, bob } = world
    const { item, carol } = await shared(world)
    const dave = world.person('dave')
    const act = await stagedByRun(world, alice, item.id)
    await assert.rejects(dave.pendingActs.get({ id: act }), NOT_FOUND)
    await assert.rejects(dave.pendingActs.list({ item: item.id }), NOT_FOUND)
    await assert.rejects(dave.pendingActs.approve({ id: act }), NOT_FOUND)
    const agent = await agentOf(world, alice)
    await assert.rejects(agent.pendingActs.approve({ id: act }), { status: 401 })
    await assert.rejects(agent.trustedPublishers.setStaging({ id: item.id, only: false }), { status: 401 })
    await assert.rejects(bob.trustedPublishers.setStaging({ id: item.id, only: false }), FORBIDDEN)
    await assert.rejects(dave.trustedPublishers.staging({ id: item.id }), FORBIDDEN)
    assert.equal((await bob.trustedPublishers.staging({ id: item.id })).only, true)
    const all = await Promise.allSettled(
      Array.from({ length: 10 }, (_, at) => (at % 2 ? alice : carol).pendingActs.approve({ id: act })),
    )
    assert.equal(all.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.equal(await versionOf(alice, item.id), '1.0.1')
  })

  it('says before what the version may newly do', async (world) => {
    const { alice } = world
    const { id } = await publish(alice)
    const act = await stagedByRun(world, alice, id)
    const { preview } = await alice.pendingActs.get({ id: act })
    assert.equal((preview.body as { version: string }).version, '1.0.1')
  })

  it('forgets what waits after seven days, and when its publisher is removed', async (world) => {
    const { alice } = world
    const { id } = await publish(alice)
    const act = await stagedByRun(world, alice, id)
    const [publisher] = (await alice.trustedPublishers.list({ item: id })).items
    await alice.trustedPublishers.remove({ id: publisher!.id })
    assert.equal((await alice.pendingActs.get({ id: act })).state, 'ended')
    await assert.rejects(alice.pendingActs.approve({ id: act }), { status: 409 })
  })

  it('loses who agreed when that account is erased', async (world) => {
    const { alice, bob } = world
    const { item } = await shared(world)
    const act = await stagedByRun(world, alice, item.id)
    await bob.pendingActs.approve({ id: act })
    await bob.deletion.request({ content: 'anonymise' })
    world.clock.pass(31 * 86_400)
    await world.app.work()
    const predicate = await predicateOf(world, item.id, '1.0.1')
    assert.equal(predicate['approver'], null)
    assert.ok(predicate['publisher'])
    const acts = await world.db.selectFrom('pendingAct').select('deciderId').execute()
    assert.deepEqual(
      acts.filter(({ deciderId }) => deciderId !== null),
      [],
    )
  })
})
