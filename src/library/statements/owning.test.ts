// Statements of what members publish for a team: the person is the publisher, and the team the owner.
import assert from 'node:assert/strict'
import { generateKeyPairSync, hash, sign } from 'node:crypto'
import { createClient, fetchProofBundle, statementToSign, verifyBundle } from '../../../client/src/main-node.ts'
import { workflowFile } from '../../../test/library.ts'
import { publishFor, SLUG, teamOf } from '../../../test/teams.ts'
import { onEveryEngine, type Person, type World } from '../../../test/world.ts'
import { encodingOf, payloadOf, readPayload } from './statement.ts'

const textOf = ({ payload }: { payload: string }) => Buffer.from(payload, 'base64').toString()

const said = async ({ anonymous }: World, id: string, version = '1.0.0') =>
  readPayload(textOf(await anonymous.transparency.statement({ id, version })))

const bundleOf = async ({ app, dependencies }: World, slug: string) => {
  await app.sequenceLog()
  const client = createClient({
    url: dependencies.config.baseUrl,
    fetch: async (url, init) => app.fetch(new Request(url, init as RequestInit)),
  })
  return fetchProofBundle(client, { kind: 'workflow', slug, version: '1.0.0', waitSeconds: 0 })
}

async function keyOf(person: Person) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const public_key = publicKey.export({ format: 'der', type: 'spki' }).subarray(12).toString('base64')
  const { id } = await person.publisherKeys.add({ name: 'Laptop', public_key })
  return (draft: { payload: string }) => {
    const sig = sign(null, encodingOf(textOf(draft)), privateKey).toString('base64')
    return JSON.stringify({ ...draft, signatures: [{ keyid: id, sig }] })
  }
}

async function draftOf(person: Person, file: File, team?: string) {
  const bytes = Buffer.from(await file.arrayBuffer())
  const facts = { sha256: hash('sha256', bytes, 'hex'), size: bytes.length }
  return person.publisherKeys.draft({ kind: 'workflow', name: 'Digest', ...facts, ...(team && { team }) })
}

onEveryEngine('the statement of a version of a team', (it) => {
  it('names the person as publisher and the team as owner, and its proof verifies', async (world) => {
    const { alice, bob, anonymous } = world
    const { team, bobId } = await teamOf(world)
    const { id, slug, sha256 } = await publishFor(bob)
    const owner = { type: 'team', id: team.id, slug: SLUG }
    const { publisher, owner: stated } = await said(world, id)
    assert.deepEqual([publisher, stated], [{ id: bobId, username: 'bobby' }, owner])
    const verified = await verifyBundle(await bundleOf(world, slug), { sha256 })
    assert.deepEqual([verified.publisher?.username, verified.owner], ['bobby', owner])
    const toSign = statementToSign(await anonymous.transparency.statement({ id, version: '1.0.0' }), {
      kind: 'workflow',
      slug,
    })
    assert.deepEqual([toSign.owner, toSign.publisher?.username], [owner, 'bobby'])
    // A later version by somebody else of the team; the first one stays what it was.
    await alice.library.publishVersion({ id, file: workflowFile({ name: 'Digest', n: 1 }) })
    const later = await said(world, id, '1.0.1')
    assert.deepEqual([later.publisher?.username, later.owner], ['alice', owner])
    assert.equal((await said(world, id)).publisher?.username, 'bobby')
  })

  it('keeps what was true when the version was published: after a rename of the team, of the item, and a transfer', async (world) => {
    const { alice, bob } = world
    const { team, dave } = await teamOf(world)
    const { id } = await publishFor(bob)
    const owner = { type: 'team', id: team.id, slug: SLUG }
    await alice.teams.update({ slug: SLUG, new_slug: 'late-shift' })
    await alice.library.publishVersion({ id, file: workflowFile({ n: 1 }) })
    assert.deepEqual((await said(world, id, '1.0.1')).owner, { ...owner, slug: 'late-shift' })
    await alice.library.rename({ id, slug: 'evening-digest' })
    const renamed = await said(world, id)
    assert.deepEqual([renamed.name, renamed.owner], ['workflow/evening-digest', owner])
    const offer = await alice.library.transfer({ id, username: 'dave' })
    await dave.library.acceptInvitation({ id: offer.id })
    await dave.library.publishVersion({ id, file: workflowFile({ n: 2 }) })
    assert.deepEqual([(await said(world, id, '1.0.2')).owner, (await said(world, id)).owner], [undefined, owner])
  })

  it('names no team that is hidden, and none for an item of an account', async (world) => {
    const { bob, db } = world
    await teamOf(world)
    await db.updateTable('team').set({ hidden: 4 }).execute()
    const { id } = await publishFor(bob)
    assert.equal((await said(world, id)).owner, undefined)
    const own = await bob.library.publish({ kind: 'workflow', visibility: 'public', file: workflowFile() })
    assert.equal((await said(world, own.id)).owner, undefined)
  })

  it('is signed by its publisher before, with the team or, by clients from before teams, without', async (world) => {
    const { bob, anonymous } = world
    const { team, dave } = await teamOf(world)
    const signed = await keyOf(bob)
    const publish = async (draft: { payload: string }, file: File, to = SLUG) =>
      bob.library.publish({ kind: 'workflow', visibility: 'public', team: to, file, signature: signed(draft) })
    const file = workflowFile({ name: 'Digest' })
    const draft = await draftOf(bob, file, SLUG)
    assert.deepEqual(readPayload(textOf(draft)).owner, { type: 'team', id: team.id, slug: SLUG })
    const { id } = await publish(draft, file)
    const statement = await anonymous.transparency.statement({ id, version: '1.0.0' })
    assert.deepEqual([statement.payload, statement.signatures.length], [draft.payload, 2])
    const older = await publish(await draftOf(bob, file), file)
    assert.equal((await said(world, older.id)).owner, undefined)
    // For a team it can not be published without it, nor for another team.
    const unbound = { kind: 'workflow', file, signature: signed(await draftOf(bob, file, SLUG)) } as const
    await assert.rejects(bob.library.publish(unbound), { status: 400, code: 'invalid_signature' })
    await bob.accounts.verifyEmail({ code: await world.code(bob.email) })
    await bob.teams.create({ slug: 'day-shift', name: 'Day shift' })
    await assert.rejects(publish(await draftOf(bob, file, SLUG), file, 'day-shift'), { status: 400 })
    await assert.rejects(draftOf(dave, file, SLUG), { status: 403 })
    await assert.rejects(draftOf(bob, file, 'no-team'), { status: 404 })
  })
})

onEveryEngine('a statement without a team', (it) => {
  it('has the bytes that it had before there were teams', async () => {
    const facts = { item: 'i', name: 'workflow/a', version: '1.0.0', sha256: 'ab', size: 1, time: 't' }
    const payload = payloadOf({ ...facts, publisher: { id: 'p', username: null } })
    assert.equal(
      payload,
      '{"_type":"https://in-toto.io/Statement/v1","subject":[{"name":"workflow/a@1.0.0","digest":{"sha256":"ab"}}],"predicateType":"urn:guildhall:publication:v1","predicate":{"item":"i","name":"workflow/a","version":"1.0.0","size":1,"publisher":{"id":"p","username":null},"time":"t"}}',
    )
  })
})
