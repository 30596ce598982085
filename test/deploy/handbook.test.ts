// The handbook of operators (content/docs): what its pages tell to run is run, in their order, on a machine of its own.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { handbook } from '../../site/src/lib/documents.ts'
import { required } from '../../src/runtime/untyped.ts'
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

/** The page on installing; its first block makes the release, and the others are done on every other machine. */
const INSTALLING = 'operators'

/** Only texts without commands, with settings alone, or with what needs a name in the DNS, a provider or Citus. */
const READ_ONLY = [
  'night',
  'sign-in',
  'private-community',
  'looks',
  'moderating',
  'machines',
  'provisioning',
  'moving-in',
  'tracker-sync',
  'widget',
  'chat',
  'scaling',
]

/** Pages that leave the server as the next one finds it are done on one machine, in this order; machines run beside each other. */
const MACHINES = [['stores'], ['backups', 'upgrades'], ['proxy', 'mail', 'sizing', 'languages', 'keys', 'watching']]

const pages = handbook.map(({ name }) => name).filter((name) => !READ_ONLY.includes(name) && name !== INSTALLING)

interface Done {
  code: number | null
  output: string
  mails: string[]
}

describe('the handbook', { skip: whyNoMachine() ?? false }, () => {
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'guildhall-handbook-'))
    await mkdir(join(folder, 'release'))
  })
  after(() => rm(folder, { recursive: true }))

  const run = (blocks: readonly string[]): Promise<Done> =>
    // The key pair of the storage of tests.
    runOnMachine(blocks.join('\n').replaceAll(/the-(access|secret)-key/g, 'S3RVER'), join(folder, 'release'))

  let machines: Map<string, Promise<Done>> | undefined
  /** What came of the pages; all machines are started with the first. */
  const outcomeOf = async (name: string): Promise<Done> => {
    machines ??= new Map(
      MACHINES.flatMap((group) => {
        const done = run(programOf(group.filter((page) => !whySkip(page))))
        done.catch(() => {})
        return group.map((page) => [page, done])
      }),
    )
    return required(machines.get(name))
  }

  it('is done on machines', () => assert.deepEqual(MACHINES.flat().sort(), [...pages].sort()))

  it(`does what it says on ${INSTALLING}`, async () => {
    const { code, output } = await run([scriptOf(blocksOf(INSTALLING))])
    assert.equal(code, 0, output.slice(-4_000))
  })

  for (const name of pages) {
    it(`does what it says on ${name}`, { skip: whySkip(name) }, async () => {
      assert.ok(blocksOf(name).length > 0, `${name} has nothing to run`)
      const { output, mails } = await outcomeOf(name)
      assert.ok(output.includes(`=== done with ${name}\n`), output.slice(-4_000))
      if (name === 'mail') assert.match(mails.join('\n'), /Subject: Test mail of Guildhall/)
    })
  }
})

/** Installs Guildhall from the release that is there, and does what the pages say, each in a shell of its own. */
function programOf(names: readonly string[]): string[] {
  const [release, ...installing] = blocksOf(INSTALLING)
  assert.ok(release && installing.length > 0)
  return [
    scriptOf(['ln -s guildhall-0.1.0 /opt/guildhall', ...installing]),
    ...names.map((name) => `echo '=== ${name}'\n(\n${scriptOf(blocksOf(name))}\n)\necho '=== done with ${name}'`),
  ]
}
