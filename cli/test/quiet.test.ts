// Every command of the packed program: Node warns of nothing, and with --json the result is alone on the standard output. CLIENT_RUNTIME is the
// path of another Node to run it with, such as the oldest one that it supports.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { install, pack } from '../../client/test/examples.ts'
import { workflowFile } from '../../test/library.ts'
import { listening } from '../../test/listening.ts'
import { temporaryDirectory } from '../../test/temporary.ts'
import type { World } from '../../test/world.ts'
import { commands } from '../src/commands.ts'
import { guildhallProcess, typingCode } from './run-cli.ts'

const NODE = process.env['CLIENT_RUNTIME'] ?? process.execPath

/** Every command with words that work, in this order; the first is `login`, which has a test of its own kind. */
const lines = `whoami
profiles
search digest
bug new --title Late --description Again
bug list
bug show 1
post --title Hello --body World
feed
inbox --all
vote 1 up
comment 1 Again
new workflow News --output news.json
lint digest.json
pack board
publish digest.json --visibility public
info workflow/digest
scan workflow/digest
owners workflow/digest
visibility workflow/digest
diff workflow/digest
download workflow/digest -o copy.json
key new
key list
key sign workflow/digest@1.0.0
init
install workflow/digest --yes
list
outdated
audit
verify
update
publishers list
publishers add workflow/digest --repository mira/digest --workflow publish.yml --ref main
staged list workflow/digest
report worked workflow/digest
mirror SERVER copy
invite workflow/digest bob
transfer workflow/digest --withdraw
rename workflow/digest late
remove workflow/digest
yank workflow/late@1.0.0
deprecate workflow/late --message Old
accept
team list
api bugs.list
completion bash
mcp
help
unpublish workflow/late --yes
logout`.split('\n')

/** What prints something else than a result; and what has nothing to withdraw, or is of others alone, ends with 1. */
const WITHOUT_RESULT = ['completion', 'mcp']
const REFUSED = ['transfer', 'report']

const nameOf = (words: readonly string[]) => {
  const two = words.slice(0, 2).join(' ')
  return Object.hasOwn(commands, two) ? two : words[0]!
}

async function runAll({ world, program, folder }: { world: World; program: string[]; folder: string }) {
  const { baseUrl } = world.dependencies.config
  const running = { home: folder, folder, environment: { GUILDHALL_URL: baseUrl } }
  for (const text of lines) {
    const words = text.replace('SERVER', baseUrl).split(' ')
    const name = nameOf(words)
    const all = name === 'api' || WITHOUT_RESULT.includes(name) ? words : [...words, '--json']
    const { code, output, errors } = await guildhallProcess(program, all, { ...running, input: '' })
    assert.equal(code, REFUSED.includes(name) ? 1 : 0, `${text}\n${output}${errors}`)
    assert.doesNotMatch(errors, /\w*Warning\b|--trace-|fault|^ {4}at /m, text)
    if (code === 0 && !WITHOUT_RESULT.includes(name))
      assert.doesNotThrow(() => JSON.parse(output), `${text}\n${output}`)
  }
}

it('says nothing but what was asked, on every command', async (t) => {
  const folder = await temporaryDirectory(t)
  install(pack('cli', folder), folder)
  const program = [NODE, join(folder, 'node_modules/@guildhall/cli/dist/guildhall.js')]
  execFileSync(program[0]!, [program[1]!, 'new', 'automation', 'Board'], { cwd: folder })
  writeFileSync(join(folder, 'digest.json'), Buffer.from(await workflowFile({ name: 'Digest' }).arrayBuffer()))
  const done = ['login', ...lines.map((line) => nameOf(line.split(' ')))]
  const named = [...Object.keys(commands), 'api', 'help']
  assert.deepEqual(
    named.filter((name) => !done.includes(name)),
    [],
  )
  await listening(t, async (world) => {
    const { email } = await world.alice.account()
    await world.bob.profile.setUsername({ username: 'bob' })
    const words = ['login', '--server', world.dependencies.config.baseUrl, '--email', email]
    const onErrors = typingCode(world, email)
    const { code, errors } = await guildhallProcess(program, words, { home: folder, onErrors })
    assert.equal(code, 0, errors)
    assert.doesNotMatch(errors, /Warning/)
    await runAll({ world, program, folder })
  })
})
