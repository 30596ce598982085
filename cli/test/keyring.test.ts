// Credentials in the keyring of the system, by programs in its place.
import assert from 'node:assert/strict'
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { it } from 'node:test'
import { temporaryDirectory } from '../../test/temporary.ts'
import { keyringFor } from '../src/keyring.ts'
import { onTerminal } from './terminal.ts'

/** What both programs do with a store of files: names are hashes of what they are asked for. A path after `#!` must have no space. */
const common = `#!/usr/bin/env node
const { createHash } = require('node:crypto')
const { existsSync, readFileSync, writeFileSync, rmSync, appendFileSync } = require('node:fs')
const { join } = require('node:path')
const words = process.argv.slice(2)
appendFileSync(join(__dirname, 'arguments'), words.join(' ') + '\\n')
if (existsSync(join(__dirname, 'locked'))) process.exit(1)
const at = (name) => join(__dirname, createHash('sha256').update(name).digest('hex') + '.secret')
const give = (name) => { if (!existsSync(at(name))) process.exit(44); process.stdout.write(readFileSync(at(name))) }
`
const secretTool = `${common}
const name = words.slice(words.indexOf('service')).join(' ')
if (words[0] === 'store') writeFileSync(at(name), readFileSync(0))
if (words[0] === 'lookup') give(name)
if (words[0] === 'clear') rmSync(at(name), { force: true })
`
const security = `${common}
if (words[0] === '-i') {
  const [, service, account, secret] = readFileSync(0, 'utf8').match(/^add-generic-password -U -s (\\S+) -a "([^"]*)" -w "([^"]*)"\\n$/)
  writeFileSync(at('-s ' + service + ' -a ' + account), secret + '\\n')
}
if (words[0] === 'find-generic-password') give(words.slice(1, -1).join(' '))
if (words[0] === 'delete-generic-password') rmSync(at(words.slice(1).join(' ')))
`

/** A folder with both programs. */
async function programs(home: string): Promise<string> {
  const folder = join(home, 'bin')
  await mkdir(folder)
  for (const [name, text] of Object.entries({ 'secret-tool': secretTool, security })) {
    await writeFile(join(folder, name), text)
    await chmod(join(folder, name), 0o755)
  }
  return folder
}

const secretsIn = async (folder: string) => (await readdir(folder)).filter((name) => name.endsWith('.secret')).length
const pathWith = (folder: string) => [folder, dirname(process.execPath), process.env['PATH']].join(delimiter)

for (const platform of ['linux', 'darwin']) {
  it(`keeps secrets by the program of ${platform}, never in its arguments`, async (t) => {
    const home = await temporaryDirectory(t)
    const folder = await programs(home)
    const keyring = keyringFor(platform, { PATH: pathWith(folder) })!
    assert.equal(await keyring.read('/a b/one.json'), undefined)
    const secret = JSON.stringify({ token: 'quite "secret" \\ é\n' })
    await keyring.write('/a b/one.json', secret)
    await keyring.write('/a b/two.json', 'other')
    assert.equal(await keyring.read('/a b/one.json'), secret)
    await keyring.write('/a b/one.json', 'new')
    assert.equal(await keyring.read('/a b/one.json'), 'new')
    await keyring.delete('/a b/one.json')
    assert.equal(await keyring.read('/a b/one.json'), undefined)
    assert.equal(await keyring.read('/a b/two.json'), 'other')
    assert.doesNotMatch(await readFile(join(folder, 'arguments'), 'utf8'), /secret"|other|new/)
    await writeFile(join(folder, 'locked'), '')
    await assert.rejects(keyring.write('/a b/one.json', secret))
    await assert.rejects(keyringFor(platform, { PATH: home })!.write('/x', secret), { code: 'ENOENT' })
  })
}

onTerminal('signing in uses the keyring, renews there, and signing out empties it', async (terminal) => {
  const { home, run, login, server } = terminal
  const folder = await programs(home)
  const given = { environment: { PATH: pathWith(folder), GUILDHALL_KEYRING: 'auto' } }
  const file = join(home, 'config/profiles/default.json')
  assert.match((await login('default', given)).output, /The credentials are in the keyring \((secret-tool|security)\)/)
  assert.deepEqual(Object.keys(JSON.parse(await readFile(file, 'utf8'))), ['url', 'keyring'])
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  assert.equal(await secretsIn(folder), 1)
  assert.match((await run(['whoami'], given)).output, /alice/)
  await writeFile(join(folder, 'locked'), '')
  assert.match((await run(['whoami'], { ...given, expected: 1 })).errors, /keyring/)
  assert.match((await run(['whoami', '--server', server], { ...given, expected: 1 })).errors, /keyring/)
  await rm(join(folder, 'locked'))
  await run(['logout'], given)
  assert.deepEqual([await secretsIn(folder), await readdir(dirname(file))], [0, []])

  await writeFile(join(folder, 'locked'), '')
  assert.match((await login('default', given)).output, new RegExp(`The credentials are in ${file}`))
  await rm(join(folder, 'locked'))
  await login('default', given)
  assert.equal(await secretsIn(folder), 0)
  await login('default', { environment: { ...given.environment, GUILDHALL_KEYRING: 'on' } })
  assert.equal(await secretsIn(folder), 1)
  await login('default', { environment: { ...given.environment, GUILDHALL_KEYRING: 'off' } })
  assert.equal(await secretsIn(folder), 0)
  assert.match((await run(['whoami'])).output, /alice/)

  const none = { environment: { PATH: home, GUILDHALL_KEYRING: 'on' }, expected: 1 }
  assert.match((await login('work', none)).errors, /GUILDHALL_KEYRING=off/)
  await login('work', { environment: { GUILDHALL_KEYRING: 'maybe' }, expected: 2 })
})
