// The rules of the house, each a sentence that a failure prints.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { it } from 'node:test'

interface Source {
  path: string
  text: string
  /** Paths from the root of what it imports here, and names of packages. */
  imports: string[]
  packages: string[]
}

const sources: Source[] = globSync('src/**/*.ts')
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => {
    const text = readFileSync(path, 'utf8')
    const code = text.replace(/import type [^;]*? from '[^']+'/g, '')
    const specifiers = [...code.matchAll(/(?:from|import\() ?'([^']+)'/g)].map((match) => match[1]!)
    const local = specifiers.filter((specifier) => specifier.startsWith('.'))
    return {
      path,
      text,
      imports: local.map((specifier) => normalize(join(dirname(path), specifier))),
      packages: specifiers.filter((specifier) => !specifier.startsWith('.')),
    }
  })

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
]
const grounds = [...basement, 'request', 'identity', 'content']
const floors = [...grounds, 'surfaces', 'start']

/** The folder that makes a slice: the first one with a contract, or the top folder. */
function sliceOf(path: string): string | undefined {
  const parts = dirname(path).split('/')
  if (parts[1] === undefined || floors.includes(parts[1])) return undefined
  return parts[1] === 'community' || parts[1] === 'oauth' ? parts.slice(0, 3).join('/') : parts.slice(0, 2).join('/')
}

function rule(sentence: string, broken: (source: Source) => string[]): void {
  it(sentence, () => {
    const found = sources.flatMap((source) => broken(source).map((what) => `${source.path}: ${what}`))
    assert.deepEqual(found, [], `${sentence}:\n${found.join('\n')}`)
  })
}

const isIn = (folders: string[], path: string) => folders.some((folder) => path.startsWith(`src/${folder}/`))

it('Every migration is run: src/database/migrate.ts names each file', () => {
  const { text } = sources.find(({ path }) => path === 'src/database/migrate.ts')!
  const forgotten = globSync('migrations/*.ts').filter((path) => !text.includes(`'../../${path}'`))
  assert.deepEqual(forgotten, [])
})

rule(
  'A contract is data: it imports zod, the contract folder, areas and other contracts',
  ({ path, imports, packages }) =>
    !/(contract|area)\.ts$/.test(path) && !isIn(['contract'], path)
      ? []
      : [
          ...packages.filter((name) => name !== 'zod'),
          ...imports.filter((file) => !isIn(['contract'], file) && !/(contract|area|rules)\.ts$/.test(file)),
        ],
)

rule('SQL is written in queries.ts, oauth/storage.ts and src/database', ({ path, text }) =>
  /queries\.ts$/.test(path) || path === 'src/oauth/storage.ts' || isIn(['database'], path)
    ? []
    : (text.match(/\.(selectFrom|insertInto|updateTable|deleteFrom)\(/g) ?? []),
)

rule('rules.ts decides without touching the world', ({ path, imports, packages }) =>
  !path.endsWith('/rules.ts')
    ? []
    : [
        ...imports.filter((file) => /(queries|handlers)\.ts$/.test(file) || isIn(['database', 'surfaces'], file)),
        ...packages.filter((name) => name.startsWith('node:')),
      ],
)

rule('A slice is entered by its contract, its area or access, or the file named after it', ({ path, imports }) =>
  isIn(['surfaces', 'start'], path) || ['src/app.ts'].includes(path)
    ? []
    : imports.filter((file) => {
        const slice = sliceOf(file)
        if (!slice || slice === sliceOf(path) || path.startsWith(`${slice}/`)) return false
        const folder = dirname(file).split('/').at(-1)!
        return !/(contract|area|access)\.ts$/.test(file) && !file.endsWith(`/${folder}/${folder}.ts`)
      }),
)

rule(
  'What stands beneath the domains (contract, storage, identity, content and the like) knows no domain and no surface',
  ({ path, imports }) =>
    isIn(grounds, path)
      ? imports.filter((file) => file.split('/').length > 2 && !isIn(grounds, file) && !file.startsWith('migrations/'))
      : [],
)

rule('Only start, app.ts and derive.ts know the surfaces; the demo knows the client', ({ path, imports }) =>
  isIn(['surfaces', 'start'], path) || path === 'src/app.ts'
    ? []
    : imports.filter(
        (file) => isIn(['surfaces'], file) && !(path === 'src/demo/people.ts' && file === 'src/surfaces/client.ts'),
      ),
)

rule('Only the owning slice writes a table', (source) =>
  writersOf(source).filter((table) => ownerOf(table) !== dirname(source.path)),
)

rule('Files stay under 300 lines', ({ text }) => {
  const lines = text.split('\n').length
  return lines > 300 ? [`${lines} lines`] : []
})

rule('A file opens with what it is', ({ path, text }) => (/^(\/\/|\/\*|#!|import|export)/.test(text) ? [] : [path]))

const specification = Object.fromEntries(
  globSync('docs/spec/*.md').map((path) => [basename(path), readFileSync(path, 'utf8')]),
)

rule('A citation of the specification leads to a section of docs/spec', ({ text }) =>
  [...text.matchAll(/(\w+\.md),? sections? (\d+)(?: and (\d+))?/g)].flatMap(([citation, name, ...numbers]) => {
    const headings = [...(specification[name!] ?? '').matchAll(/^## (\d+)\. /gm)].map(([, number]) => number)
    return numbers.every((number) => number === undefined || headings.includes(number)) ? [] : [citation]
  }),
)

function writersOf({ text }: Source): string[] {
  return [...text.matchAll(/\.(?:insertInto|updateTable|deleteFrom)\('(\w+)/g)].map((match) => match[1]!)
}

/** The folder that wrote a table first, in the order of the files: a second one is an intruder. */
function ownerOf(table: string): string {
  return dirname(sources.find((source) => writersOf(source).includes(table))!.path)
}
