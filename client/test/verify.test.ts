// Proofs against a server, and what the client notices: a row, a leaf, a tile or a key that was changed behind the back of the log.
import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { isIncluded, parseNote, vkeyOf } from '@guildhall/verifiable'
import { cosign, witnessOf } from '@guildhall/verifiable/signing'
import { workflowFile } from '../../test/library.ts'
import { onEveryEngine, type World } from '../../test/world.ts'
import {
  createClient,
  fetchProofBundle,
  type ProofBundle,
  type SeenLog,
  statementToSign,
  VerifyError,
  verifyBundle,
} from '../src/main-node.ts'

/** A client whose requests go to the application itself. */
const clientOf = ({ app, dependencies }: World) =>
  createClient({
    url: dependencies.config.baseUrl,
    retries: 0,
    fetch: async (url, init) => app.fetch(new Request(url, init as RequestInit)),
  })

async function published(world: World, count = 1) {
  const items = []
  for (let at = 0; at < count; at++) {
    items.push(await world.alice.library.publish({ kind: 'workflow', file: workflowFile(), visibility: 'public' }))
  }
  await world.app.sequenceLog()
  return items as [(typeof items)[0], ...typeof items]
}

const bundleOf = (world: World, { slug }: { slug: string }, seen?: SeenLog) =>
  fetchProofBundle(clientOf(world), { kind: 'workflow', slug, version: '1.0.0', seen, waitSeconds: 0 })

const doubts = (doubt: string) => (error: unknown) => error instanceof VerifyError && error.doubt === doubt

/** workflow/... of alice, signed with a key of hers, as the server proves it. */
async function signed(world: World) {
  const { alice } = world
  const [item] = await published(world)
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const public_key = publicKey.export({ format: 'der', type: 'spki' }).subarray(12).toString('base64')
  const { id: keyId } = await alice.publisherKeys.add({ name: 'Laptop', public_key })
  const statement = await alice.transparency.statement({ id: item.id, version: '1.0.0' })
  const { message } = statementToSign(statement, { kind: 'workflow' })
  const signature = sign(null, message, privateKey).toString('base64')
  await alice.publisherKeys.sign({ id: item.id, version: '1.0.0', key_id: keyId, signature })
  return { item, keyId, public_key, time: Date.parse(statementToSign(statement, { kind: 'workflow' }).time) }
}

onEveryEngine('a proof', (it) => {
  it('is checked without the server, also later against a longer log', async (world) => {
    const [first] = await published(world)
    const { sha256 } = first
    const bundle = await bundleOf(world, first)
    const { username } = await world.alice.account()
    const verified = await verifyBundle(bundle, { sha256 })
    assert.deepEqual([verified.index, verified.publisher?.username, verified.publisherKey], [0, username, null])
    assert.deepEqual([verified.seen.size, verified.seen.earlier], [1, {}])
    const [second] = await published(world, 3)
    const newer = await verifyBundle(await bundleOf(world, second, verified.seen), {
      sha256: second.sha256,
      seen: verified.seen,
    })
    assert.deepEqual([newer.seen.size, Object.keys(newer.seen.earlier)], [4, ['1']])
    const kept = await verifyBundle(bundle, { sha256, seen: newer.seen })
    assert.deepEqual(kept.seen, newer.seen)
    await assert.rejects(
      verifyBundle(await bundleOf(world, second), { sha256: second.sha256, seen: verified.seen }),
      doubts('consistency'),
    )
  })

  it('is of one file, one name and one version', async (world) => {
    const [first, second] = await published(world, 2)
    const bundle = await bundleOf(world, first)
    const { sha256 } = first
    await assert.rejects(verifyBundle(bundle, { sha256: 'ab'.repeat(32) }), doubts('artifact'))
    await assert.rejects(verifyBundle({ ...bundle, version: '1.0.1' }, { sha256 }), doubts('statement'))
    await assert.rejects(verifyBundle({ ...bundle, name: 'workflow/other' }, { sha256 }), doubts('statement'))
    const other = await bundleOf(world, second!)
    await assert.rejects(verifyBundle({ ...bundle, entry: other.entry }, { sha256 }), doubts('inclusion'))
    await assert.rejects(verifyBundle({ ...bundle, index: 1 }, { sha256 }), doubts('inclusion'))
    await assert.rejects(verifyBundle({ ...bundle, hashes: [] }, { sha256 }), doubts('inclusion'))
    await assert.rejects(
      verifyBundle({ ...bundle, checkpoint: `x${bundle.checkpoint}` }, { sha256 }),
      doubts('checkpoint'),
    )
    await assert.rejects(verifyBundle({ ...bundle, key: 'x' }, { sha256 }), doubts('malformed'))
    const unsigned = { ...bundle.statement, signatures: [] }
    await assert.rejects(verifyBundle({ ...bundle, statement: unsigned }, { sha256 }), doubts('statement'))
  })

  it('counts with a key that was revoked after the statement, and not before', async (world) => {
    const { item, keyId, public_key, time } = await signed(world)
    const { sha256 } = item
    const keyOf = async (bundle: ProofBundle) => {
      const { publisherKey, keyRevokedAt } = await verifyBundle(bundle, { sha256 })
      return [publisherKey, keyRevokedAt]
    }
    assert.deepEqual(await keyOf(await bundleOf(world, item)), [public_key, null])
    world.clock.pass(60)
    const { revoked_at } = await world.alice.publisherKeys.revoke({ id: keyId })
    const bundle = await bundleOf(world, item)
    assert.deepEqual(await keyOf(bundle), [public_key, revoked_at])
    const revokedAt = (at: number) => {
      const publisher_key = { ...bundle.publisher_key!, revoked_at: new Date(at).toISOString() }
      return { ...bundle, publisher_key }
    }
    assert.deepEqual(await keyOf(revokedAt(time)), [public_key, new Date(time).toISOString()])
    await assert.rejects(keyOf(revokedAt(time - 1)), doubts('revoked'))
    const odd = { ...bundle, publisher_key: { ...bundle.publisher_key!, revoked_at: 'x' } }
    await assert.rejects(keyOf(odd), doubts('malformed'))
    // A server from before, and what was kept then, says nothing of it.
    const { revoked_at: _, ...before } = bundle.publisher_key!
    assert.deepEqual(await keyOf({ ...bundle, publisher_key: before as typeof bundle.publisher_key }), [
      public_key,
      null,
    ])
  })

  it('of a log with another key than before is refused', async (world) => {
    const [item] = await published(world)
    const bundle = await bundleOf(world, item)
    const { seen } = await verifyBundle(bundle, { sha256: item.sha256 })
    const key = vkeyOf(witnessOf('localhost:3000/log', Buffer.alloc(32, 3)))
    await assert.rejects(verifyBundle(bundle, { sha256: item.sha256, seen: { ...seen, key } }), doubts('key'))
  })

  it('shows a version that was changed in the database', async (world) => {
    const { db } = world
    const [item] = await published(world)
    await db
      .updateTable('itemVersion')
      .set({ sha256: 'cd'.repeat(32) })
      .execute()
    await db
      .updateTable('libraryItem')
      .set({ sha256: 'cd'.repeat(32) })
      .execute()
    const bundle = await bundleOf(world, item)
    await assert.rejects(verifyBundle(bundle, { sha256: 'cd'.repeat(32) }), doubts('artifact'))
    // Also when the statement is changed with it: the log has another one.
    const statement = await db.selectFrom('versionStatement').selectAll().executeTakeFirstOrThrow()
    await db
      .updateTable('versionStatement')
      .set({ payload: statement.payload.replace(item.sha256, 'cd'.repeat(32)) })
      .execute()
    const forged = await bundleOf(world, item)
    await assert.rejects(verifyBundle(forged, { sha256: 'cd'.repeat(32) }), doubts('inclusion'))
  })

  it('shows a leaf that was changed in the database', async (world) => {
    const { db } = world
    const [item] = await published(world, 2)
    const { text } = await db.selectFrom('logEntry').select('text').where('position', '=', 0).executeTakeFirstOrThrow()
    await db
      .updateTable('logEntry')
      .set({ text: text.replace('"v":1', '"v":1 ') })
      .where('position', '=', 0)
      .execute()
    await assert.rejects(verifyBundle(await bundleOf(world, item), { sha256: item.sha256 }), doubts('inclusion'))
  })

  it('shows a tile that was changed in the database', async (world) => {
    const { db } = world
    const [item] = await published(world, 3)
    const tile = await db.selectFrom('logTile').selectAll().executeTakeFirstOrThrow()
    const hashes = tile.hashes.slice(0, 64) + 'ee'.repeat(32) + tile.hashes.slice(128)
    await db.updateTable('logTile').set({ hashes }).execute()
    await assert.rejects(verifyBundle(await bundleOf(world, item), { sha256: item.sha256 }), doubts('inclusion'))
  })

  it('shows a log that was written again', async (world) => {
    const { db, app } = world
    const [first] = await published(world)
    const { seen } = await verifyBundle(await bundleOf(world, first), { sha256: first.sha256 })
    for (const table of ['logTile', 'logCheckpoint'] as const) await db.deleteFrom(table).execute()
    await db.updateTable('logHead').set({ size: 0 }).execute()
    await db.updateTable('logEntry').set({ position: null, text: '{"type":"delete"}' }).execute()
    const [second] = await published(world)
    await app.sequenceLog()
    const bundle = await bundleOf(world, second, seen)
    await verifyBundle(bundle, { sha256: second.sha256 })
    await assert.rejects(verifyBundle(bundle, { sha256: second.sha256, seen }), doubts('consistency'))
  })
})

const WITNESS = witnessOf('witness.example/w1', Buffer.alloc(32, 7))
const OTHER = witnessOf('witness.example/w2', Buffer.alloc(32, 8))

onEveryEngine(
  'the cosignatures of a proof',
  (it) => {
    it('are counted', async (world) => {
      const [item] = await published(world)
      const { sha256 } = item
      const witnesses = [vkeyOf(WITNESS), vkeyOf(OTHER)]
      const alone = await bundleOf(world, item)
      await assert.rejects(verifyBundle(alone, { sha256, witnesses, quorum: 1 }), doubts('witness'))
      const line = cosign(parseNote(alone.checkpoint)!.text, WITNESS, 1_700_000_000)
      await world.anonymous.transparency.cosign({ size: 1, line })
      const bundle: ProofBundle = await bundleOf(world, item)
      assert.deepEqual((await verifyBundle(bundle, { sha256, witnesses, quorum: 1 })).witnesses, ['witness.example/w1'])
      await assert.rejects(verifyBundle(bundle, { sha256, witnesses, quorum: 2 }), doubts('witness'))
      // A client that has seen more than the witness gets the proof in the other direction.
      const [second] = await published(world)
      const { seen } = await verifyBundle(await bundleOf(world, second), { sha256: second.sha256 })
      assert.equal(seen.size, 2)
      const older = await verifyBundle(await bundleOf(world, item, seen), { sha256, seen, witnesses, quorum: 1 })
      assert.deepEqual([older.seen.size, Object.keys(older.seen.earlier)], [2, ['1']])
    })
  },
  { WITNESS_KEYS: vkeyOf(WITNESS) },
)

onEveryEngine('the arithmetic of the client', (it) => {
  it('refuses an index outside of the tree', async () => {
    const leaf = new Uint8Array(32)
    for (const index of [-1, 1, 0.5, Number.NaN])
      assert.equal(isIncluded(leaf, [], { index, size: 1, root: leaf }), false)
    assert.equal(isIncluded(leaf, [], { index: 0, size: 1, root: leaf }), true)
    assert.equal(isIncluded(leaf, [leaf], { index: 0, size: 1, root: leaf }), false)
  })
})
