// The command line as it is published: packed, installed in an empty folder, the commands of its README run. CLIENT_RUNTIME is the path of
// another Node to run it with, such as the oldest one that it supports.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { install, pack } from '../../client/test/examples.ts'
import { listening } from '../../test/listening.ts'
import { temporaryDirectory } from '../../test/temporary.ts'
import { guildhallProcess, typingCode } from './run-cli.ts'

const FOLDER = resolve(import.meta.dirname, '..')
const NODE = process.env['CLIENT_RUNTIME'] ?? process.execPath

/** What the guide does at a terminal, after it signed in. */
function linesOfGuide(): string {
  const text = readFileSync(join(FOLDER, '../content/docs/guide.md'), 'utf8')
  return text.match(/^guildhall login .*\n([\s\S]*?)^```$/m)![1]!
}

/** The blocks of the README that a shell runs: all but the first, which installs and signs in. */
function blocks(): string[] {
  const text = readFileSync(join(FOLDER, 'README.md'), 'utf8')
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].slice(1).map((match) => match[1]!)
}

it('is installed from its tarball, needs nothing else, and does what its README says', async (t) => {
  const folder = await temporaryDirectory(t)
  install(pack('cli', folder), folder)
  assert.deepEqual(
    readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.')),
    ['@guildhall'],
  )
  const program = join(folder, 'node_modules/.bin/guildhall')
  const path = [dirname(program), dirname(NODE), process.env['PATH']].join(delimiter)
  await listening(t, async (world) => {
    const { baseUrl } = world.dependencies.config
    const { email } = await world.alice.account()
    // The member whom the examples invite to a team.
    await world.bob.profile.setUsername({ username: 'bob' })
    const { code, errors } = await guildhallProcess([program], ['login', '--server', baseUrl, '--email', email], {
      home: folder,
      environment: { PATH: path },
      onErrors: typingCode(world, email),
    })
    assert.equal(code, 0, errors)
    writeFileSync(
      join(folder, 'org.json'),
      JSON.stringify({ name: 'Notes', goal: 'Write.', roles: [{ id: 'editor' }] }),
    )
    const environment = { PATH: path, HOME: folder, GUILDHALL_CONFIG: join(folder, 'config') }
    const outputs: string[] = []
    for (const block of [...blocks(), linesOfGuide()]) {
      const { stdout } = await promisify(execFile)('bash', ['-e', '-c', block], { cwd: folder, env: environment })
      outputs.push(stdout)
    }
    const all = outputs.join('')
    assert.match(
      all,
      /alice <alice@example.com>[\s\S]*Filed #1:[\s\S]*The score is 1\.[\s\S]*Commented: [\s\S]*bug\/[\w-]{36} {2}The digest/,
    )
    assert.match(
      all,
      /Would publish a new workflow[\s\S]*Published workflow\/morning-digest 1\.0\.0[\s\S]*installed: \/[\s\S]*up to date[\s\S]*unchanged[\s\S]*removed/,
    )
    assert.match(all, /"title": "The digest is late"[\s\S]*"slug": "notes"[\s\S]*--severity TEXT/)
    assert.match(all, /night-desk\.json: valid, org Night desk[\s\S]*harbor-board-0\.1\.0\.mpkg: 4 files/)
    const { items } = await world.alice.bugs.list({})
    assert.equal(items.at(-1)?.commentCount, 1)

    // What reads the output ends first, and that is no failure.
    const closing = 'set -o pipefail; guildhall api bugs.list | true'
    await promisify(execFile)('bash', ['-e', '-c', closing], { cwd: folder, env: environment })
  })
})
