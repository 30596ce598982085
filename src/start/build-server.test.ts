// The server as few files: what a start loads, and where its errors are.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { startServer, withData } from '../../test/server.ts'
import { sourceStack } from '../runtime/log.ts'
import { buildServer } from './build-server.ts'
import { builtProgram, newestBuild } from './built-server.ts'

/** Others may look at the same build at once. */
before(() => buildServer(() => {}))

const files = () => readdirSync(newestBuild()!).filter((name) => name.endsWith('.js'))
const read = (name: string) => readFileSync(join(newestBuild()!, name), 'utf8')

/** Notes what is loaded in the file that LOADED names. */
const preload = `import { registerHooks } from 'node:module'
import { appendFileSync } from 'node:fs'
registerHooks({ load(url, context, next) { appendFileSync(process.env.LOADED, url + '\\n'); return next(url, context) } })`

/** What a server loads until it has answered with a page. */
async function loadedAtStart(environment: Record<string, string>): Promise<string[]> {
  let loaded: string[] = []
  await withData(async (DATA_DIR) => {
    const [list, module] = [join(DATA_DIR, 'loaded'), join(DATA_DIR, 'preload.mjs')]
    writeFileSync(module, preload)
    const NODE_OPTIONS = `--import ${pathToFileURL(module)}`
    const server = await startServer({ DATA_DIR, LOADED: list, NODE_OPTIONS, ...environment })
    assert.equal((await fetch(server.url)).status, 200)
    assert.equal(await server.end('SIGTERM'), 0)
    const root = new URL('../../', import.meta.url).href
    const files = readFileSync(list, 'utf8').split('\n')
    loaded = files.filter((url) => url.startsWith(root)).map((url) => url.slice(root.length))
  })
  return loaded.filter((path) => path !== '')
}

test('a server reads files of the build, and of the sources only those that find it', async () => {
  const loaded = await loadedAtStart({})
  const ofSources = loaded.filter((path) => /^(src|migrations|packages)\//.test(path)).sort()
  assert.deepEqual(ofSources, ['src/main.ts', 'src/runtime/built-from.ts', 'src/start/built-server.ts'])
  assert.ok(loaded.filter((path) => path.startsWith('build/')).length < 80, loaded.join('\n'))
  assert.ok(!loaded.some((path) => path.startsWith('node_modules/zod/')), 'the site has the zod of the build')
})

test('a server that is being worked on runs from its sources', async () => {
  assert.equal(typeof builtProgram('server'), 'string')
  const loaded = await loadedAtStart({ NODE_ENV: 'development' })
  assert.ok(!loaded.some((path) => path.startsWith('build/')))
  assert.ok(loaded.includes('src/start/serve.ts'))
})

test('no file of the build has a letter for which V8 would keep all of it with two bytes for each', () => {
  for (const name of files()) assert.deepEqual(read(name).match(/[^\0-\x7f]/g), null, name)
})

test('the stack of an error names the sources', () => {
  const sentence = 'Guildhall did not stop in time'
  const name = files().find((file) => read(file).includes(sentence))!
  const lines = read(name).split('\n')
  const line = lines.findIndex((text) => text.includes(sentence))
  const url = pathToFileURL(join(newestBuild()!, name)).href
  const place = `    at stop (${url}:${line + 1}:${lines[line]!.indexOf(sentence) + 1})`
  const source = readFileSync(new URL('serve.ts', import.meta.url), 'utf8').split('\n')
  const expected = source.findIndex((text) => text.includes(sentence)) + 1
  assert.match(
    sourceStack(`Error: Stuck\n${place}`),
    new RegExp(`Error: Stuck\\n.*src/start/serve\\.ts:${expected}:\\d+\\)$`),
  )
  const elsewhere = 'at file:///nowhere/else.js:1:2'
  assert.equal(sourceStack(elsewhere), elsewhere)
})
