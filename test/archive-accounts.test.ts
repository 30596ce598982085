// What an imported instance is: accounts that are claimed by a mailed code, a log that begins again, no one told of anything; and where an
// archive is not imported.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { archive, unarchive } from '../src/operator/archive/archive.ts'
import { archiveOf, importArchive, passphrase, placeOf } from './archives.ts'
import { live } from './living.ts'
import { openObjectStorage } from './object-storage.ts'
import { complaintsAbout, runCommand, withOtherPlace, withSamePlace, withWorldOn } from './operator.ts'
import { withFolder } from './server.ts'
import { post, session, signedIn } from './sign-up.ts'
import { newBrowser } from './visitors.ts'
import { onEveryEngine, type Person, type World } from './world.ts'

const PASSWORD = 'alice has a password'

/** Signs in by a mailed code. */
async function enter(world: World, email: string): Promise<Person> {
  const browser = newBrowser(world)
  await browser.accounts.sendCode({ email })
  await browser.accounts.signInWithCode({ email, code: await world.code(email) })
  return browser
}

/** Archives a world and imports it on the other engine. */
const elsewhere = (world: World, look: (other: World) => Promise<void>) =>
  withFolder(async (folder) => {
    const path = join(folder, 'archive')
    await archiveOf(placeOf(world), path)
    await withOtherPlace(world, async (place) => {
      await importArchive(path, place)
      await withWorldOn(place, look)
    })
  })

onEveryEngine('an imported instance', (it) => {
  it('lets members in by a mailed code alone, who have all that was theirs', async (world) => {
    const { bug, item } = await live(world)
    const { alice, bob } = world
    const { token } = await alice.personalTokens.create({ name: 'A script', scopes: ['community:read'] })
    const signIn = (there: World) => post(there, '/sign-in/email', { email: alice.email, password: PASSWORD })
    const cookie = session(await signIn(world))
    const byToken = (there: World) =>
      there.anonymous.request('/api/community/me', { headers: { authorization: `Bearer ${token}` } })
    assert.equal((await byToken(world)).status, 200)
    assert.notEqual(await signedIn(world, cookie), null)
    const { items: told } = await bob.notifications.list({})
    await elsewhere(world, async (other) => {
      assert.equal((await signIn(other)).status, 401)
      assert.equal((await byToken(other)).status, 401)
      assert.equal(await signedIn(other, cookie), null)
      const owner = await enter(other, alice.email)
      await owner.bugs.edit({ id: bug, title: 'Mine still' })
      assert.equal((await other.anonymous.bugs.get({ id: bug })).title, 'Mine still')
      assert.equal((await owner.library.get({ id: item })).id, item)
      assert.equal((await owner.personalTokens.list({})).items.length, 0)
      // Who has no password sets one as after a reset.
      await owner.accounts.forgotPassword({ email: alice.email })
      const code = await other.code(alice.email)
      await owner.accounts.resetPassword({ email: alice.email, code, password: 'the looms are singing' })
      // Roles came along, and inboxes as they were.
      const admin = await enter(other, world.admin.email)
      assert.ok((await admin.admin.listUsers({})).users.length > 3)
      const reader = await enter(other, bob.email)
      assert.deepEqual(
        (await reader.notifications.list({})).items.map(({ id }) => id),
        told.map(({ id }) => id),
      )
    })
  })

  it('has a log of its own, with every version that is public, and tells no one of anything', async (world) => {
    const { item } = await live(world)
    await world.app.sequenceLog()
    // Not delivered yet when the archive is written.
    await world.alice.bugs.comment({ id: (await world.alice.bugs.list({})).items[0]!.id, body: 'Late' })
    const [before] = await world.db.selectFrom('logHead').select('size').execute()
    await elsewhere(world, async (other) => {
      await other.app.work()
      await other.app.sequenceLog()
      const [head] = await other.db.selectFrom('logHead').select('size').execute()
      assert.ok((head?.size ?? 0) > 0 && (head?.size ?? 0) <= (before?.size ?? 0))
      const leaves = await other.db.selectFrom('logEntry').select(['itemId', 'type', 'position']).execute()
      assert.ok(leaves.some((leaf) => leaf.itemId === item && leaf.type === 'publish' && leaf.position !== null))
      for (const { email } of [world.alice, world.bob, world.moderator, world.admin])
        assert.deepEqual(await other.mails(email), [])
      assert.equal((await other.db.selectFrom('webhookDelivery').select('id').execute()).length, 0)
      assert.deepEqual(await complaintsAbout(other), [])
      const { items } = await other.anonymous.search.find({ q: 'lamp' })
      assert.equal(items.length, 1)
    })
  })

  it('gives numbers that were never given', async (world) => {
    const { alice } = world
    const { id } = await alice.bugs.create({ title: 'Gone', description: 'D', severity: 'low' })
    const { number } = await alice.bugs.get({ id })
    await alice.bugs.delete({ id })
    await elsewhere(world, async (other) => {
      const next = await other.person('carol').bugs.create({ title: 'Next', description: 'N', severity: 'low' })
      assert.equal(next.number, number + 1)
    })
  })
})

onEveryEngine('npm run admin -- archive and unarchive', (it) => {
  it('write a file that only the operator reads, and say what was done', async (world) => {
    await live(world)
    await withFolder(async (folder) => {
      const to = join(folder, 'archive')
      const config = { ...world.dependencies.config, ...placeOf(world), archivePassphrase: passphrase }
      assert.equal((await runCommand(archive, config)).code, 2)
      const { code, results } = await runCommand(archive, config, { to })
      assert.equal(code, 0)
      assert.deepEqual(Object.keys(results[0] ?? {}), ['rows', 'files', 'bytes'])
      const { mode, size } = await stat(to)
      assert.equal(mode & 0o777, 0o600)
      assert.equal((results[0] as { bytes: number }).bytes, size)
      await assert.rejects(runCommand(archive, config, { to }), /exists: name a file that does not/)
      await assert.rejects(
        runCommand(archive, { ...config, archivePassphrase: 'fifteen letters' }, { to: `${to}2` }),
        /at least 16 characters/,
      )
      assert.deepEqual(await readdir(folder), ['archive'])
      await withSamePlace(world, async (place) => {
        const there = { ...config, ...place }
        assert.equal((await runCommand(unarchive, there)).code, 2)
        const wrong = await runCommand(unarchive, { ...there, archivePassphrase: `${passphrase}.` }, { from: to })
        assert.deepEqual(
          [wrong.code, wrong.complaints.length, /passphrase is not that/.test(wrong.complaints[0] ?? '')],
          [1, 1, true],
        )
        const { code: imported, results: told } = await runCommand(unarchive, there, { from: to })
        assert.equal(imported, 0)
        assert.deepEqual(Object.keys(told[0] ?? {}), ['at', 'rows', 'files'])
        // Nothing is left of what was read beside the instance.
        assert.deepEqual(
          (await readdir(place.dataDir)).filter((name) => name.startsWith('unarchiving')),
          [],
        )
        await assert.rejects(
          runCommand(unarchive, there, { from: to }),
          /the database has accounts: import into an empty/,
        )
      })
      await withSamePlace(world, async (place) => {
        const there = { ...config, ...place, blobUrl: config.blobUrl }
        // The files of the archive may be there, others may not.
        const { blobs } = world.dependencies
        await blobs.objects.put('avatars/other', Buffer.from('x'), 'image/png')
        await assert.rejects(runCommand(unarchive, there, { from: to }), /the stored files are not empty/)
        await blobs.objects.delete('avatars/other')
        assert.equal((await runCommand(unarchive, there, { from: to })).code, 0)
      })
    })
  })

  it('take files from a bucket, and put them into one', async (world) => {
    await live(world)
    const storage = await openObjectStorage()
    try {
      await withFolder(async (folder) => {
        const [first, second] = [join(folder, 'first'), join(folder, 'second')]
        await archiveOf(placeOf(world), first)
        await withOtherPlace(world, async (place) => {
          const config = { ...place, blobUrl: storage.url(join(folder, 'staging')) }
          await importArchive(first, config)
          await archiveOf(config, second)
          await withWorldOn(config, async (other) => assert.deepEqual(await complaintsAbout(other), []))
        })
        assert.ok(existsSync(second))
      })
    } finally {
      await storage.close()
    }
  })
})
