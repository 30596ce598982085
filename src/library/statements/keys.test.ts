// Keys of those who publish, and what they sign.
import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { workflowFile } from '../../../test/library.ts'
import { onEveryEngine, type Person } from '../../../test/world.ts'
import { encodingOf } from './statement.ts'

function newKey() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const public_key = publicKey.export({ format: 'der', type: 'spki' }).subarray(12).toString('base64')
  return { public_key, sign: (text: string) => sign(null, encodingOf(text), privateKey).toString('base64') }
}

const payloadOf = async (person: Person, id: string) =>
  Buffer.from((await person.transparency.statement({ id, version: '1.0.0' })).payload, 'base64').toString()

onEveryEngine('keys of publishers', (it) => {
  it('sign versions of their account', async ({ alice, bob, anonymous, app, mails }) => {
    await alice.account()
    const { id } = await alice.library.publish({ kind: 'workflow', file: workflowFile(), visibility: 'public' })
    const key = newKey()
    const added = await alice.publisherKeys.add({ name: 'Laptop', public_key: key.public_key })
    assert.match((await mails(alice.email)).at(-1)!.body, /Name: "Laptop"/)
    const signature = key.sign(await payloadOf(alice, id))
    const given = { id, version: '1.0.0', key_id: added.id, signature }
    await alice.publisherKeys.sign(given)
    const { signatures } = await anonymous.transparency.statement({ id, version: '1.0.0' })
    assert.deepEqual(signatures[1], { keyid: added.id, sig: signature })
    await app.sequenceLog()
    const { publisher_key } = await anonymous.transparency.proof({ id, version: '1.0.0' })
    assert.deepEqual(publisher_key, { keyid: added.id, public_key: key.public_key, revoked_at: null })
    await assert.rejects(alice.publisherKeys.sign({ ...given, signature: key.sign('other') }), { status: 400 })
    await assert.rejects(alice.publisherKeys.sign({ ...given, version: '1.0.1' }), { status: 404 })
    await assert.rejects(bob.publisherKeys.sign(given), { status: 403 })
    await assert.rejects(alice.publisherKeys.sign({ ...given, key_id: id }), { status: 400 })
    await alice.publisherKeys.revoke({ id: added.id })
    await assert.rejects(alice.publisherKeys.sign(given), { status: 400 })
    assert.equal((await anonymous.transparency.proof({ id, version: '1.0.0' })).publisher_key?.keyid, added.id)
  })

  it('are shown with their revocation to everybody who sees what they signed', async ({
    alice,
    bob,
    anonymous,
    app,
  }) => {
    const { id, slug } = await alice.library.publish({ kind: 'workflow', file: workflowFile(), visibility: 'public' })
    const key = newKey()
    const { id: keyid } = await alice.publisherKeys.add({ name: 'Laptop', public_key: key.public_key })
    const signature = key.sign(await payloadOf(alice, id))
    await alice.publisherKeys.sign({ id, version: '1.0.0', key_id: keyid, signature })
    await app.sequenceLog()
    const shown = (revoked_at: string | null) => ({ keyid, public_key: key.public_key, revoked_at })
    const of = { id, version: '1.0.0' }
    const named = { kind: 'workflow', slug, version: '1.0.0' } as const
    const seen = async () => [
      (await anonymous.transparency.proof(of)).publisher_key,
      (await bob.transparency.findProof(named)).publisher_key,
      (await anonymous.transparency.statement(of)).publisher_key,
      (await bob.transparency.findStatement(named)).publisher_key,
    ]
    assert.deepEqual(await seen(), Array(4).fill(shown(null)))
    const { revoked_at } = await alice.publisherKeys.revoke({ id: keyid })
    assert.ok(revoked_at)
    assert.deepEqual(await seen(), Array(4).fill(shown(revoked_at)))
    // Also of a private item, which has no proof.
    await alice.library.update({ id, visibility: 'private' })
    assert.deepEqual((await alice.transparency.statement(of)).publisher_key, shown(revoked_at))
    await assert.rejects(bob.transparency.statement(of), { status: 404 })
  })

  it('are twenty, each once, and of their account alone', async ({ alice, bob }) => {
    const first = await alice.publisherKeys.add({ name: 'One', public_key: newKey().public_key })
    await assert.rejects(alice.publisherKeys.add({ name: 'Same', public_key: first.public_key }), { status: 409 })
    for (let count = 1; count < 20; count++) {
      await alice.publisherKeys.add({ name: `Key ${count}`, public_key: newKey().public_key })
    }
    const more = { name: 'More', public_key: newKey().public_key }
    await assert.rejects(alice.publisherKeys.add(more), { status: 409 })
    await assert.rejects(bob.publisherKeys.revoke({ id: first.id }), { status: 404 })
    await alice.publisherKeys.revoke({ id: first.id })
    await alice.publisherKeys.add(more)
    const { items } = await alice.publisherKeys.list()
    assert.deepEqual([items.length, items.filter(({ revoked_at }) => revoked_at).length], [21, 1])
    assert.deepEqual((await bob.publisherKeys.list()).items, [])
    const of = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64')
    for (const bytes of [31, 33])
      await assert.rejects(bob.publisherKeys.add({ name: 'Wrong', public_key: of(bytes) }), { status: 400 })
    // The last letter has bits that no byte has.
    await assert.rejects(bob.publisherKeys.add({ name: 'Wrong', public_key: `${of(32).slice(0, -2)}B=` }), {
      status: 400,
    })
    for (const public_key of ['', 'x', `${more.public_key}AAAA`, more.public_key.replace(/.$/, '*')]) {
      await assert.rejects(bob.publisherKeys.add({ name: 'Wrong', public_key }), { status: 400 })
    }
  })

  it('need re-authentication in a session', async ({ alice, clock }) => {
    await alice.account()
    clock.pass(601)
    const key = { name: 'Laptop', public_key: newKey().public_key }
    await assert.rejects(alice.publisherKeys.add(key), { status: 403, code: 'reauthentication_required' })
  })
})

onEveryEngine(
  'revocations of keys',
  (it) => {
    it('have a budget of their own, which additions and signatures leave alone', async ({ alice, clock }) => {
      const ids = []
      for (let count = 0; count < 3; count++) {
        ids.push((await alice.publisherKeys.add({ name: `Key ${count}`, public_key: newKey().public_key })).id)
      }
      const [first, second, third] = ids as [string, string, string]
      for (const id of [first, second]) await alice.publisherKeys.revoke({ id })
      await assert.rejects(alice.publisherKeys.revoke({ id: third }), {
        status: 429,
        message: /^At most 2 revocations of signing keys an hour/,
      })
      await alice.publisherKeys.add({ name: 'Another', public_key: newKey().public_key })
      assert.equal((await alice.publisherKeys.list()).items[2]?.revoked_at, null)
      clock.pass(3_601)
      await alice.publisherKeys.revoke({ id: third })
    })
  },
  { RATE_LIMITS: 'on', BUDGETS: 'keys: 2/hour, 2/hour' },
)
