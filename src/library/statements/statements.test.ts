// Statements of versions, what the log is told of them, and proofs, by the front door.
import assert from 'node:assert/strict'
import { isEnvelopeSigned, parseNote, parseVkey, vkeyOf } from '@guildhall/verifiable'
import { cosign, signerOf, witnessOf } from '@guildhall/verifiable/signing'
import { workflowFile } from '../../../test/library.ts'
import { callingFrom, refusal } from '../../../test/visitor.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { ApiError } from '../../surfaces/client.ts'
import { itemHiding } from '../listing/hiding.ts'
import { statementErasure } from './erasure.ts'
import { digestOf, readPayload } from './statement.ts'

const publish = (person: Person, visibility: 'private' | 'public' = 'public') =>
  person.library.publish({ kind: 'workflow', file: workflowFile(), visibility })

const all = async ({ app, anonymous }: World) => {
  await app.sequenceLog()
  return (await anonymous.transparency.changes({})).changes
}

const told = async (world: World) => (await all(world)).map(({ type, version }) => [type, version?.version])

onEveryEngine('the log of the library', (it) => {
  it('has every version that everybody sees, and nothing of private items', async (world) => {
    const { alice } = world
    const { id, slug } = await publish(alice, 'private')
    await alice.library.publishVersion({ id, file: workflowFile() })
    assert.deepEqual(await all(world), [])
    await alice.library.update({ id, visibility: 'public' })
    await alice.library.publishVersion({ id, file: workflowFile({ name: 'Other' }) })
    const changes = await all(world)
    const entries = changes.map(({ entry }) => JSON.parse(entry))
    assert.deepEqual(
      entries.map(({ type, item, name, version }) => [type, item, name, version]),
      ['1.0.0', '1.0.1', '1.0.2'].map((version) => ['publish', id, `workflow/${slug}`, version]),
    )
    const { versions } = await alice.library.versions({ id })
    assert.deepEqual(
      entries.map(({ sha256 }) => sha256),
      versions.map(({ sha256 }) => sha256).reverse(),
    )
    assert.deepEqual([changes[0]?.item?.id, changes[2]?.version?.version], [id, '1.0.2'])
    assert.equal(JSON.stringify(entries).includes((await alice.account()).id), false)
  })

  it('has what is done with an item, in its order', async (world) => {
    const { alice, admin } = world
    const { id } = await publish(alice)
    await alice.library.update({ id, visibility: 'private' })
    await alice.library.update({ id, visibility: 'public' })
    await admin.library.update({ id, visibility: 'official' })
    await admin.library.update({ id, visibility: 'public' })
    await alice.library.update({ id, name: 'Only words' })
    const before = await told(world)
    await alice.library.delete({ id })
    assert.deepEqual(
      before.map(([type]) => type),
      ['publish', 'withdraw', 'restore', 'official', 'unofficial'],
    )
    const after = await all(world)
    assert.deepEqual([after.length, after[5]?.type, after[5]?.item], [6, 'delete', null])
  })

  it('has yanks of versions, and what takes them back, each once', async (world) => {
    const { alice } = world
    const { id } = await publish(alice)
    await alice.library.publishVersion({ id, file: workflowFile({ name: 'Other' }) })
    for (const yanked of [true, true, false, false]) {
      await alice.library.yank({ id, version: '1.0.0', yanked, ...(yanked && { reason: 'Broken' }) })
    }
    assert.deepEqual((await told(world)).slice(2), [
      ['yank', '1.0.0'],
      ['unyank', '1.0.0'],
    ])
    const secret = await publish(alice, 'private')
    await alice.library.publishVersion({ id: secret.id, file: workflowFile({ name: 'Other' }) })
    await alice.library.yank({ id: secret.id, version: '1.0.0', yanked: true })
    assert.equal((await told(world)).length, 4)
    await alice.library.update({ id: secret.id, visibility: 'public' })
    assert.deepEqual(
      (await told(world)).slice(4).map(([type]) => type),
      ['publish', 'yank', 'publish'],
    )
  })

  it('says that moderators took something away', async (world) => {
    const { alice, db, dependencies } = world
    const { id } = await publish(alice)
    await db.transaction().execute(async (transaction) => {
      await itemHiding.setHidden(transaction, id, { hidden: 4, now: new Date(dependencies.clock.now()).toISOString() })
    })
    const [, withdrawn] = await all(world)
    assert.deepEqual(
      [withdrawn?.type, JSON.parse(withdrawn!.entry).by, withdrawn?.item],
      ['withdraw', 'moderation', null],
    )
  })

  it('takes in what was there before, once and in order', async (world) => {
    const { alice, bob, db, app } = world
    const first = await publish(alice)
    const second = await publish(bob)
    await alice.library.publishVersion({ id: first.id, file: workflowFile() })
    const hidden = await publish(bob, 'private')
    await db.deleteFrom('versionStatement').execute()
    await db.deleteFrom('logEntry').execute()
    await app.backfill()
    await app.backfill()
    const changes = await all(world)
    assert.deepEqual(
      changes.map(({ item_id, version }) => [item_id, version?.version]),
      [
        [first.id, '1.0.0'],
        [first.id, '1.0.1'],
        [second.id, '1.0.0'],
      ],
    )
    assert.equal(
      changes.some(({ item_id }) => item_id === hidden.id),
      false,
    )
  })

  it('is read in pages', async (world) => {
    const { alice, anonymous } = world
    for (let count = 0; count < 3; count++) await publish(alice)
    await all(world)
    const page = await anonymous.transparency.changes({ after: 0, limit: 1 })
    assert.deepEqual([page.changes[0]?.index, page.changes.length, page.next, page.size], [1, 1, 1, 3])
    const end = await anonymous.transparency.changes({ after: 2 })
    assert.deepEqual([end.changes, end.next], [[], 2])
    for (const limit of [0, 101]) await assert.rejects(anonymous.transparency.changes({ limit }), { status: 400 })
  })
})

onEveryEngine('the statement of a version', (it) => {
  it('says what was published by whom, and is signed with the key of the log', async ({
    alice,
    anonymous,
    app,
    db,
  }) => {
    const item = await publish(alice)
    const { id: accountId, username } = await alice.account()
    const envelope = await anonymous.transparency.statement({ id: item.id, version: '1.0.0' })
    const bySlug = await anonymous.transparency.findStatement({ kind: 'workflow', slug: item.slug, version: '1.0.0' })
    assert.deepEqual(bySlug, envelope)
    const payload = Buffer.from(envelope.payload, 'base64').toString()
    const { time, ...facts } = readPayload(payload)
    assert.deepEqual(facts, {
      ...{ item: item.id, name: `workflow/${item.slug}`, version: '1.0.0', sha256: item.sha256, size: item.size },
      publisher: { id: accountId, username },
    })
    assert.equal(time, item.created_at)
    const key = parseVkey((await (await app.fetch(new Request('http://localhost:3000/log/key'))).text()).trim())!
    const [{ keyid }, ...others] = envelope.signatures as [{ keyid: string; sig: string }]
    assert.deepEqual([keyid, others], [`${key.name}+${key.id}`, []])
    assert.ok(await isEnvelopeSigned(envelope, { keyid, key: key.key }))
    await app.sequenceLog()
    const { text } = await db.selectFrom('logEntry').select('text').executeTakeFirstOrThrow()
    assert.equal(JSON.parse(text).statement, digestOf(payload))
  })

  it('is for those who see the item', async ({ alice, bob, anonymous }) => {
    const { id } = await publish(alice, 'private')
    await alice.transparency.statement({ id, version: '1.0.0' })
    for (const person of [bob, anonymous]) {
      await assert.rejects(person.transparency.statement({ id, version: '1.0.0' }), { status: 404 })
      await assert.rejects(person.transparency.proof({ id, version: '1.0.0' }), { status: 404 })
    }
    await assert.rejects(alice.transparency.statement({ id, version: '1.0.1' }), { status: 404 })
    await assert.rejects(alice.transparency.proof({ id, version: '1.0.0' }), { status: 404 })
  })

  it('loses the name of an account that is erased, and is logged again', async (world) => {
    const { alice, dependencies, anonymous, clock } = world
    const { id } = await publish(alice)
    const account = await alice.account()
    while (await statementErasure.erase(dependencies, { ...account, content: 'anonymise' } as never)) clock.stop()
    const { payload } = await anonymous.transparency.statement({ id, version: '1.0.0' })
    const text = Buffer.from(payload, 'base64').toString()
    assert.equal(readPayload(text).publisher, null)
    assert.equal(text.includes(account.id), false)
    assert.deepEqual(await told(world), [
      ['publish', '1.0.0'],
      ['publish', '1.0.0'],
    ])
  })
})

onEveryEngine('a read of a proof', (it) => {
  it('gives the version no place: until it has one there is no proof, and the client is told to ask again', async (world) => {
    const { alice, anonymous, app, db } = world
    const { id } = await publish(alice)
    const places = async () => (await db.selectFrom('logEntry').select('position').execute()).map((row) => row.position)
    const error = await anonymous.transparency.proof({ id, version: '1.0.0' }).catch((error: ApiError) => error)
    assert.ok(error instanceof ApiError)
    assert.deepEqual([error.status, error.headers.get('retry-after')], [404, '1'])
    assert.match(error.message, /not in the log yet/)
    assert.deepEqual(await places(), [null])
    await app.sequenceLog()
    assert.equal((await anonymous.transparency.proof({ id, version: '1.0.0' })).index, 0)
    // Under its new name it is stated again: the older leaf is about another statement.
    await alice.library.rename({ id, slug: 'evening-digest' })
    await assert.rejects(anonymous.transparency.proof({ id, version: '1.0.0' }), { status: 404 })
    assert.deepEqual(
      (await places()).filter((position) => position !== null),
      [0],
    )
    await app.sequenceLog()
    assert.equal((await anonymous.transparency.proof({ id, version: '1.0.0' })).index, 2)
  })
})

const WITNESS = witnessOf('witness.example/w1', Buffer.alloc(32, 7))

onEveryEngine(
  'the proof of a version',
  (it) => {
    it('comes with the checkpoint that a witness signed, once that has it', async (world) => {
      const { alice, anonymous, app } = world
      const first = await publish(alice)
      await app.sequenceLog()
      const proof = await anonymous.transparency.proof({ id: first.id, version: '1.0.0' })
      assert.deepEqual([proof.index, proof.hashes, proof.consistency], [0, [], undefined])
      const { text } = parseNote(proof.checkpoint)!
      const line = cosign(text, WITNESS, 1_700_000_000)
      const { checkpoint } = await anonymous.transparency.cosign({ size: 1, line: line.trim() })
      assert.equal(checkpoint, proof.checkpoint + line)
      const second = await publish(alice)
      await app.sequenceLog()
      assert.equal((await anonymous.transparency.proof({ id: first.id, version: '1.0.0' })).checkpoint, checkpoint)
      const newer = await anonymous.transparency.proof({ id: second.id, version: '1.0.0', seen: 1 })
      assert.deepEqual([newer.index, newer.hashes.length, newer.consistency?.old], [1, 1, 1])
      assert.equal(parseNote(newer.checkpoint)?.text.split('\n')[1], '2')
      const other = cosign(text, signerWith(9), 1_700_000_000)
      await assert.rejects(anonymous.transparency.cosign({ size: 1, line: other }), { status: 403 })
      await assert.rejects(anonymous.transparency.cosign({ size: 2, line }), { status: 403 })
      await assert.rejects(anonymous.transparency.cosign({ size: 3, line }), { status: 404 })
      await assert.rejects(anonymous.transparency.cosign({ size: 1, line: `${line}${line}` }), { status: 403 })
      await assert.rejects(anonymous.transparency.consistency({ old: 2, size: 1 }), { status: 400 })
      await assert.rejects(anonymous.transparency.consistency({ old: 1, size: 3 }), { status: 404 })
      assert.equal((await anonymous.transparency.consistency({ old: 1, size: 2 })).hashes.length, 1)
    })
  },
  { WITNESS_KEYS: vkeyOf(WITNESS) },
)

const signerWith = (byte: number) => ({ ...signerOf(WITNESS.name, Buffer.alloc(32, byte)), id: WITNESS.id })

onEveryEngine(
  'cosignatures',
  (it) => {
    it('have a budget of each network', async (world) => {
      const { alice, app, db } = world
      await publish(alice)
      await app.sequenceLog()
      const { note } = await db.selectFrom('logCheckpoint').select('note').executeTakeFirstOrThrow()
      const line = cosign(parseNote(note)!.text, WITNESS, 1_700_000_000)
      const [here, there] = [callingFrom(world, '192.0.2.1'), callingFrom(world, '198.51.100.1')]
      for (let count = 0; count < 3; count++) await here.transparency.cosign({ size: 1, line })
      const error = await refusal(here.transparency.cosign({ size: 1, line }))
      assert.deepEqual([error.status, error.code], [429, 'rate_limited'])
      assert.match(error.message, /^Too many cosignatures of the log from your network/)
      assert.ok(Number(error.headers.get('retry-after')) > 0)
      await there.transparency.cosign({ size: 1, line })
      world.clock.pass(3_601)
      await here.transparency.cosign({ size: 1, line })
      // What is no cosignature uses up nothing.
      const other = cosign(parseNote(note)!.text, signerWith(9), 1_700_000_000)
      for (let count = 0; count < 3; count++) {
        await assert.rejects(there.transparency.cosign({ size: 1, line: other }), { status: 403 })
      }
      await there.transparency.cosign({ size: 1, line })
    })
  },
  { WITNESS_KEYS: vkeyOf(WITNESS), RATE_LIMITS: 'on', BUDGETS: 'cosignatures: 3/hour' },
)
