// Exports with their pictures, as one archive or as files: texts show what is within, nothing is fetched, and nothing is left of what is taken back.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { pack } from 'tar-stream'
import { tinyPicture, tinyPng } from '../../../test/pictures.ts'
import { complaintsOf } from '../../../test/sound.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'
import type { SourceName } from '../../contract/import-sources.ts'
import { EnclosedPictures } from './enclosed.ts'

const OURS = /!\[[^\]]*\]\((\/api\/images\/text\/[0-9a-f-]{36})\?size=\d+x\d+\)/g
const bytesOf = async (blob: Blob) => new Uint8Array(await blob.arrayBuffer())
const png = async () => bytesOf(await tinyPng())
const HASH = 'a'.repeat(32)

type Packed = Record<string, Uint8Array | string>
const encoded = (files: Packed) =>
  Object.entries(files).map(([name, content]) => [name, Buffer.from(content as Uint8Array)] as const)
const zipOf = (files: Packed) => zipSync(Object.fromEntries(encoded(files).map(([name, bytes]) => [name, bytes])))

async function tarOf(files: Packed, links: Record<string, string> = {}): Promise<Uint8Array> {
  const tar = pack()
  for (const [name, linkname] of Object.entries(links)) tar.entry({ name, type: 'symlink', linkname })
  for (const [name, bytes] of encoded(files)) tar.entry({ name }, bytes)
  tar.finalize()
  return gzipSync(await buffer(tar))
}

const recordsOf = (text: string, comment = '') =>
  [
    { type: 'thing', id: 'p1', kind: 'post', title: 'Pictures', text, createdAt: '2024-03-03T10:00:00Z' },
    { type: 'comment', id: 'c1', thing: 'p1', text: comment || 'None', createdAt: '2024-03-04T10:00:00Z' },
  ]
    .map((record) => JSON.stringify(record))
    .join('\n')

const readOf = ({ admin }: World, files: Packed, source: SourceName = 'guildhall') =>
  admin.imports.read({
    source,
    name: 'looms',
    files: Object.entries(files).map(([name, content]) => new File([content as BlobPart], name)),
  })

async function written(world: World, id: string) {
  await world.admin.imports.start({ id })
  await world.app.imports()
  return world.admin.imports.get({ id })
}

const picturesIn = (text: string) => [...text.matchAll(OURS)].map(([, path = '']) => path)

/** All files below a folder of fixtures, by their paths. */
function filesBelow(folder: string): Packed {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = names.map((entry) => join(entry.parentPath, entry.name))
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]))
}

onEveryEngine('pictures of an export', (it) => {
  it('are stored as ours, whether it is an archive or its files', async (world) => {
    const { admin, anonymous, app, dependencies } = world
    dependencies.reach = { isAllowed: () => assert.fail('Nothing is fetched') }
    const text = [
      `![one](/uploads/${HASH}/a.png)`,
      '![two](uploads/two%20words.webp)',
      '![three](./three.jpg)',
      '![four](https://example.com/x/uploads/four.png)',
      '![five](upload://r3AYqESanERjladb4vBB7VsMBm6.png)',
      '![six](https://github.com/user-attachments/assets/0b1f)',
    ]
    const left = ['![no](/three.jpg)', '![none](uploads/none.png)', '`![code](three.jpg)`', '![twice](same.png)']
    const files = {
      'records.jsonl': recordsOf([...text, ...left].join('\n\n'), `Again: ${text[0]}`),
      [`uploads/${HASH}/a.png`]: await png(),
      'uploads/two words.webp': await bytesOf(await tinyPicture('webp')),
      'three.jpg': await bytesOf(await tinyPicture('jpeg')),
      'uploads/four.png': await png(),
      'original/1X/bda2c513e1da04f7b4e99230851ea2aafeb8cc4e.png': await png(),
      'assets/0b1f.png': await png(),
      'a/same.png': await png(),
      'b/same.png': await png(),
    }
    const inFolder = Object.fromEntries(Object.entries(files).map(([name, bytes]) => [`export/${name}`, bytes]))
    const uploads: Packed[] = [
      { 'export.zip': zipOf(inFolder) },
      { 'export.tar.gz': await tarOf(inFolder) },
      { 'all.tgz': await tarOf({ ...inFolder, '__MACOSX/export/._records.jsonl': 'x', 'export/.hidden.json': 'x' }) },
    ]
    const bodies = new Set<string>()
    for (const upload of uploads) {
      const { id, report } = await readOf(world, upload)
      assert.deepEqual([report.enclosed, report.pictures, report.leftOut], [6, 10, []])
      const { done, state } = await written(world, id)
      assert.deepEqual([state, done.pictures], ['done', 6])
      const [post] = (await anonymous.posts.list({})).items
      const { body } = await anonymous.posts.get({ id: post!.id })
      const shown = body.split('\n\n')
      assert.deepEqual(
        shown.slice(0, 6).map((one) => picturesIn(one).length),
        [1, 1, 1, 1, 1, 1],
      )
      assert.deepEqual(shown.slice(6), left)
      for (const path of picturesIn(body)) assert.equal((await anonymous.request(path)).status, 200)
      const [comment] = (await anonymous.posts.comments({ id: post!.id })).items
      assert.deepEqual(picturesIn(comment!.body), picturesIn(shown[0]!))
      bodies.add(body)
      await app.cleanUp()
      const count = await world.db.selectFrom('textImage').select('id').execute()
      assert.equal(count.length, 6, 'those that waited are gone')
      assert.deepEqual(await complaintsOf(world), [])
      await admin.imports.revert({ id })
      await app.imports()
      await app.cleanUp()
      assert.deepEqual(await world.db.selectFrom('textImage').select('id').execute(), [])
    }
    assert.equal(bodies.size, 1, 'an archive brings what its files bring')
  })

  it('are those of their own export, where a later one has another picture by the same name', async (world) => {
    const { anonymous, app } = world
    const first = await readOf(world, { 'records.jsonl': recordsOf('![a](a.png)'), 'a.png': await png() })
    await written(world, first.id)
    const thing = { type: 'thing', kind: 'post', title: 'Later', createdAt: '2024-04-03T10:00:00Z' }
    const later = [
      { ...thing, id: 'p2', text: '![a](a.png)' },
      { ...thing, id: 'p3', text: '![b](b.png)' },
    ]
    const other = Buffer.from(await (await tinyPicture('jpeg')).arrayBuffer())
    const second = await readOf(world, {
      'records.jsonl': later.map((record) => JSON.stringify(record)).join('\n'),
      'a.png': other,
      'b.png': await png(),
    })
    assert.equal((await written(world, second.id)).done.pictures, 2)
    const types = new Set<string | null>()
    for (const { id } of (await anonymous.posts.list({})).items) {
      const [path = ''] = picturesIn((await anonymous.posts.get({ id })).body)
      types.add((await anonymous.request(path)).headers.get('content-type'))
    }
    assert.deepEqual([...types].sort(), ['image/jpeg', 'image/png'])
    await app.cleanUp()
    assert.deepEqual(await complaintsOf(world), [])
  })

  it('come with a backup of Fider and with an export of GitLab', async (world) => {
    const fider = filesBelow('test/fixtures/imports/fider/backup')
    const [post] = JSON.parse(fider['posts.json'] as string) as { id: number }[]
    const [comment] = JSON.parse(fider['comments.json'] as string) as { id: number; post_id: number }[]
    const attachments = [
      { id: 1, post_id: post!.id, comment_id: null, attachment_bkey: 'attachments/x-shot (1).png' },
      { id: 2, post_id: comment!.post_id, comment_id: comment!.id, attachment_bkey: 'attachments/y.png' },
    ]
    const backup = zipOf({
      ...fider,
      'attachments.json': JSON.stringify(attachments),
      'blobs/attachments/x-shot (1).png': await png(),
      'blobs/attachments/y.png': await png(),
    })
    const read = await readOf(world, { 'backup.zip': backup }, 'fider')
    assert.equal(read.report.enclosed, 2)
    assert.equal((await written(world, read.id)).done.pictures, 2)
    const gitlab = filesBelow('test/fixtures/imports/gitlab/export')
    const project = await tarOf({
      ...gitlab,
      'uploads/0b1c/screen.png': await png(),
      'project.bundle': 'x',
    })
    const second = await readOf(world, { 'project_export.tar.gz': project }, 'gitlab')
    assert.equal(second.report.enclosed, 1)
    assert.equal((await written(world, second.id)).done.pictures, 1)
    assert.deepEqual(await complaintsOf(world), [])
  })

  it('that are none, or too large, are left out, and their links stay', async (world) => {
    const text = ['![no](no.png)', '![large](large.png)', '![gone](gone.png)'].join('\n')
    const files = {
      'records.jsonl': recordsOf(text),
      'no.png': '<svg/>',
      'large.png': Buffer.concat([await png(), Buffer.alloc(10 * 1024 * 1024)]),
    }
    const { id, report } = await readOf(world, files)
    const what = 'pictures of the files that cannot be read, or are too many'
    assert.deepEqual([report.enclosed, report.leftOut], [0, [{ what, count: 2 }]])
    await written(world, id)
    assert.equal((await world.anonymous.posts.list({})).items[0]!.body, text)
  })

  it('are so many at most, and so many bytes', async (world) => {
    const { dependencies, admin } = world
    const bytes = await png()
    const file = (name: string) =>
      [
        name,
        {
          name,
          read: async function* () {
            yield bytes
          },
        },
      ] as const
    const pictures = new Map(['1.png', '2.png', '3.png'].map(file))
    const { id: importId } = await readOf(world, { 'records.jsonl': recordsOf('None') })
    const takenWith = async (most: { pictures: number; bytes: number }) => {
      const options = { storing: dependencies, pictures, importId, now: '2026-01-01T00:00:00.000Z' }
      const taking = new EnclosedPictures({ ...options, most })
      await taking.take('![](1.png) ![](2.png) ![](3.png)')
      return [taking.kept, taking.left]
    }
    assert.deepEqual(await takenWith({ pictures: 2, bytes: 1e9 }), [2, 1])
    const { size } = await world.db.selectFrom('textImage').select('size').executeTakeFirstOrThrow()
    assert.deepEqual(await takenWith({ pictures: 3, bytes: 2 * size }), [2, 1])
    assert.deepEqual(await takenWith({ pictures: 3, bytes: 2 * size - 1 }), [1, 2])
    await admin.imports.revert({ id: importId })
    await world.app.imports()
    await assert.rejects(takenWith({ pictures: 3, bytes: 1e9 }), /taken back/)
  })

  it('go with what is not started for a month, and with what cannot be read', async (world) => {
    const files = { 'records.jsonl': recordsOf('![a](a.png)'), 'a.png': await png() }
    const broken = { ...files, 'records.jsonl': `${recordsOf('![a](a.png)')}\n{"type":` }
    await assert.rejects(readOf(world, broken), { status: 400 })
    await world.app.cleanUp()
    assert.deepEqual(await world.db.selectFrom('textImage').select('id').execute(), [])
    assert.deepEqual((await world.admin.imports.list({})).items, [])
    await readOf(world, files)
    assert.equal((await world.db.selectFrom('textImage').select('id').execute()).length, 1)
    world.clock.pass(31 * 86_400)
    await world.app.cleanUp()
    await world.app.cleanUp()
    assert.deepEqual(await world.db.selectFrom('textImage').select('id').execute(), [])
  })
})

/** Archives that become large, made once for both engines. */
let bombs: { bomb: Uint8Array<ArrayBuffer>; deep: Uint8Array<ArrayBuffer> } | undefined
const makeBombs = () => ({
  bomb: zipOf({ 'records.jsonl': Buffer.alloc(70 * 1024 * 1024, 32) }),
  deep: gzipSync(Buffer.alloc(200 * 1024 * 1024)),
})

onEveryEngine('an archive of an export', (it) => {
  it('is refused where it cannot be read, or becomes too large', async (world) => {
    bombs ??= makeBombs()
    const { bomb, deep } = bombs
    const cut = zipOf({ 'records.jsonl': recordsOf('Text') }).slice(0, 60)
    const outside = zipOf({ '../records.jsonl': recordsOf('Text') })
    const locked = zipOf({ 'records.jsonl': recordsOf('Text') })
    // The bit of an encrypted entry, in the header of the entry and in the directory (APPNOTE, 4.4.4).
    locked[6] = 1
    const directory = Buffer.from(locked).indexOf('PK\x01\x02', 'latin1')
    locked[directory + 8] = 1
    for (const [name, bytes, reason] of [
      ['bomb.zip', bomb, /200 times/],
      ['deep.tar.gz', deep, /200 times/],
      ['cut.zip', cut, /no archive that can be read/],
      ['outside.zip', outside, /no archive that can be read/],
      ['locked.zip', locked, /without a password/],
      ['text.tar.gz', 'x', /no archive that can be read/],
      ['empty.zip', zipOf({ 'notes.txt': 'x' }), /files/],
    ] as const) {
      await assert.rejects(readOf(world, { [name]: bytes }), ({ message }: Error) => reason.test(message), name)
    }
    const links = await tarOf({ 'records.jsonl': recordsOf('![a](a.png)') }, { 'a.png': '/etc/passwd' })
    const { report } = await readOf(world, { 'links.tar.gz': links })
    assert.deepEqual([report.posts, report.enclosed], [1, 0])
  })
})
