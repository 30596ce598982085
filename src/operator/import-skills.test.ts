// `npm run admin -- import skills`.
import assert from 'node:assert/strict'
import { mkdir, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { runCommand } from '../../test/operator.ts'
import { withFolder } from '../../test/server.ts'
import { skillFiles, skillText } from '../../test/skills.ts'
import { complaintsOf } from '../../test/sound.ts'
import { onEveryEngine, type World } from '../../test/world.ts'
import { UPLOADS } from '../library/items/rules.ts'
import { importCommand } from './import.ts'
import { MOST_BYTES, MOST_FILES } from './skill-folders.ts'

interface Reported {
  folder: string
  hidden: number
  outcome: string
  name?: string
  version?: string
  reason?: string
}

const runIn =
  (world: World, folder: string) =>
  async (more: Record<string, string | boolean> = {}) => {
    const options = { owner: 'alice', ...more }
    const parameters = { parameters: ['skills', folder], ...options }
    const { code, results, complaints } = await runCommand(importCommand, world.dependencies.config, parameters)
    return { code, complaints, items: (results[0] as { items: Reported[] } | undefined)?.items ?? [] }
  }

async function write(folder: string, files: Record<string, string | Uint8Array>) {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}

const named = (name: string, more: Record<string, string> = {}) => skillText({ name, ...more })
const wordsOf = (items: readonly Reported[]) =>
  items.map(({ folder, outcome, name, version }) => [folder, outcome, name, version])

/** Alice, whose username others name. */
async function signUp({ alice }: World) {
  await alice.account()
  await alice.profile.setUsername({ username: 'alice' })
}

onEveryEngine('npm run admin -- import skills', (it) => {
  it('says what would come, publishes it, and then only what is new', (world) =>
    withFolder(async (folder) => {
      await signUp(world)
      await write(folder, {
        ...Object.fromEntries(Object.entries(skillFiles()).map(([path, text]) => [`tools/pdf/${path}`, text])),
        'notes/SKILL.md': named('notes', { metadata: '{ version: "2.1.0" }' }),
        'notes/.env': 'SECRET=1',
        'broken/SKILL.md': 'no frontmatter',
        'README.md': '# Skills',
      })
      const run = runIn(world, folder)
      const tried = await run({ 'dry-run': true })
      assert.deepEqual(wordsOf(tried.items), [
        ['broken', 'left out', undefined, undefined],
        ['notes', 'new', 'notes', undefined],
        ['tools/pdf', 'new', 'pdf-tools', undefined],
      ])
      assert.match(tried.items[0]?.reason ?? '', /frontmatter/)
      assert.equal((await world.alice.library.list({ kind: 'skill', scope: 'mine' })).total, 0)
      const first = await run({ public: true })
      assert.deepEqual(wordsOf(first.items).slice(1), [
        ['notes', 'new', 'notes', '2.1.0'],
        ['tools/pdf', 'new', 'pdf-tools', '1.0.0'],
      ])
      assert.equal(first.items[1]?.hidden, 1)
      const { files } = await world.anonymous.library.findContents({ kind: 'skill', slug: 'notes' })
      assert.deepEqual(
        files.map(({ path }) => path),
        ['SKILL.md'],
      )
      assert.deepEqual(wordsOf((await run()).items).slice(1), [
        ['notes', 'same', 'notes', '2.1.0'],
        ['tools/pdf', 'same', 'pdf-tools', '1.0.0'],
      ])
      await write(folder, { 'tools/pdf/references/forms.md': '# Other forms\n', 'notes/more.md': '# More' })
      const again = await run()
      assert.deepEqual(wordsOf(again.items)[2], ['tools/pdf', 'next', 'pdf-tools', '1.0.1'])
      assert.deepEqual(again.items[1]?.outcome, 'left out', 'its version is not newer')
      const item = await world.anonymous.library.find({ kind: 'skill', slug: 'pdf-tools' })
      assert.deepEqual([item.version, item.visibility], ['1.0.1', 'public'])
      assert.deepEqual(await complaintsOf(world), [])
    }))

  it('is private unless told, tells no one, and counts no uploads', (world) =>
    withFolder(async (folder) => {
      const { alice, bob } = world
      await signUp(world)
      await bob.account()
      await bob.follows.set({ id: (await alice.account()).id, state: 'following' })
      const names = Array.from({ length: UPLOADS + 1 }, (_, n) => `skill-${n}`)
      await write(folder, Object.fromEntries(names.map((name) => [`${name}/SKILL.md`, named(name)])))
      const run = runIn(world, folder)
      const { items } = await run()
      assert.ok(
        items.every(({ outcome }) => outcome === 'new'),
        JSON.stringify(items.at(-1)),
      )
      await assert.rejects(world.anonymous.library.find({ kind: 'skill', slug: 'skill-0' }), { status: 404 })
      await write(folder, { 'public/SKILL.md': named('public-one') })
      await run({ public: true })
      await write(folder, { 'public/SKILL.md': named('public-one', { license: 'MIT' }) })
      await run({ public: true })
      await world.app.deliver()
      assert.deepEqual((await bob.notifications.list({})).items, [])
      assert.equal((await world.db.selectFrom('libraryUpload').select('id').execute()).length, 0)
      assert.equal((await world.anonymous.library.find({ kind: 'skill', slug: 'public-one' })).version, '1.0.1')
    }))

  it('leaves out what leads out of a folder, is too much, or belongs to others', (world) =>
    withFolder(async (folder) => {
      const { bob } = world
      await signUp(world)
      await write(folder, {
        'outside.txt': 'secret',
        'link/SKILL.md': named('link'),
        'linked-folder/SKILL.md': named('linked-folder'),
        'back\\slash/SKILL.md': named('fine'),
        'slashes/SKILL.md': named('slashes'),
        'slashes/..\\..\\up.md': 'x',
        'many/SKILL.md': named('many'),
        'most/SKILL.md': named('most'),
        'large/SKILL.md': named('large'),
        'large/zeros.bin': '',
        'taken/SKILL.md': named('pdf-tools'),
        '.git/SKILL.md': named('git'),
        'node_modules/x/SKILL.md': named('package'),
      })
      await symlink(join(folder, 'outside.txt'), join(folder, 'link/notes.md'))
      await symlink(folder, join(folder, 'linked-folder/all'))
      await symlink(join(folder, 'most'), join(folder, 'alias'))
      await truncate(join(folder, 'large/zeros.bin'), MOST_BYTES)
      for (let n = 0; n < MOST_FILES; n++) {
        await write(folder, { [`many/${n}.md`]: '' })
        if (n < MOST_FILES - 1) await write(folder, { [`most/${n}.md`]: '' })
      }
      const file = new File([Buffer.from(await packedSkill())], 'pdf-tools.zip')
      await bob.library.publish({ kind: 'skill', file, visibility: 'private' })
      const { items } = await runIn(world, folder)()
      const outcomes = Object.fromEntries(items.map(({ folder: at, outcome, reason }) => [at, reason ?? outcome]))
      assert.deepEqual(Object.keys(outcomes), [
        ...['back\\slash', 'large', 'link', 'linked-folder', 'many', 'most', 'slashes', 'taken'],
      ])
      assert.match(outcomes['link'] ?? '', /notes\.md is a link/)
      assert.match(outcomes['linked-folder'] ?? '', /all is a link/)
      assert.match(outcomes['many'] ?? '', /more than 2000 files/)
      assert.equal(outcomes['most'], 'new')
      assert.match(outcomes['large'] ?? '', /more than 50 MiB/)
      assert.match(outcomes['taken'] ?? '', /belongs to another item/)
      assert.equal(outcomes['back\\slash'], 'new', 'the name of its folder is no part of it')
      assert.match(outcomes['slashes'] ?? '', /backslash/)
      await rm(join(folder, 'many'), { recursive: true })
    }))

  it('needs a folder and an owner who may publish', (world) =>
    withFolder(async (folder) => {
      await signUp(world)
      const run = runIn(world, folder)
      assert.equal((await run({ owner: 'stranger' })).code, 1)
      assert.equal((await runIn(world, join(folder, 'none'))()).code, 1)
      const { complaints } = await runCommand(importCommand, world.dependencies.config, {
        parameters: ['skills', folder],
      })
      assert.match(complaints[0] ?? '', /--owner/)
      await world.db
        .updateTable('user')
        .set({ blockedAt: '2024-01-01T00:00:00.000Z' })
        .where('username', '=', 'alice')
        .execute()
      assert.match((await run()).complaints[0] ?? '', /blocked/)
    }))
})

async function packedSkill() {
  const { zipOf } = await import('../../test/skills.ts')
  return zipOf(skillFiles())
}
