// The rules of the house, each a sentence that a failure prints.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize, relative } from 'node:path'
import { it } from 'node:test'
import { api } from '../src/api.ts'

interface Source {
  path: string
  text: string
  /** Paths from the root of what it imports here, and names of packages. */
  imports: string[]
  /** The same, with what it imports for its types alone. */
  mentions: string[]
  packages: string[]
}

const sources = sourcesOf('src/**/*.ts')

function sourcesOf(...patterns: string[]): Source[] {
  const paths = globSync(patterns).filter((path) => !path.endsWith('.test.ts'))
  return paths.map((path) => {
    const text = readFileSync(path, 'utf8')
    const specifiers = specifiersIn(text.replace(/(?:import|export) type [^;]*? from '[^']+'/g, ''))
    const pathsOf = (names: string[]) =>
      names
        .map((name) => name.replace(/^[#$]lib\//, () => `./${relative(dirname(path), 'site/src/lib')}/`))
        .filter((name) => name.startsWith('.'))
        .map((name) => normalize(join(dirname(path), name)))
    return {
      path,
      text,
      imports: pathsOf(specifiers),
      mentions: pathsOf(specifiersIn(text)),
      packages: specifiers.filter((specifier) => !specifier.startsWith('.')),
    }
  })
}

function specifiersIn(code: string): string[] {
  return [...code.matchAll(/(?:from|import\() ?'([^']+)'/g)].map((match) => match[1]!)
}

/** The nodes that are in a circle, or between two circles. */
function circular(edges: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const left = new Map(edges)
  for (;;) {
    const reached = new Set([...left.values()].flatMap((to) => [...to]))
    const free = [...left].filter(([node, to]) => !reached.has(node) || ![...to].some((other) => left.has(other)))
    if (free.length === 0) return [...left.keys()]
    for (const [node] of free) left.delete(node)
  }
}

const roomOf = (path: string) => path.split('/').slice(0, 2).join('/')
const rooms = Object.entries(Object.groupBy(sources, ({ path }) => roomOf(path))).map(
  ([room, files]) => [room, new Set(files!.flatMap(({ mentions }) => mentions.map(roomOf)))] as const,
)
for (const [room, others] of rooms) others.delete(room)

const basement = [
  'contract',
  'config',
  'runtime',
  'database',
  'workers',
  'storage',
  'mail',
  'audit',
  'formats',
  'budgets',
  'search',
  'outgoing',
  'language',
  'settings',
]
const grounds = [...basement, 'request', 'core', 'identity', 'content', 'transparency']
const domains = ['accounts', 'oauth', 'community', 'library']
const floors = [...grounds, 'surfaces', 'start', 'operator']

/** The folder that makes a slice: the first one with a contract, or the top folder. */
function sliceOf(path: string): string | undefined {
  const parts = dirname(path).split('/')
  if (parts[0] !== 'src' || parts[1] === undefined || floors.includes(parts[1])) return undefined
  return parts[1] === 'community' || parts[1] === 'oauth' ? parts.slice(0, 3).join('/') : parts.slice(0, 2).join('/')
}

function rule(sentence: string, broken: (source: Source) => string[]): void {
  it(sentence, () => {
    const found = sources.flatMap((source) => broken(source).map((what) => `${source.path}: ${what}`))
    assert.deepEqual(found, [], `${sentence}:\n${found.join('\n')}`)
  })
}

const isIn = (folders: string[], path: string) => folders.some((folder) => path.startsWith(`src/${folder}/`))

it('Every migration is run: src/database/migrations.ts names each file', () => {
  const { text } = sources.find(({ path }) => path === 'src/database/migrations.ts')!
  const forgotten = globSync('migrations/*.ts').filter((path) => !text.includes(`'../../${path}'`))
  assert.deepEqual(forgotten, [])
})

rule(
  'A start loads no migrations: what serves imports them where they are used, and only commands do at their start',
  (source) =>
    isIn(['operator'], source.path) || source.path === 'src/database/existing.ts'
      ? []
      : [...source.text.matchAll(/ from '[./\w]*database\/migrate\.ts'| from '\.\/migrate\.ts'/g)].map(String),
)

const lists = { feature: 'src/features.ts', subject: 'src/subjects.ts' }
for (const [name, list] of Object.entries(lists)) {
  it(`Every ${name} is part of the application: ${list} imports each ${name}.ts`, () => {
    const { imports } = sources.find(({ path }) => path === list)!
    // src/content/subject.ts says what a subject is.
    const all = globSync(`src/**/${name}.ts`).filter((path) => path !== 'src/content/subject.ts')
    assert.deepEqual(
      all.filter((path) => !imports.includes(path)),
      [],
    )
  })
}

rule(
  'A contract or a subject is data: it imports zod, the contract folder, areas, rules, audit actions and other contracts and subjects',
  ({ path, imports, packages }) =>
    !/(contract|area|subject)\.ts$/.test(path) && !isIn(['contract'], path)
      ? []
      : [
          ...packages.filter((name) => name !== 'zod'),
          ...imports.filter(
            (file) => !isIn(['contract'], file) && !/(contract|area|subject|rules|audit-actions)\.ts$/.test(file),
          ),
        ],
)

it('No circles of imports between files', () => {
  const others = sourcesOf('site/src/**/*.{ts,svelte}', '{cli,client,packages/*}/src/**/*.ts')
  assert.ok(others.length > 400, `${others.length} files`)
  const all = [...sources, ...others].map(({ path, imports }) => [path, new Set(imports)] as const)
  assert.deepEqual(circular(new Map(all)), [])
})

it('No circles of mentions between the files of src: types count too', () =>
  assert.deepEqual(circular(new Map(sources.map(({ path, mentions }) => [path, new Set(mentions)]))), []))

it('A package of packages knows nothing of Guildhall: it imports its own files and modules of Node alone', () => {
  const packages = sourcesOf('packages/*/src/**/*.ts')
  assert.ok(packages.length > 5, `${packages.length} files`)
  const wrong = packages.flatMap(({ path, text }) =>
    specifiersIn(text)
      .filter((name) => !name.startsWith('node:') && !/^\.\/[\w-]+\.ts$/.test(name))
      .map((name) => `${path}: ${name}`),
  )
  assert.deepEqual(wrong, [])
})

it('No circles between the rooms of src, types included', () => assert.deepEqual(circular(new Map(rooms)), []))

/** The folder of a file in its room; undefined for the files of the room itself. */
const subRoomOf = (path: string): string | undefined => dirname(path).match(/^src\/[^/]+\/[^/]+/)?.[0]

it('No circles between the folders of a room, types included', () => {
  const edges = new Map<string, Set<string>>()
  for (const { path, mentions } of sources) {
    const from = subRoomOf(path)
    if (from === undefined) continue
    const others = mentions
      .map(subRoomOf)
      .filter((to) => to !== undefined && to !== from && roomOf(to) === roomOf(from))
    edges.set(from, new Set([...(edges.get(from) ?? []), ...(others as string[])]))
  }
  assert.deepEqual(circular(edges), [])
})

rule(
  'No domain (accounts, oauth, community, library) imports another: app.ts passes in what one needs of another',
  (source) =>
    source.mentions.filter(
      (file) => isIn(domains, source.path) && isIn(domains, file) && roomOf(file) !== roomOf(source.path),
    ),
)

rule('SQL is written in queries.ts, oauth/storage.ts and src/database', ({ path, text }) =>
  /queries\.ts$/.test(path) || path === 'src/oauth/storage.ts' || isIn(['database'], path)
    ? []
    : (text.match(/\.(selectFrom|selectForUpdate|insertInto|updateTable|deleteFrom|deleteCounted|deleteSome)\(/g) ??
      []),
)

rule('Queries name the columns that they read, so that others may add some', ({ text }) =>
  [...text.matchAll(/\b(?:select|returning)All\(|\b(?:select|returning)\s+(?:\w+\.)?\*|\w\.\*\s*(?:,|from\b)/gi)].map(
    ([all]) => all,
  ),
)

rule('Time comes from runtime/clock.ts: no other file reads the clock of the machine', ({ path, text }) =>
  path === 'src/runtime/clock.ts'
    ? []
    : (text.match(/\bDate\.now\b|\bnew Date\(\)|(?<![\w.])Date\(\)|\btimeOrigin\b|\bTemporal\.Now\b/g) ?? []),
)

rule(
  'Only hash.ts, seal.ts and push-encryption.ts of runtime hash with a key, derive, compare in equal time and encrypt',
  ({ path, text }) =>
    ['src/runtime/hash.ts', 'src/runtime/seal.ts', 'src/runtime/push-encryption.ts'].includes(path)
      ? []
      : (text.match(/\b(createHmac|hkdf(Sync)?|timingSafeEqual|create(Cipher|Decipher)iv)\b/g) ?? []),
)

rule('rules.ts decides without touching the world', ({ path, imports, packages }) =>
  !path.endsWith('/rules.ts')
    ? []
    : [
        ...imports.filter((file) => /(queries|handlers)\.ts$/.test(file) || isIn(['database', 'surfaces'], file)),
        ...packages.filter((name) => name.startsWith('node:')),
      ],
)

rule(
  'A slice is entered by its contract, its area or access, its feature, or the file named after it',
  ({ path, imports }) =>
    isIn(['surfaces', 'start'], path) || ['src/app.ts', 'src/jobs.ts', 'src/moderating.ts'].includes(path)
      ? []
      : imports.filter((file) => {
          const slice = sliceOf(file)
          if (!slice || slice === sliceOf(path) || path.startsWith(`${slice}/`)) return false
          const folder = dirname(file).split('/').at(-1)!
          return !/(contract|area|access|subject|feature)\.ts$/.test(file) && !file.endsWith(`/${folder}/${folder}.ts`)
        }),
)

rule(
  'The folders below the domains (contract, storage, identity, content and the like) import no domain and no surface',
  ({ path, imports }) =>
    isIn(grounds, path)
      ? imports.filter(
          (file) => file.split('/').length > 2 && !isIn(grounds, file) && !/^(migrations|messages)\//.test(file),
        )
      : [],
)

rule('Only start, app.ts and derive.ts know the surfaces; the demo knows the client', ({ path, imports }) =>
  isIn(['surfaces', 'start'], path) || path === 'src/app.ts'
    ? []
    : imports.filter(
        (file) => isIn(['surfaces'], file) && !(path === 'src/demo/people.ts' && file === 'src/surfaces/client.ts'),
      ),
)

const operationNames = new RegExp(
  `['"\`](${Object.entries(api)
    .flatMap(([slice, contract]) => Object.keys(contract).map((verb) => `${slice}\\.${verb}`))
    .join('|')})['"\`]`,
  'g',
)

rule(
  'No surface names an operation or imports a domain: contracts say what there is, and src/api.ts lists it',
  ({ path, text, mentions }) =>
    isIn(['surfaces'], path)
      ? [
          ...(text.match(operationNames) ?? []),
          ...mentions.filter((file) => isIn([...domains, 'content', 'identity'], file)),
        ]
      : [],
)

rule('Only the owning slice writes a table', (source) =>
  writersOf(source).filter((table) => ownerOf(table) !== dirname(source.path)),
)

rule('Files stay under 300 lines', ({ text }) => {
  const lines = text.split('\n').length
  return lines > 300 ? [`${lines} lines`] : []
})

rule('A file opens with a comment that says what it is for', ({ path, text }) => {
  const opening = path.startsWith('src/') ? /^(\/\/|\/\*|#!)/ : /^(\/\/|\/\*|#!|import|export)/
  return opening.test(text) ? [] : [path]
})

const specification = Object.fromEntries(
  globSync('docs/spec/*.md').map((path) => [basename(path), readFileSync(path, 'utf8')]),
)

rule('A citation of the specification leads to a section of docs/spec', ({ text }) =>
  [...text.matchAll(/(\w+\.md),? sections? (\d+)(?: and (\d+))?/g)].flatMap(([citation, name, ...numbers]) => {
    const headings = [...(specification[name!] ?? '').matchAll(/^## (\d+)\. /gm)].map(([, number]) => number)
    return numbers.every((number) => number === undefined || headings.includes(number)) ? [] : [citation]
  }),
)

it('Tests ask for PostgreSQL by test/databases.ts or test/world.ts, so that they are left out where there is none', () => {
  const wrong = globSync('{src,test,cli/test,client/test,packages/*/test,site/test}/**/*.test.ts').filter(
    (path) =>
      !['test/own-postgres.test.ts', 'test/architecture.test.ts'].includes(path) &&
      /\blendDatabase\(|env\S*TEST_POSTGRES/.test(readFileSync(path, 'utf8')),
  )
  assert.deepEqual(wrong, [])
})

function writersOf({ text }: Source): string[] {
  return [...text.matchAll(/\.(?:insertInto|updateTable|deleteFrom|deleteCounted|deleteSome)\('(\w+)/g)].map(
    (match) => match[1]!,
  )
}

/** The folder that wrote a table first, in the order of the files: a second one is an intruder. */
function ownerOf(table: string): string {
  return dirname(sources.find((source) => writersOf(source).includes(table))!.path)
}
