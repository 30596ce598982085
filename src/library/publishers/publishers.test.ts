// Who lets a CI publish what, who sees and ends that, and what ends with it.
import assert from 'node:assert/strict'
import { agentOf } from '../../../test/agents.ts'
import { exchangeRun, gitHub, issuerFor, letRun, publishWith } from '../../../test/ci.ts'
import { workflowFile } from '../../../test/library.ts'
import { CONFLICT, FORBIDDEN, NOT_FOUND, named, publish, shared } from '../../../test/owners.ts'
import { asking, waits } from '../../../test/pending.ts'
import { publishFor, SLUG, teamOf } from '../../../test/teams.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { MAX_OF_ACCOUNT, MAX_OF_ITEM } from './rules.ts'

const RUN = { repository: 'mira/digest', workflow: 'publish.yml', ref: 'main' }
const GITHUB = 'https://token.actions.githubusercontent.com'
const add = (by: Person, item: string, more: object = {}) => by.trustedPublishers.add({ item, ...RUN, ...more })
const listed = async (by: Person, item?: string) =>
  (await by.trustedPublishers.list(item === undefined ? {} : { item })).items.map(({ id }) => id)

/** The token of a run that alice's item lets, and whether it is good. */
async function running(world: World, by: Person, itemId: string) {
  const issuer = await issuerFor(world)
  const publisher = await letRun(by, issuer, { item: itemId })
  const { access_token } = await exchangeRun(world, await issuer.token(gitHub()), 'workflow/digest')
  const form = { file: workflowFile({ name: 'Digest' }) }
  const status = async () =>
    (await publishWith(world, access_token, form, `/api/library/items/${itemId}/artifact`)).status
  return {
    publisher,
    status,
    exchange: async () => (await exchangeRun(world, await issuer.token(gitHub()), 'workflow/digest')).status,
  }
}

onEveryEngine('a publisher of a CI', (it) => {
  it('is named by an owner, with full names of what may run, and a mail', async (world) => {
    const { alice } = world
    await named(alice, 'alice')
    const item = await publish(alice)
    const { id, created_at: _, ...publisher } = await add(alice, item.id)
    assert.deepEqual(publisher, {
      ...{ item_id: item.id, kind: 'workflow', slug: 'digest', issuer: GITHUB, repository: 'mira/digest' },
      ...{ workflow: '.github/workflows/publish.yml', ref: 'refs/heads/main', environment: null },
      ...{ repository_id: null, username: 'alice', last_used_at: null },
    })
    assert.deepEqual(await listed(alice, item.id), [id])
    assert.deepEqual(await listed(alice), [id])
    const mail = (await world.mails(alice.email)).at(-1)
    assert.match(String(mail?.subject), /CI can publish/)
    assert.match(String(mail?.body), /workflow\/digest[\s\S]*mira\/digest/)
    const tag = await add(alice, item.id, { issuer: 'https://gitlab.com', workflow: 'ci.yml', ref: 'refs/tags/v*' })
    assert.deepEqual([tag.workflow, tag.ref], ['ci.yml', 'refs/tags/v*'])
    const { items } = await world.admin.admin.listAudit({ targetId: item.id })
    assert.equal(items.filter(({ action }) => action === 'trusted-publisher.add').length, 2)
  })

  it('is named by owners alone, and seen by owners and maintainers', async (world) => {
    const { alice, bob, anonymous } = world
    const { item, carol } = await shared(world)
    const dave = world.person('dave')
    const own = await add(alice, item.id)
    const carols = await add(carol, item.id, { ref: 'other' })
    for (const other of [bob, dave]) await assert.rejects(add(other, item.id, { ref: 'x' }), FORBIDDEN)
    assert.deepEqual(await listed(bob, item.id), [own.id, carols.id])
    assert.deepEqual(await listed(bob), [])
    await assert.rejects(dave.trustedPublishers.list({ item: item.id }), FORBIDDEN)
    await assert.rejects(anonymous.trustedPublishers.list({ item: item.id }), { status: 401 })
    for (const other of [bob, dave]) await assert.rejects(other.trustedPublishers.remove({ id: own.id }), NOT_FOUND)
    await carol.trustedPublishers.remove({ id: own.id })
    assert.deepEqual(await listed(alice, item.id), [carols.id])
    const hidden = await publish(alice, 'private', 'Secret')
    await assert.rejects(add(dave, hidden.id), NOT_FOUND)
    await assert.rejects(dave.trustedPublishers.list({ item: hidden.id }), NOT_FOUND)
  })

  it('is refused where it names too little, or what is not there', async (world) => {
    const { alice } = world
    const item = await publish(alice)
    const refused: object[] = [
      { item: item.id, repository: 'mira/digest', workflow: 'publish.yml' },
      { ...RUN },
      { ...RUN, item: item.id, kind: 'workflow', slug: 'x' },
      { ...RUN, kind: 'workflow' },
      { ...RUN, item: item.id, issuer: 'https://elsewhere.example' },
      { ...RUN, item: item.id, repository: 'digest' },
      { ...RUN, item: item.id, repository: 'https://github.com/mira/digest' },
      { ...RUN, item: item.id, workflow: 'publish' },
      { ...RUN, item: item.id, ref: 'v*.*' },
      { ...RUN, kind: 'workflow', slug: '-x' },
    ]
    for (const given of refused) {
      await assert.rejects(alice.trustedPublishers.add(given as never), { status: 400 }, JSON.stringify(given))
    }
    await assert.rejects(add(alice, 'nothing'), NOT_FOUND)
    await assert.rejects(alice.trustedPublishers.add({ ...RUN, kind: 'workflow', slug: 'digest' }), CONFLICT)
    await add(alice, item.id)
    await assert.rejects(add(alice, item.id), CONFLICT)
    assert.equal((await alice.trustedPublishers.add({ ...RUN, kind: 'workflow', slug: 'free' })).item_id, null)
    await assert.rejects(alice.trustedPublishers.add({ ...RUN, kind: 'workflow', slug: 'free' }), CONFLICT)
  })

  it(`is one of at most ${MAX_OF_ITEM} of an item, and ${MAX_OF_ACCOUNT} of an account, also of many at once`, async (world) => {
    const { alice } = world
    const item = await publish(alice)
    await alice.account()
    const all = await Promise.allSettled(
      Array.from({ length: MAX_OF_ITEM + 3 }, (_, at) => add(alice, item.id, { ref: `branch-${at}` })),
    )
    assert.equal(all.filter(({ status }) => status === 'fulfilled').length, MAX_OF_ITEM)
    for (let at = MAX_OF_ITEM; at < MAX_OF_ACCOUNT; at++) {
      await alice.trustedPublishers.add({ ...RUN, kind: 'workflow', slug: `name-${at}` })
    }
    await assert.rejects(alice.trustedPublishers.add({ ...RUN, kind: 'workflow', slug: 'one-more' }), CONFLICT)
    assert.equal((await listed(alice)).length, MAX_OF_ACCOUNT)
  })

  it('takes its tokens with it when it is removed', async (world) => {
    const item = await publish(world.alice)
    const { publisher, status, exchange } = await running(world, world.alice, item.id)
    assert.equal(await status(), 200)
    await world.alice.trustedPublishers.remove({ id: publisher.id })
    assert.deepEqual([await status(), await exchange()], [401, 400])
  })

  it('ends with the role of who named it, and with the item', async (world) => {
    const { alice } = world
    const { item, carol, carolId } = await shared(world)
    const { status, exchange } = await running(world, carol, item.id)
    assert.equal(await status(), 200)
    await alice.library.setMaintainerRole({ id: item.id, accountId: carolId, role: 'maintainer' })
    assert.deepEqual([await status(), await exchange()], [401, 400])
    assert.deepEqual(await listed(carol), [])
    await add(alice, item.id)
    await world.admin.library.delete({ id: item.id, reason: 'Not allowed here' })
    assert.deepEqual(await listed(alice), [])
  })

  it('lets nothing of a team that its account left', async (world) => {
    const { alice } = world
    const { carol, carolId } = await teamOf(world)
    const item = await publishFor(alice)
    const { status, exchange } = await running(world, carol, item.id)
    assert.equal(await status(), 200)
    await alice.teams.remove({ slug: SLUG, accountId: carolId })
    assert.deepEqual([await status(), await exchange()], [403, 400])
  })

  it('ends while its account is blocked', async (world) => {
    const { alice, admin } = world
    const { id } = await alice.account()
    const item = await publish(alice)
    const { status, exchange } = await running(world, alice, item.id)
    await admin.admin.block({ id, blocked: true })
    assert.notEqual(await exchange(), 200)
    assert.notEqual(await status(), 200)
    await admin.admin.block({ id, blocked: false })
    assert.equal(await exchange(), 200)
  })

  it('ends when its account is erased', async (world) => {
    const { alice } = world
    const item = await publish(alice)
    const { exchange } = await running(world, alice, item.id)
    await alice.deletion.request({ content: 'anonymise' })
    assert.notEqual(await exchange(), 200)
    world.clock.pass(31 * 86_400)
    await world.app.work()
    assert.deepEqual(await world.db.selectFrom('trustedPublisher').select('id').execute(), [])
  })

  it('waits for the yes of an account that wants to be asked', async (world) => {
    const { alice } = world
    const item = await publish(alice)
    const agent = await agentOf(world, alice, { more: asking(['library']) })
    const { id } = await waits(agent.trustedPublishers.add({ item: item.id, ...RUN }))
    assert.deepEqual(await listed(alice), [])
    await alice.pendingActs.approve({ id })
    assert.equal((await listed(alice)).length, 1)
  })

  it('is added in a session in which a credential was used of late', async (world) => {
    const { alice } = world
    const item = await publish(alice)
    world.clock.pass(11 * 60)
    await assert.rejects(add(alice, item.id), { status: 403, code: 'reauthentication_required' })
  })

  it('of a name goes on to what the account published by hand before', async (world) => {
    const issuer = await issuerFor(world)
    await letRun(world.alice, issuer, { kind: 'workflow', slug: 'digest' })
    await publish(world.alice)
    assert.equal((await exchangeRun(world, await issuer.token(gitHub()), 'workflow/digest')).status, 200)
  })
})
