// bug list and bug show: bugs at the command line, read with and without an account.
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { workflowFile } from '../../test/library.ts'
import { onTerminal } from './terminal.ts'

const bugOf = (title: string, severity: 'low' | 'high' = 'low') => ({
  title,
  severity,
  description: `${title} it is.\nAt nine.`,
})

interface Bug {
  number: number
  title: string
  comments: { body: string }[]
}

describe('bug', () => {
  onTerminal('list shows them by words and filters', async ({ world, run, json, server }) => {
    const late = await world.alice.bugs.create(bugOf('The digest is late'))
    await world.alice.bugs.create(bugOf('The board is grey', 'high'))
    const done = await world.alice.bugs.create(bugOf('The digest is twice'))
    await world.alice.bugs.close({ id: done.id, closed: true })
    await world.bob.bugs.vote({ id: late.id, value: 1 })
    const listed = async (...words: string[]) =>
      (await json<Bug[]>(['bug', 'list', ...words, '--server', server])).map(({ number }) => number)
    assert.deepEqual(await listed(), [3, 2, 1])
    assert.deepEqual(await listed('--limit', '2'), [3, 2])
    assert.deepEqual(await listed('late', 'digest'), [1])
    assert.deepEqual(await listed('--status', 'open'), [2, 1])
    assert.deepEqual(await listed('--severity', 'high'), [2])
    assert.deepEqual(await listed('--sort', 'popular', '--limit', '1'), [1])
    const { output } = await run(['bug', 'list', 'late', '--server', server])
    assert.match(output, /^#1 {2}The digest is late {2}\(open, low\).*, 20\d\d-\d\d-\d\d, score 1, comments 0\n$/)
    assert.match((await run(['bug', 'list', 'nothing-like-this', '--server', server])).output, /^Nothing found\.\n$/)
    await run(['bug', 'list', '--limit', '0', '--server', server], 2)
    await run(['bug', 'list', '--status', 'ajar', '--server', server], 1)
  })

  onTerminal('new and list name the version that a bug is about', async ({ world, run, json, server, login }) => {
    await login('default', { person: world.bob })
    const { id, slug } = await world.alice.library.publish({
      ...{ kind: 'workflow', file: workflowFile(), visibility: 'public' },
    })
    const name = `workflow/${slug}`
    const write = ['bug', 'new', '--title', 'Late', '--description', 'By an hour', '--about']
    const made = await json<{ number: number; about: { item: string; version: string } }>([...write, `${name}@1.0.0`])
    assert.deepEqual([made.about.item, made.about.version], [id, '1.0.0'])
    for (const wrong of [name, '@1.0.0', `${name}@`, `${name}@1@2`]) await run([...write, wrong], 2)
    await run([...write, `${name}@2.0.0`], 1)
    await world.alice.bugs.create(bugOf('The board is grey'))
    const listed = async (...words: string[]) =>
      (await json<Bug[]>(['bug', 'list', ...words, '--server', server])).map(({ number }) => number)
    assert.deepEqual(await listed('--item', name), [made.number])
    assert.deepEqual(await listed('--item', name, '--version', '1.0.0'), [made.number])
    assert.deepEqual(await listed('--item', name, '--version', '2.0.0'), [])
    assert.match(
      (await run(['bug', 'show', String(made.number), '--server', server])).output,
      /\nabout: workflow\/morning-digest@1\.0\.0\n/,
    )
  })

  onTerminal('show has the text and the comments, by number and by id', async ({ world, run, json, server }) => {
    const { id } = await world.alice.bugs.create(bugOf('Late \u001b[31m'))
    for (const body of ['Here too.', 'And\nthere.', 'Again.']) await world.bob.bugs.comment({ id, body })
    await world.alice.posts.create({ title: 'Hello', body: 'No bug.' })
    const shown = async (...words: string[]) => (await run(['bug', 'show', ...words, '--server', server])).output
    const whole = await shown('1')
    assert.match(
      whole,
      /^#1 {2}Late \[31m\nopen, low.*, score 0\npage: http\S+\/community\/bugs\/[\w-]{36}\n\nLate .\[31m it is\.\nAt nine\.\n/,
    )
    assert.match(whole, /\nHere too\.\n[\s\S]*\nAnd\nthere\.\n[\s\S]*\nAgain\.\n$/)
    assert.ok(!whole.includes('\u001b'))
    for (const word of ['#1', `bug/${id}`, id]) assert.equal(await shown(word), whole)
    assert.match(await shown('1', '--limit', '2'), /there\.\n\nand 1 more comment: --limit shows more\n$/)
    const read = await json<Bug>(['bug', 'show', '1', '--server', server])
    assert.deepEqual([read.number, read.comments.map(({ body }) => body)], [1, ['Here too.', 'And\nthere.', 'Again.']])
    assert.match((await run(['bug', 'show', '2', '--server', server], 1)).errors, /2 is no bug/)
    for (const word of ['99', 'bug/019a0000-0000-7000-8000-000000000000'])
      await run(['bug', 'show', word, '--server', server], 1)
    await run(['bug', 'show', 'late', '--server', server], 2)
    assert.match((await run(['bug', 'show', 'bug/1', '--server', server])).output, /^#1 /)
    assert.match((await run(['bug', 'show', 'post/1', '--server', server], 1)).errors, /^#1 is a bug\n/)
  })
})
