// The handbook of operators (content/docs): what its pages tell to run is run, in their order, on a machine of its own.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { handbook } from '../../site/src/lib/documents.ts'
import { runOnMachine, whyNoMachine } from './machine.ts'

/** Blocks that begin with ```sh run, each told of before it runs. */
const blocksOf = (name: string): string[] =>
  [...readFileSync(`content/docs/${name}.md`, 'utf8').matchAll(/^```sh run\n([\s\S]*?)^```$/gm)].map(
    ([, text]) => text!,
  )

const scriptOf = (blocks: readonly string[]) =>
  blocks.map((block, at) => `echo '--- block ${at + 1}'\n${block}`).join('\n')

/** Programs that a page cannot do without. */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  proxy: ['nginx', 'caddy'],
  watching: ['prometheus', 'promtool'],
}
const hasPostgres = spawnSync('sh', ['-c', 'ls /usr/lib/postgresql/*/bin/initdb && command -v psql']).status === 0

function whySkip(name: string): string | false {
  const missing = (PROGRAMS[name] ?? []).filter((program) => spawnSync('which', [program]).status !== 0)
  if (missing.length > 0) return `install ${missing.join(' and ')} to run this`
  return name === 'stores' && !hasPostgres ? 'install PostgreSQL to run this' : false
}

/** The page on installing; its first block makes the release, and the others are done before every other page. */
const INSTALLING = 'operators'

/** Only texts without commands, or with those that need a name in the DNS. */
const READ_ONLY = ['night']

describe('the handbook', { skip: whyNoMachine() ?? false }, () => {
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'guildhall-handbook-'))
    const made = spawnSync(process.execPath, ['release/main.ts', join(folder, 'release')], { encoding: 'utf8' })
    assert.equal(made.status, 0, made.stdout + made.stderr)
  })
  after(() => rm(folder, { recursive: true }))

  for (const { name } of handbook.filter((page) => !READ_ONLY.includes(page.name))) {
    it(`does what it says on ${name}`, { skip: whySkip(name) }, async () => {
      const [release, ...installing] = blocksOf(INSTALLING)
      assert.ok(release && installing.length > 0)
      const isFirst = name === INSTALLING
      const own = blocksOf(name)
      assert.ok(own.length > 0, `${name} has nothing to run`)
      // The key pair of the storage of tests.
      const script = (
        isFirst
          ? scriptOf(own)
          : `${scriptOf(['ln -s guildhall-0.1.0 /opt/guildhall', ...installing])}\necho '=== ${name}'\n${scriptOf(own)}`
      ).replaceAll(/the-(access|secret)-key/g, 'S3RVER')
      const { code, output, mails } = await runOnMachine(script, isFirst ? '' : join(folder, 'release'))
      assert.equal(code, 0, output.slice(-4_000))
      if (name === 'mail') assert.match(mails.join('\n'), /Subject: Test mail of Guildhall/)
    })
  }
})
