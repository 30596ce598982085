// Imports that are found quickly are those that Node finds.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { createRequire, isBuiltin, type ResolveHookContext } from 'node:module'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { resolve } from './resolving.ts'

const root = new URL('../../', import.meta.url)
const conditions = ['node', 'import', 'module-sync', 'node-addons']

let asked = 0
/** What Node finds; the format is that of the package, which is the same for all files with one ending in a folder. */
function node(specifier: string, { parentURL }: Partial<ResolveHookContext> = {}) {
  asked++
  if (isBuiltin(specifier)) return { url: specifier, format: 'builtin' as const }
  const url = pathToFileURL(createRequire(parentURL!).resolve(specifier)).href
  return { url, format: url.endsWith('.ts') ? ('module-typescript' as const) : ('module' as const) }
}

const find = (specifier: string, parentURL: string | undefined, given = conditions) =>
  resolve(specifier, { parentURL, conditions: given, importAttributes: {} } as ResolveHookContext, node)

/** What is asked of Node in the work. */
function askedIn(work: () => unknown): number {
  const before = asked
  work()
  return asked - before
}

test('every relative import of the sources and of two libraries is the file that Node finds, which is asked once a folder', () => {
  const files = globSync(['src/**/*.ts', 'packages/*/src/**/*.ts', 'node_modules/{zod,kysely}/**/*.js'], {
    cwd: root,
  }).filter((path) => !/\.test\.ts$|\/cjs\//.test(path))
  const imports = files.flatMap((path) => {
    const text = readFileSync(new URL(path, root), 'utf8')
    const found = text.matchAll(/^(?:import|export|\}) [^'"\n]*?from ['"](\.[^'"]+\.(?:js|ts))['"]/gm)
    return Array.from(found, ([, specifier]) => ({ specifier: specifier!, from: new URL(path, root).href }))
  })
  assert.ok(imports.length > 3_000, `${imports.length} imports`)
  const count = askedIn(() => {
    for (const { specifier, from } of imports) {
      assert.equal(find(specifier, from).url, new URL(specifier, from).href, `${specifier} in ${from}`)
    }
  })
  assert.ok(count < imports.length / 10, `${count} of ${imports.length} asked`)
})

test('a package and a built-in module are asked once for all of the sources, and for each file elsewhere', () => {
  const [app, clock] = ['src/app.ts', 'src/runtime/clock.ts'].map((path) => new URL(path, root).href)
  for (const specifier of ['hono', 'node:fs']) {
    assert.equal(
      askedIn(() => [find(specifier, app), find(specifier, clock)]),
      1,
    )
    assert.deepEqual(find(specifier, clock), { ...node(specifier, { parentURL: app! }), shortCircuit: true })
    const elsewhere = new URL('bench/feed.ts', root).href
    assert.equal(
      askedIn(() => [find(specifier, elsewhere), find(specifier, elsewhere)]),
      2,
    )
  }
})

test('Node answers what is not a plain path of an import', () => {
  const app = new URL('src/app.ts', root).href
  find('./api.ts', app)
  const plain = () => find('./api.ts', app)
  assert.equal(askedIn(plain), 0)
  const others = [
    './api.ts?again',
    './a%70i.ts',
    './runtime/../api.ts',
    './runtime/./clock.ts',
    '.././src/api.ts',
    './api',
  ]
  for (const specifier of others) {
    const ask = () => {
      try {
        find(specifier, app)
      } catch {
        // There is no such file for the `node` of this test.
      }
    }
    assert.equal(askedIn(ask), 1, specifier)
  }
  assert.equal(
    askedIn(() => find('./api.ts', app, ['node', 'require'])),
    1,
    'require',
  )
  assert.equal(
    askedIn(() => assert.throws(() => find('./api.ts', undefined))),
    1,
    'the first file of a program',
  )
})
