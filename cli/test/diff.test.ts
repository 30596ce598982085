// diff: between two versions, and between a version and a file.
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { automationFile, workflow, workflowFile } from '../../test/library.ts'
import { onTerminal } from './terminal.ts'

const site = (version: string, ...domains: string[]) => ({ version, site: { domains }, permissions: { steps: [] } })

onTerminal('diff tells what a version may newly do, and what changed', async ({ world, run, json, server }) => {
  const script = (data: string) => [{ name: 'scripts/a.js', data }]
  const { alice } = world
  const file = automationFile(site('1.0.0', 'a.example'), script('one\n'))
  const { id } = await alice.library.publish({ kind: 'automation', visibility: 'public', file })
  await alice.library.publishVersion({
    id,
    file: automationFile(site('1.1.0', 'a.example', 'b.example'), script('two\n')),
  })
  const { output } = await run(['diff', 'automation/harbor-board', '--text', '--server', server])
  assert.match(output, /^1\.0\.0 to 1\.1\.0\nmay newly {3}site:b\.example\n/)
  assert.match(output, /changed file {2}scripts\/a\.js\n/)
  assert.match(output, /-one\n\+two\n/)
  const back = await run(['diff', 'automation/harbor-board@1.1.0', '1.0.0', '--server', server])
  assert.match(back.output, /no longer {3}site:b\.example\nIt may do nothing new\.\n/)
  const read = await json<{ from: string; permissions: { added: object[] } }>([
    'diff',
    'automation/harbor-board@1.0.0',
    '--server',
    server,
  ])
  assert.deepEqual([read.from, read.permissions.added], ['1.0.0', [{ type: 'site', name: 'b.example' }]])
  await run(['diff', 'automation/harbor-board', '1.0.0', '--server', server], 2)
  await run(['diff', 'automation/harbor-board@9.0.0', '--server', server], 1)
})

onTerminal('diff compares a file with a version, and sends it nowhere', async ({ world, run, json, home, server }) => {
  await world.alice.library.publish({ kind: 'workflow', visibility: 'public', file: workflowFile() })
  const mine = join(home, 'mine.json')
  const nodes = [
    ...(workflow['nodes'] as object[]),
    { id: 'n9', type: 'http.get', name: 'Get', config: { url: '{{x}}' } },
  ]
  await writeFile(mine, JSON.stringify({ ...workflow, nodes }))
  const { output } = await run(['diff', 'workflow/morning-digest', mine, '--server', server])
  assert.match(output, /may newly {3}site:any site\nmay newly {3}step:http\.get\nadded node {2}Get http\.get\n/)
  const read = await json<{ to: string; nodes: { added: object[] } }>([
    'diff',
    'workflow/morning-digest',
    mine,
    '--server',
    server,
  ])
  assert.deepEqual([read.to, read.nodes.added], [mine, [{ name: 'Get', type: 'http.get' }]])
  await writeFile(mine, '{')
  assert.match((await run(['diff', 'workflow/morning-digest', mine, '--server', server])).output, /any site/)
})

onTerminal('diff says what is wrong with an archive that is broken', async ({ world, run, home, server }) => {
  const published = automationFile(site('1.0.0', 'a.example'), [{ name: 'scripts/a.js', data: 'one\n' }])
  await world.alice.library.publish({ kind: 'automation', visibility: 'public', file: published })
  const mine = join(home, 'mine.mpkg')
  const whole = Buffer.from(await published.arrayBuffer())
  const flipped = Buffer.from(whole)
  // Within the first file's data.
  flipped.fill(0xff, 60, 90)
  const other = automationFile({ id: 'harbor-board' }, [{ name: '../up.js', data: 'x' }])
  for (const [what, bytes] of [
    ['cut off', whole.subarray(0, whole.length - 40)],
    ['no archive', Buffer.from('not a zip')],
    ['empty', Buffer.alloc(0)],
    ['corrupt', flipped],
    ['with a name that leads out of it', Buffer.from(await other.arrayBuffer())],
  ] as const) {
    await writeFile(mine, bytes)
    const { errors, output } = await run(['diff', 'automation/harbor-board', mine, '--server', server], 1)
    assert.match(errors, /mine\.mpkg cannot be read: \S/, what)
    assert.doesNotMatch(errors, /\n\s+at /, what)
    assert.equal(output, '', what)
    const { errors: json } = await run(['diff', 'automation/harbor-board', mine, '--server', server, '--json'], 1)
    assert.equal(JSON.parse(json).error.code, 'invalid_file', what)
  }
})
