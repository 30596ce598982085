// Versions that their publishers sign before they publish them.
import assert from 'node:assert/strict'
import { generateKeyPairSync, hash, sign } from 'node:crypto'
import { agentOf } from '../../../test/agents.ts'
import { signInAgain } from '../../../test/erasure.ts'
import { automationFile, workflowFile } from '../../../test/library.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { DRAFT_SECONDS } from './drafts.ts'
import { encodingOf, readPayload } from './statement.ts'

async function keyOf(person: Person) {
  await person.account()
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const public_key = publicKey.export({ format: 'der', type: 'spki' }).subarray(12).toString('base64')
  const { id } = await person.publisherKeys.add({ name: 'Laptop', public_key })
  return { id, sign: (text: string) => sign(null, encodingOf(text), privateKey).toString('base64') }
}
type Key = Awaited<ReturnType<typeof keyOf>>
type Draft = Awaited<ReturnType<Person['publisherKeys']['draft']>>

const textOf = ({ payload }: Pick<Draft, 'payload'>) => Buffer.from(payload, 'base64').toString()
const signed = (key: Key, draft: Draft, text = textOf(draft)) =>
  JSON.stringify({ ...draft, signatures: [{ keyid: key.id, sig: key.sign(text) }] })

async function factsOf(file: File) {
  const bytes = Buffer.from(await file.arrayBuffer())
  return { sha256: hash('sha256', bytes, 'hex'), size: bytes.length }
}

type DraftInput = Omit<Parameters<Person['publisherKeys']['draft']>[0], 'sha256' | 'size'>
const draft = async (person: Person, file: File, asked: DraftInput) =>
  person.publisherKeys.draft({ ...asked, ...(await factsOf(file)) })
const workflow = { kind: 'workflow', name: 'Morning Digest' } as const
const INVALID = { status: 400, code: 'invalid_signature' }

/** What is stored of items and their files. */
const kept = async ({ db }: World) => [
  (await db.selectFrom('itemVersion').selectAll().execute()).length,
  (await db.selectFrom('slug').selectAll().execute()).length,
  (await db.selectFrom('logEntry').selectAll().execute()).length,
]

onEveryEngine('a publication with a signature', (it) => {
  it('keeps the statement as it was signed, of a new item and of its versions', async ({
    alice,
    anonymous,
    app,
    clock,
  }) => {
    const key = await keyOf(alice)
    const file = workflowFile()
    const first = await draft(alice, file, workflow)
    clock.pass(60)
    const item = await alice.library.publish({
      kind: 'workflow',
      file,
      visibility: 'public',
      signature: signed(key, first),
    })
    const { username, id: accountId } = await alice.account()
    const { time, ...facts } = readPayload(textOf(first))
    assert.deepEqual(facts, {
      ...{ item: item.id, name: `workflow/${item.slug}`, version: '1.0.0', sha256: item.sha256, size: item.size },
      publisher: { id: accountId, username },
    })
    assert.ok(time < item.created_at)
    const statement = await anonymous.transparency.statement({ id: item.id, version: '1.0.0' })
    assert.equal(statement.payload, first.payload)
    assert.deepEqual(statement.signatures[1], { keyid: key.id, sig: key.sign(textOf(first)) })
    await app.sequenceLog()
    const proof = await anonymous.transparency.proof({ id: item.id, version: '1.0.0' })
    assert.equal(proof.publisher_key?.keyid, key.id)

    const next = workflowFile({ n: 1 })
    const second = await draft(alice, next, { kind: 'workflow', id: item.id })
    assert.equal(readPayload(textOf(second)).version, '1.0.1')
    await alice.library.publishVersion({ id: item.id, file: next, signature: signed(key, second) })
    const third = await draft(alice, next, { kind: 'workflow', id: item.id, version: '2.0.0' })
    await alice.library.publishVersion({ id: item.id, file: next, version: '2.0.0', signature: signed(key, third) })
    for (const [version, of] of [
      ['1.0.1', second],
      ['2.0.0', third],
    ] as const) {
      assert.equal((await anonymous.transparency.statement({ id: item.id, version })).payload, of.payload)
    }
    assert.equal((await alice.library.get({ id: item.id })).version, '2.0.0')
  })

  it('waits for the yes of its account for longer than a draft lives', async (world) => {
    const { alice, anonymous, clock } = world
    const key = await keyOf(alice)
    const ask = JSON.stringify([{ type: 'guildhall_bounds', ask: ['library'] }])
    const agent = await agentOf(world, alice, { more: { authorization_details: ask } })
    const file = workflowFile()
    const signature = signed(key, await draft(alice, file, workflow))
    clock.pass(DRAFT_SECONDS - 5)
    const publish = () => agent.library.publish({ kind: 'workflow', file, visibility: 'public', signature })
    await assert.rejects(publish(), { status: 202 })
    const [act] = (await alice.pendingActs.list({ state: 'waiting' })).items
    clock.pass(10)
    await assert.rejects(publish(), INVALID)
    clock.pass(6 * 86_400)
    await signInAgain(alice)
    const made = await alice.pendingActs.approve({ id: act?.id ?? '' })
    assert.deepEqual([made.state, made.answer?.status], ['made', 201], JSON.stringify(made.answer))
    const [item] = (await anonymous.library.list({})).items
    const statement = await anonymous.transparency.statement({ id: item?.id ?? '', version: '1.0.0' })
    assert.equal(statement.signatures.length, 2)
  })

  it('knows the slug and the version that the server gives', async ({ alice, bob }) => {
    const key = await keyOf(bob)
    const file = workflowFile()
    await alice.library.publish({ kind: 'workflow', file })
    const slug = (await draft(bob, file, workflow).then(textOf).then(readPayload)).name
    assert.equal(slug, 'workflow/morning-digest-2')
    const of = await draft(bob, file, workflow)
    assert.equal(
      (await bob.library.publish({ kind: 'workflow', file, signature: signed(key, of) })).slug,
      'morning-digest-2',
    )
    const packed = automationFile({ id: 'harbor-board', version: '0.7.0' })
    const board = await draft(bob, packed, { kind: 'automation', name: 'harbor-board', version: '0.7.0' })
    const { version } = await bob.library.publish({ kind: 'automation', file: packed, signature: signed(key, board) })
    assert.equal(version, '0.7.0')
  })

  it('is refused with a signature that is none, and nothing is kept', async (world) => {
    const { alice, bob, clock } = world
    const [key, other] = [await keyOf(alice), await keyOf(bob)]
    const file = workflowFile()
    const of = await draft(alice, file, workflow)
    const publish = (signature: string, given: File = file) =>
      alice.library.publish({ kind: 'workflow', file: given, visibility: 'public', signature })
    const text = textOf(of)
    const forged = (changes: object) => signed(key, { ...of, ...changes })
    const with64 = (changed: string) => Buffer.from(changed).toString('base64')
    const wrong: [string, string, File?][] = [
      ['no JSON', 'x'],
      ['null', 'null'],
      ['no signature', JSON.stringify({ ...of, signatures: [] })],
      ['two signatures', signed(key, of).replace(']}', `,{"keyid":"${key.id}","sig":""}]}`)],
      ['of another text', signed(key, of, `${text} `)],
      ['by a key of another account', signed(other, of)],
      ['by no key', signed({ ...key, id: 'x\u0000' }, of)],
      [
        'of a statement that the server did not make',
        signed(key, { ...of, payload: with64(text.replace('1.0.0', '1.0.1')) }),
      ],
      [
        'of an id that the server did not choose',
        forged({ payload: with64(text.replace(/"item":"../, '"item":"ff')) }),
      ],
      ['with a made-up ticket', forged({ ticket: 'x' })],
      ['of another type', forged({ payloadType: 'text/plain' })],
      ['of another file', signed(key, of), workflowFile({ n: 1 })],
    ]
    const before = await kept(world)
    for (const [what, signature, given] of wrong) await assert.rejects(publish(signature, given), INVALID, what)
    const ofBob = await draft(bob, file, workflow)
    await assert.rejects(publish(signed(key, ofBob)), INVALID, 'made for another account')
    clock.pass(15 * 60 - 5)
    clock.stop()
    clock.pass(6)
    await assert.rejects(publish(signed(key, of)), { ...INVALID, message: /older than 15 minutes/ })
    const late = await draft(alice, file, workflow)
    await alice.publisherKeys.revoke({ id: key.id })
    await assert.rejects(publish(signed(key, late)), { ...INVALID, message: /revoked/ })
    assert.deepEqual(await kept(world), before)
    const refusedField = alice.library.publish({ kind: 'workflow', file, signature: 'x'.repeat(8_001) })
    await assert.rejects(refusedField, { status: 400, code: 'invalid_request' })
  })

  it('is refused for another name or version than was signed, and a statement is used once', async (world) => {
    const { alice, bob } = world
    const key = await keyOf(alice)
    const file = workflowFile()
    const of = await draft(alice, file, workflow)
    const publish = (signature: string, more: object = {}) =>
      alice.library.publish({ kind: 'workflow', file, signature, ...more })
    await assert.rejects(publish(signed(key, of), { version: '1.2.0' }), { ...INVALID, message: /this is .*@1\.2\.0/ })
    await assert.rejects(publish(signed(key, of), { name: 'Other' }), {
      ...INVALID,
      message: /this is workflow\/other@/,
    })
    const taken = await bob.library.publish({ kind: 'workflow', file })
    await assert.rejects(publish(signed(key, of)), { ...INVALID, message: /this is workflow\/morning-digest-2@/ })
    await bob.library.delete({ id: taken.id })
    const [again, item] = [
      await draft(alice, file, workflow),
      await publish(signed(key, await draft(alice, file, workflow))),
    ]
    await assert.rejects(publish(signed(key, again)), INVALID, 'the name is taken by now')
    // A statement of a new item is none of a version, nor the other way round.
    const version = await draft(alice, file, { kind: 'workflow', id: item.id })
    await assert.rejects(publish(signed(key, version)), INVALID)
    await assert.rejects(alice.library.publishVersion({ id: item.id, file, signature: signed(key, again) }), INVALID)
    const mine = await alice.library.publish({ kind: 'workflow', file })
    await assert.rejects(alice.library.publishVersion({ id: mine.id, file, signature: signed(key, version) }), INVALID)
    await alice.library.rename({ id: item.id, slug: 'evening-digest' })
    await assert.rejects(alice.library.publishVersion({ id: item.id, file, signature: signed(key, version) }), INVALID)
    const renamed = await draft(alice, file, { kind: 'workflow', id: item.id })
    const both = [1, 2].map(() => alice.library.publishVersion({ id: item.id, file, signature: signed(key, renamed) }))
    const outcomes = await Promise.allSettled(both)
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    const gone = await draft(alice, workflowFile({ name: 'Once' }), { kind: 'workflow', name: 'Once' })
    const once = () =>
      alice.library.publish({
        ...({ kind: 'workflow', visibility: 'public' } as const),
        ...{ file: workflowFile({ name: 'Once' }), signature: signed(key, gone) },
      })
    await alice.library.delete({ id: (await once()).id })
    await assert.rejects(once(), { ...INVALID, message: /used already/ })
  })
})

onEveryEngine('the statement of what is about to be published', (it) => {
  it('is for those who could publish it, and takes nothing', async (world) => {
    const { alice, bob, anonymous, blocked } = world
    const file = workflowFile()
    const facts = await factsOf(file)
    const before = await kept(world)
    const payloads = [await draft(alice, file, workflow), await draft(alice, file, workflow)].map(textOf)
    assert.equal(new Set(payloads.map((text) => readPayload(text).item)).size, 2)
    assert.deepEqual(await kept(world), before)
    const { id } = await alice.library.publish({ kind: 'workflow', file, visibility: 'public' })
    const of = { kind: 'workflow', id, ...facts } as const
    await assert.rejects(anonymous.publisherKeys.draft(of), { status: 401 })
    await assert.rejects(blocked.publisherKeys.draft(of), { status: 403 })
    await assert.rejects(bob.publisherKeys.draft(of), { status: 403, code: 'forbidden' })
    await assert.rejects(alice.publisherKeys.draft({ ...of, kind: 'org' }), { status: 400 })
    await assert.rejects(alice.publisherKeys.draft({ ...of, version: '1.0.0' }), {
      status: 409,
      code: 'version_conflict',
    })
    await assert.rejects(alice.publisherKeys.draft({ ...of, version: 'x' }), { status: 400 })
    for (const sha256 of ['', 'x', facts.sha256.slice(1), facts.sha256.toUpperCase()]) {
      await assert.rejects(alice.publisherKeys.draft({ ...of, sha256 }), { status: 400 })
    }
    await assert.rejects(alice.publisherKeys.draft({ kind: 'workflow', ...facts }), { status: 400 })
    await alice.library.update({ id, visibility: 'private' })
    await assert.rejects(bob.publisherKeys.draft(of), { status: 404 })
    const org = await alice.orgs.create({ orgJson: JSON.stringify({ name: 'Desk', roles: [{ id: 'solo' }] }) })
    await assert.rejects(alice.publisherKeys.draft({ ...of, kind: 'org', id: org.id }), { code: 'gallery_org' })
  })
})
