// Archives that are damaged, or that somebody made to do harm: each is refused with a sentence, and nothing is written.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { migrationsBefore } from '../src/database/before-first-release.ts'
import { ArchiveError, seal, unseal } from '../src/operator/archive/sealing.ts'
import { filesIn, type TarFile, tarOf } from '../src/operator/archive/tar.ts'
import { openRows } from '../src/operator/opening-rows.ts'
import { isPostgres } from '../src/runtime/addresses.ts'
import { openBlobs } from '../src/storage/open-blobs.ts'
import { archiveOf, importArchive, passphrase, placeOf, sealing } from './archives.ts'
import { live } from './living.ts'
import { type Place, withOtherPlace } from './operator.ts'
import { withFolder } from './server.ts'
import { onEveryEngine, type World } from './world.ts'

type Files = Map<string, Buffer>
type Row = Record<string, string | number | null>

async function filesOf(path: string): Promise<Files> {
  const files: Files = new Map()
  for await (const { name, bytes } of filesIn(await unseal(path, passphrase))) {
    const chunks: Uint8Array[] = []
    for await (const chunk of bytes) chunks.push(chunk)
    files.set(name, Buffer.concat(chunks))
  }
  return files
}

async function write(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  await writeFile(path, await seal(bytes, sealing))
}

async function* tarFiles(files: Iterable<[string, Buffer]>): AsyncGenerator<TarFile> {
  for (const [name, bytes] of files) yield { name, size: bytes.length, bytes: [bytes] }
}

const part = (table: string) => `tables/${table}/000001.jsonl.gz`
const packed = (...rows: unknown[]) => gzipSync(`${rows.map((row) => JSON.stringify(row)).join('\n')}\n`)

/** Changes the first row of a table. */
async function changeRow(files: Files, table: string, change: (row: Row) => object): Promise<void> {
  const [first, ...rest] = gunzipSync(files.get(part(table))!)
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  files.set(part(table), packed(change(first), ...rest))
}

const named = (files: Files, start: string) => [...files.keys()].find((name) => name.startsWith(start))!

/** Puts one file before another. */
function before(files: Files, other: string, name: string, bytes: Buffer): Files {
  return new Map(
    [...files].flatMap((entry) => (entry[0] === other ? [[name, bytes] as [string, Buffer], entry] : [entry])),
  )
}

type Harm = (files: Files) => unknown

const NOT_WRITTEN = (table: string) => new RegExp(`a row of ${table} in the archive is one that no server writes`)

/** Puts one setting where settings belong. */
function addSetting(files: Files, name: string): Files {
  const row = { name, value: 'x', actorId: null, changedAt: '2026-11-20T09:00:00.000Z' }
  if (files.has(part('setting'))) return new Map(files).set(part('setting'), packed(row))
  return before(files, part('slug'), part('setting'), packed(row))
}

const changes: readonly (readonly [what: string, sentence: RegExp, harm: Harm])[] = [
  [
    'a role that there is not',
    /value in user\.role that there is not: "owner"/,
    (files) => changeRow(files, 'user', (row) => ({ ...row, role: 'owner' })),
  ],
  [
    'a flag that is neither 0 nor 1',
    /libraryItem\.listed that there is not: "2"/,
    (files) => changeRow(files, 'libraryItem', (row) => ({ ...row, listed: 2 })),
  ],
  [
    'an event of which others are still to be told',
    NOT_WRITTEN('event'),
    (files) => changeRow(files, 'event', (row) => ({ ...row, kind: 'created', doneAt: null })),
  ],
  [
    'a statement that the old log had',
    NOT_WRITTEN('versionStatement'),
    (files) => changeRow(files, 'versionStatement', (row) => ({ ...row, isLogged: 1 })),
  ],
  ['a setting that is a secret', NOT_WRITTEN('setting'), (files) => addSetting(files, 'OIDC_CLIENT_SECRET')],
  ['a setting that there is not', NOT_WRITTEN('setting'), (files) => addSetting(files, 'NOTHING')],
  [
    'a column that it does not have',
    /user has no column "passwordHash"/,
    (files) => changeRow(files, 'user', (row) => ({ ...row, passwordHash: '$argon2id$' })),
  ],
  [
    'a row without a column',
    /wrong kind in bug\.title/,
    (files) => changeRow(files, 'bug', ({ title: _, ...row }) => row),
  ],
  [
    'a number for a text',
    /wrong kind in bug\.title/,
    (files) => changeRow(files, 'bug', (row) => ({ ...row, title: 7 })),
  ],
  [
    'a text for a number',
    /wrong kind in bug\.score/,
    (files) => changeRow(files, 'bug', (row) => ({ ...row, score: '7' })),
  ],
  ['a fraction', /wrong kind in bug\.score/, (files) => changeRow(files, 'bug', (row) => ({ ...row, score: 0.5 }))],
  [
    'an object for a text',
    /wrong kind in bug\.title/,
    (files) => changeRow(files, 'bug', (row) => ({ ...row, title: {} as never })),
  ],
  [
    'nothing where there must be something',
    /wrong kind in user\.email/,
    (files) => changeRow(files, 'user', (row) => ({ ...row, email: null })),
  ],
  [
    'half a character',
    /wrong kind in bug\.title/,
    (files) => changeRow(files, 'bug', (row) => ({ ...row, title: '\ud800' })),
  ],
  [
    'a zero in a text',
    /wrong kind in bug\.title/,
    (files) => changeRow(files, 'bug', (row) => ({ ...row, title: 'a\u0000' })),
  ],
  ...(
    [
      ['tags that are no JSON', 'libraryItem', 'tags', '["a"'],
      ['tags that are no list', 'libraryItem', 'tags', '{}'],
      ['tags that are no texts', 'libraryItem', 'tags', '[1]'],
      ['a list for an object', 'libraryItem', 'meta', '[]'],
      ['a chart without roles', 'orgPage', 'chart', '{}'],
      ['names that are no texts', 'event', 'mentioned', '[{}]'],
    ] as const
  ).map(
    ([what, table, column, value]) =>
      [
        what,
        new RegExp(`no JSON that can be read in ${table}\\.${column}: `),
        (files: Files) => changeRow(files, table, (row) => ({ ...row, [column]: value })),
      ] as const,
  ),
  [
    'a name of a file that leads out',
    /orgRunFile\.filename that there is not/,
    (files) => changeRow(files, 'orgRunFile', (row) => ({ ...row, filename: '../../etc/passwd' })),
  ],
  [
    'a slug that leads out',
    /slug\.slug that there is not/,
    (files) => changeRow(files, 'slug', (row) => ({ ...row, slug: '../x' })),
  ],
  [
    'a hash that is none',
    /does not have the file artifacts\/\.\.\/x/,
    (files) => changeRow(files, 'itemVersion', (row) => ({ ...row, sha256: '../x' })),
  ],
  [
    'a reference to nothing',
    /refers to a row of label that is missing/,
    (files) => changeRow(files, 'bugLabel', (row) => ({ ...row, labelId: '01890000-0000-7000-8000-000000000000' })),
  ],
  [
    'a wrong count',
    /rows contradict one another/,
    (files) => changeRow(files, 'bug', (row) => ({ ...row, score: 1_000 })),
  ],
  [
    'an act that was taken out of the audit log',
    /rows contradict one another/,
    (files) => changeRow(files, 'audit', (row) => ({ ...row, action: 'nothing' })),
  ],
  [
    'two rows with one key',
    /rows of label in the archive contradict/,
    (files) =>
      void files.set(
        part('label'),
        packed(...[1, 2].map(() => ({ id: 'x', name: 'L', nameKey: 'l', color: '#000000', description: null }))),
      ),
  ],
  ['a row that is no object', /a row of label is no object/, (files) => void files.set(part('label'), packed([]))],
  ['a row that is no JSON', /a row of label is no object/, (files) => void files.set(part('label'), gzipSync('{\n'))],
  [
    'a table that it does not have',
    /does not know: "tables\/session\/000001/,
    (files) => before(files, part('user'), part('session'), packed({})),
  ],
  ['a table that there is not', /does not know/, (files) => before(files, part('user'), part('nothing'), packed({}))],
  [
    'tables in another order',
    /where it does not belong/,
    (files) => new Map([[...files][0]!, ...[...files].slice(1).reverse()]),
  ],
  [
    'a part twice as the third',
    /where it does not belong/,
    (files) => before(files, part('vote'), 'tables/user/000003.jsonl.gz', packed({})),
  ],
  ['a table after the files', /where it does not belong/, (files) => void files.set(part('weekFigure'), packed({}))],
  ['a part that is no gzip', /cannot be unpacked/, (files) => void files.set(part('label'), Buffer.from('no'))],
  [
    'a part that unpacks to far too much',
    /cannot be unpacked, or is too large/,
    (files) => void files.set(part('label'), gzipSync(Buffer.alloc(257 * 1024 * 1024, 32))),
  ],
  [
    'parts that unpack to far more than the archive',
    /unpacks to far more than it is/,
    (files) => void files.set(part('label'), gzipSync(Buffer.alloc(200 * 1024 * 1024, 32))),
  ],
  [
    'a path that leads out',
    /does not know: "artifacts\/\.\.\//,
    (files) => void files.set('artifacts/../../x', Buffer.from('x')),
  ],
  ['an absolute path', /does not know: "\/etc\/passwd"/, (files) => void files.set('/etc/passwd', Buffer.from('x'))],
  [
    'an object in another folder',
    /does not know: "pictures\/x"/,
    (files) => void files.set('pictures/x', Buffer.from('x')),
  ],
  [
    'a file that no row names',
    /no row names the file artifacts/,
    (files) => void files.set(`artifacts/${'0'.repeat(64)}`, Buffer.from('x')),
  ],
  ['a file less', /does not have the file artifacts/, (files) => void files.delete(named(files, 'artifacts/'))],
  [
    'an artifact of other bytes',
    /is not what its row says/,
    (files) => {
      const name = named(files, 'artifacts/')
      files.set(name, Buffer.from(files.get(name)!.map((byte) => byte ^ 1)))
    },
  ],
  [
    'an object of other bytes',
    /is not what its row says/,
    (files) => {
      const name = named(files, 'org-images/')
      files.set(name, Buffer.from('other'))
    },
  ],
  ['an object without a type', /where it does not belong/, (files) => void files.delete(named(files, 'types/'))],
  [
    'a type that is a header too many',
    /where it does not belong/,
    (files) => void files.set(named(files, 'types/'), Buffer.from('a/b\r\nX: y')),
  ],
  ['no header', /no archive of an instance/, (files) => void files.delete('guildhall.json')],
  ['a later version', /later version of the format/, (files) => changeHeader(files, { version: 2 })],
  [
    'another shape of the database',
    /whose database has another shape \(9999-later\)/,
    (files) => changeHeader(files, { migrations: [...header(files).migrations, '9999-later'] }),
  ],
  [
    'a shape from before the first release that lacks a migration',
    /whose database has another shape \(0002-oauth/,
    (files) => changeHeader(files, { migrations: migrationsBefore.slice(1) }),
  ],
  [
    'a negative number',
    /later version of the format/,
    (files) => changeHeader(files, { numbers: { thing: -1, item: 0 } }),
  ],
]

const header = (files: Files) => JSON.parse(files.get('guildhall.json')!.toString()) as { migrations: string[] }
const changeHeader = (files: Files, change: object) =>
  void files.set('guildhall.json', Buffer.from(JSON.stringify({ ...header(files), ...change })))

/** Nothing is there but what any new instance has. */
async function assertEmpty(place: Place): Promise<void> {
  const rows = await openRows(place.databaseUrl, 'one state')
  try {
    const tables = await rows.tables()
    for (const name of ['user', 'bug', 'libraryItem', 'audit', 'label', 'unfinishedMove']) {
      const table = tables.find((one) => one.name === name)
      assert.equal(table ? await rows.count(table) : 0, 0, name)
    }
  } finally {
    await rows.close()
  }
  const blobs = await openBlobs(place.blobUrl)
  for await (const { sha256 } of blobs.artifacts.list()) assert.fail(sha256)
  for await (const { key } of blobs.objects.list()) assert.fail(key)
  blobs.close()
  assert.deepEqual(
    (await readdir(place.dataDir)).filter((name) => name.startsWith('unarchiving')),
    [],
  )
}

async function refuses(path: string, place: Place, sentence: RegExp): Promise<void> {
  await assert.rejects(importArchive(path, place), (error: Error) => {
    assert.ok(error instanceof ArchiveError, String(error))
    assert.match(error.message, sentence)
    return true
  })
  await assertEmpty(place)
}

/** An archive of a world with something of everything. */
const withArchive = (world: World, work: (path: string, folder: string) => Promise<void>) =>
  withFolder(async (folder) => {
    const { org } = await live(world)
    // More than three chunks of the seal.
    await world.bob.orgRuns.add({ id: org, files: [new File([randomBytes(120_000).toString('hex')], 'long.md')] })
    const path = join(folder, 'archive')
    await archiveOf(placeOf(world), path)
    await work(path, folder)
  })

onEveryEngine('an archive', (it) => {
  it('that somebody changed who has the passphrase is refused, and nothing is written', (world) =>
    withArchive(world, async (path, folder) => {
      const original = await filesOf(path)
      await withOtherPlace(world, async (place) => {
        const bad = join(folder, 'bad')
        // Reading is the same for both engines.
        const some = isPostgres(world.databaseUrl) ? changes : changes.filter((_, at) => at % 8 === 0)
        for (const [what, sentence, harm] of some) {
          const files = new Map(original)
          const changed = await harm(files)
          await write(bad, tarOf(tarFiles(changed instanceof Map ? changed : files)))
          await refuses(bad, place, sentence).catch((error: Error) => {
            throw new Error(`${what}: ${error.message}`, { cause: error })
          })
        }
        // And as it is it is taken.
        await write(bad, tarOf(tarFiles(original)))
        await importArchive(bad, place)
      })
    }))

  it('that was changed, cut or put together again without the passphrase is refused', (world) =>
    withArchive(world, async (path, folder) => {
      const bytes = await readFile(path)
      const bad = join(folder, 'bad')
      const start = bytes.indexOf('\n', bytes.indexOf('\n--- ') + 1) + 1 + 16
      const chunk = 65_536 + 16
      assert.ok(bytes.length > start + 2 * chunk, 'it has several chunks')
      const chunks = [0, 1, 2].map((at) => bytes.subarray(start + at * chunk, start + (at + 1) * chunk))
      const forms: [string, Buffer, RegExp][] = [
        ['another byte in the middle', flipped(bytes, start + chunk + 5), /damaged/],
        ['another byte at the end', flipped(bytes, bytes.length - 1), /damaged/],
        ['another salt', flipped(bytes, bytes.indexOf('scrypt') + 10), /passphrase is not that|no archive/],
        ['its last byte cut', bytes.subarray(0, -1), /damaged/],
        ['a chunk cut', bytes.subarray(0, start + chunk), /damaged/],
        ['only its beginning', bytes.subarray(0, start), /damaged|passphrase/],
        [
          'chunks in another order',
          Buffer.concat([bytes.subarray(0, start), chunks[1]!, chunks[0]!, bytes.subarray(start + 2 * chunk)]),
          /damaged/,
        ],
        ['a chunk twice', Buffer.concat([bytes.subarray(0, start + chunk), bytes.subarray(start)]), /damaged/],
        ['something behind it', Buffer.concat([bytes, Buffer.alloc(100)]), /damaged/],
        ['another kind of file', Buffer.from('PK\x03\x04'), /no archive that a passphrase seals/],
        ['nothing', Buffer.alloc(0), /no archive that a passphrase seals/],
        [
          'a cost of years',
          Buffer.from(bytes.toString('latin1').replace(' 10\n', ' 30\n'), 'latin1'),
          /too long to try/,
        ],
      ]
      await withOtherPlace(world, async (place) => {
        for (const [what, changed, sentence] of forms) {
          await writeFile(bad, changed)
          await refuses(bad, place, sentence).catch((error: Error) => {
            throw new Error(`${what}: ${error.message}`, { cause: error })
          })
        }
      })
    }))

  it('that holds what is no plain file, or ends in the middle of one, is refused', (world) =>
    withArchive(world, async (path, folder) => {
      const bad = join(folder, 'bad')
      const tar: Buffer[] = []
      for await (const chunk of await unseal(path, passphrase)) tar.push(Buffer.from(chunk))
      const whole = Buffer.concat(tar)
      const once = async function* (bytes: Buffer) {
        yield bytes
      }
      // A link, an extended header of a terabyte, and a sum that is wrong.
      const typed = (type: string) => retyped(whole, type)
      await withOtherPlace(world, async (place) => {
        for (const [bytes, sentence] of [
          [typed('2'), /no plain file/],
          [typed('x'), /no plain file/],
          [typed('5'), /no plain file/],
          [flipped(whole, 3), /no plain file/],
          [whole.subarray(0, 1_000), /ends in the middle/],
          [whole.subarray(0, whole.length - 1_024), /ends in the middle/],
          [Buffer.concat([whole, Buffer.from('more')]), /goes on after its end/],
        ] as [Buffer, RegExp][]) {
          await write(bad, once(bytes))
          await refuses(bad, place, sentence)
        }
      })
    }))
})

function flipped(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes)
  changed[at] = changed[at]! ^ 1
  return changed
}

/** The first header as one of another type, with its right sum. */
function retyped(tar: Buffer, type: string): Buffer {
  const changed = Buffer.from(tar)
  changed.write(type, 156)
  changed.fill(32, 148, 156)
  const sum = changed.subarray(0, 512).reduce((total, byte) => total + byte, 0)
  changed.write(`${sum.toString(8).padStart(6, '0')}\x00 `, 148)
  return changed
}
