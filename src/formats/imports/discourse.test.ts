// What an import takes of Discourse.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { breakEachValue, breakOff, filesOf, fixturesOf, readRecords, refused } from '../../../test/imports.ts'
import { read } from './discourse.ts'

const answers = fixturesOf('discourse')

describe('topics', () => {
  it('are things with the text of their first post', async () => {
    const { things, labels } = await readRecords(read, filesOf(answers))
    assert.deepEqual(
      things.map(({ id, kind, author, labels, isLocked, isPinned }) => ({
        id,
        kind,
        author,
        labels,
        isLocked,
        isPinned,
      })),
      [
        {
          id: '15',
          kind: 'bug',
          author: 'discobot',
          labels: ['category: Bugs'],
          isLocked: undefined,
          isPinned: undefined,
        },
        {
          id: '12',
          kind: 'post',
          author: 'mona',
          labels: ['category: Support', 'beginners', 'linux'],
          isLocked: true,
          isPinned: true,
        },
      ],
    )
    assert.equal(things[1]?.text, 'See #5.\n\n![x](upload://abc.png)')
    assert.deepEqual(labels[0], { type: 'label', name: 'category: Support', color: '#0088cc', description: 'Ask here' })
    assert.ok(labels.some(({ name }) => name === 'category: Old'))
  })

  it('have posts as comments, with what they answer and the solution', async () => {
    const { comments } = await readRecords(read, filesOf(answers))
    assert.deepEqual(
      comments.map(({ id, parent, author, isSolution, text }) => [id, parent, author, isSolution, text]),
      [
        ['12/2', undefined, 'hubot', undefined, 'Have a look at [this](https://example.com) :smile:'],
        ['12/3', '12/2', 'hubot', true, 'Post 3'],
        ['12/7', undefined, undefined, undefined, 'From an account that is gone'],
        ['12/9', '12/3', 'octavia', undefined, 'Post 9'],
        ['12/8', undefined, 'mona', undefined, 'Post 8'],
      ],
    )
  })

  it('have people with what the list of users says', async () => {
    const { people } = await readRecords(read, filesOf(answers))
    assert.deepEqual(people[0], {
      type: 'person',
      id: 'mona',
      accountId: '1',
      username: 'mona',
      name: 'Mona Lisa',
      email: 'mona@example.com',
    })
    assert.equal(people.find(({ id }) => id === 'discobot')?.isBot, true)
  })

  it('leave out what is not for everybody, and say so', async () => {
    const { leftOut } = await readRecords(read, filesOf(answers))
    assert.deepEqual(leftOut, {
      'private messages': 1,
      'topics that are deleted or not listed': 1,
      'posts that the answer did not have': 1,
      'likes of comments': 1,
      'notes of the system': 1,
      'whispers of the team': 1,
      'posts that are hidden or deleted': 1,
      'comments of things that are not there': 1,
      'places of answers to comments that are not there': 1,
      'votes whose voters are not in the files': 3,
    })
  })

  it('have the kind of the options where no category says one', async () => {
    const { things } = await readRecords(read, filesOf(answers), { kind: 'feature' })
    assert.deepEqual(
      things.map(({ kind }) => kind),
      ['bug', 'feature'],
    )
  })
})

describe('hostile files', () => {
  it('give records within the bounds, or are refused', async () => {
    assert.ok((await breakEachValue(read, answers)) > 300)
    await breakOff(read, answers)
    assert.match(
      await refused(read, filesOf({ 'a.json': '{"errors": ["Not allowed"], "error_type": "x"}' })),
      /^a\.json, record 1, line 1: expected answers of Discourse/,
    )
  })

  it('have nested HTML read in a short time', async () => {
    const posts = [{ id: 1, post_number: 1, username: 'mona', cooked: '<div>'.repeat(1_000_000) }]
    const topic = { id: 1, title: 'Deep', created_at: '2023-05-01T10:00:00.000Z', post_stream: { posts } }
    const from = performance.now()
    const { things } = await readRecords(read, filesOf({ 'a.json': JSON.stringify(topic) }))
    assert.equal(things.length, 1)
    assert.ok(performance.now() - from < 10_000)
  })
})
