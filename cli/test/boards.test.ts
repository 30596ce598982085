// search, feed and inbox of one board.
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { onTerminal } from './terminal.ts'

describe('a board', () => {
  onTerminal('is searched and read alone', async ({ world: { admin, alice }, run, server }) => {
    await admin.boards.create({ slug: 'labs', name: 'Labs' })
    await alice.posts.create({ title: 'Numbats here', body: 'B', board: 'labs' })
    await alice.posts.create({ title: 'Numbats there', body: 'B' })
    for (const words of [['feed'], ['search', 'numbats']]) {
      const { output } = await run([...words, '--board', 'labs', '--server', server])
      assert.match(output, /Numbats here/)
      assert.doesNotMatch(output, /Numbats there/)
      assert.match((await run([...words, '--board', 'none', '--server', server], 1)).errors, /No such board/)
    }
  })
})
