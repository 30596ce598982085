// Libraries as one file each: the same exports, used in the installed version alone.
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { bundledLibraries, bundleLibraries } from './bundled-libraries.ts'

const KYSELY = ['kysely', 'kysely/migration']
const ZOD = ['zod', 'zod/v4', 'zod/v4/core']
const OTHERS = ['hono', 'hono/html', 'hono/router/trie-router', 'hono/utils/mime', 'hono/ws', 'pino']

let build: string
before(async () => {
  build = await mkdtemp(join(tmpdir(), 'guildhall-libraries-'))
  await bundleLibraries(build)
})
after(() => rm(build, { recursive: true }))

test('a bundle exports what its library does, and every way in gives the same classes', async () => {
  const libraries = bundledLibraries(build)
  assert.deepEqual([...libraries.keys()], [...KYSELY, ...ZOD, ...OTHERS])
  for (const [specifier, url] of libraries) {
    const [bundled, installed] = await Promise.all([import(url), import(specifier)])
    // Node finds names in a library of CommonJS beside its default; its bundle has that alone.
    const names = 'module.exports' in installed ? ['default'] : Object.keys(installed).sort()
    assert.deepEqual(Object.keys(bundled).sort(), names, specifier)
    for (const name of names) {
      const value = installed[name]
      assert.equal(typeof bundled[name], typeof value, `${specifier}: ${name}`)
      if (typeof value === 'function') assert.equal(bundled[name].name, value.name, `${specifier}: ${name}`)
    }
  }
  const [zod, v4] = await Promise.all(['zod', 'zod/v4'].map((name) => import(libraries.get(name)!)))
  assert.equal(zod.ZodObject, v4.ZodObject)
  const schema = zod.z.object({ page: zod.z.int().min(1) })
  assert.ok(schema instanceof v4.ZodObject)
  const [issue] = schema.safeParse({ page: 0 }).error.issues
  assert.deepEqual([issue.code, issue.message], ['too_small', 'Too small: expected number to be >=1'])
})

test('no file of a bundle has a letter for which V8 would keep it with two bytes for each', async () => {
  const folder = join(build, 'libraries')
  for (const name of (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('.js'))) {
    assert.deepEqual((await readFile(join(folder, name), 'utf8')).match(/[^\0-\u00ff]/g), null, name)
  }
})

test('a bundle of another version than the installed one is not used', async () => {
  const file = join(build, 'libraries/versions.json')
  const versions = await readFile(file, 'utf8')
  await writeFile(file, JSON.stringify({ ...JSON.parse(versions), zod: '4.0.0' }))
  assert.deepEqual([...bundledLibraries(build).keys()], [...KYSELY, ...OTHERS])
  for (const broken of ['{', '{}']) {
    await writeFile(file, broken)
    assert.equal(bundledLibraries(build).size, 0)
  }
  await writeFile(file, versions)
  assert.equal(bundledLibraries(build).size, [...KYSELY, ...ZOD, ...OTHERS].length)
  assert.equal(bundledLibraries(join(build, 'none')).size, 0)
})
