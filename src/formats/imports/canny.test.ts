// What an import takes of Canny.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { breakEachValue, breakOff, filesOf, fixturesOf, readRecords, refused } from '../../../test/imports.ts'
import { read } from './canny.ts'

const answers = fixturesOf('canny')

describe('answers of the API', () => {
  it('give posts with their kind and state', async () => {
    const { things, labels } = await readRecords(read, filesOf(answers))
    assert.deepEqual(
      things.map(({ id, kind, state, stateWords, author }) => [id, kind, state, stateWords, author]),
      [
        ['p1', 'feature', 'open', 'open', 'u1'],
        ['p2', 'feature', 'in_progress', 'in progress', 'u1'],
        ['p3', 'feature', 'done', 'complete', undefined],
        ['p4', 'feature', 'declined', 'closed', 'u1'],
        ['p5', 'bug', 'open', 'under review', 'u1'],
        ['p6', 'feature', 'planned', 'planned', 'u1'],
      ],
    )
    assert.deepEqual(things[0]?.labels, ['board: Feature Requests', 'category: Search', 'ui'])
    assert.equal(things[0]?.text, 'Please. See #2\n\n![](https://canny.io/images/a.png)')
    assert.ok(labels.some(({ name }) => name === 'mobile'))
  })

  it('give comments with their answers, what the team said to a status, and votes', async () => {
    const { comments, votes, people } = await readRecords(read, filesOf(answers))
    assert.deepEqual(
      comments.map(({ id, thing, parent, author }) => [id, thing, parent, author]),
      [
        ['k1', 'p1', undefined, 'u2'],
        ['k5', 'p1', undefined, undefined],
        ['s1', 'p2', undefined, 'u9'],
        ['k2', 'p1', 'k1', 'u2'],
      ],
    )
    assert.equal(comments[2]?.text, '**in progress**\n\nWe build it.\n\n![](https://canny.io/images/b.png)')
    assert.deepEqual(
      votes.map(({ thing, person, value }) => [thing, person, value]),
      [
        ['p1', 'u2', 1],
        ['p1', 'u3', 1],
      ],
    )
    assert.deepEqual(
      people.map(({ id, username }) => [id, username]),
      [
        ['u1', 'Mona'],
        ['u5', 'Quiet'],
        ['u2', 'Hubot'],
        ['u9', 'Team'],
        ['u3', 'Green Fox'],
      ],
    )
  })

  it('say what is left out', async () => {
    const { leftOut } = await readRecords(read, filesOf(answers))
    assert.deepEqual(leftOut, {
      'posts of private boards': 1,
      'internal comments': 1,
      'likes of comments': 2,
      'changes of status without a comment': 1,
      'votes of deleted accounts': 1,
      'comments of things that are not there': 1,
      'further votes of one person for one thing': 1,
      'votes whose voters are not in the files': 2,
    })
  })

  it('may be arrays of their entries', async () => {
    const lists = Object.entries(answers).map(([name, text]) => [
      name,
      JSON.stringify(Object.values(JSON.parse(text)).find(Array.isArray) ?? JSON.parse(text)),
    ])
    const { things, comments, votes } = await readRecords(read, filesOf(Object.fromEntries(lists)))
    assert.deepEqual([things.length, comments.length, votes.length], [6, 4, 2])
  })
})

it('hostile files give records within the bounds, or are refused', async () => {
  assert.ok((await breakEachValue(read, answers)) > 300)
  await breakOff(read, answers)
  assert.match(
    await refused(read, filesOf({ 'a.json': '{"error": "invalid API key"}' })),
    /^a\.json, record 1, line 1: expected answers of Canny/,
  )
})
