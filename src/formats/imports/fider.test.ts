// What an import takes of Fider.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { breakEachValue, breakOff, filesOf, fixturesOf, readRecords, refused } from '../../../test/imports.ts'
import { read } from './fider.ts'

const backup = fixturesOf('fider', 'backup')
const answers = fixturesOf('fider', 'api')

describe('a backup', () => {
  it('gives posts with their state and their tags', async () => {
    const { things } = await readRecords(read, filesOf(backup))
    assert.deepEqual(
      things.map(({ number, kind, title, state, stateWords, author, labels }) => [
        number,
        kind,
        title,
        state,
        stateWords,
        author,
        labels,
      ]),
      [
        [10, 'feature', 'Idea 1', 'open', 'open', '1', []],
        [20, 'feature', 'Idea 2', 'in_progress', 'started', '1', []],
        [30, 'feature', 'Idea 3', 'done', 'completed', undefined, []],
        [40, 'feature', '404', 'declined', 'declined', '1', []],
        [50, 'bug', 'Idea 5', 'planned', 'planned', '1', ['Bug']],
        [60, 'feature', 'Idea 6', 'declined', 'duplicate', '1', []],
      ],
    )
  })

  it('gives comments, answers of the team, and votes', async () => {
    const { comments, votes, people, labels } = await readRecords(read, filesOf(backup))
    assert.deepEqual(
      comments.map(({ id, thing, author, text, updatedAt }) => [id, thing, author, text, updatedAt?.slice(0, 10)]),
      [
        ['1', '1', '2', 'A comment 💥', '2023-07-01'],
        ['3', '1', '4', '42', undefined],
        ['response to 2', '2', '1', 'We have begun', undefined],
      ],
    )
    assert.deepEqual(
      votes.map(({ thing, person }) => [thing, person]),
      [
        ['1', '1'],
        ['1', '2'],
      ],
    )
    assert.deepEqual(people[0], {
      type: 'person',
      id: '1',
      accountId: '1',
      username: 'Mona Lisa',
      name: 'Mona Lisa',
      email: 'mona@example.com',
    })
    assert.deepEqual(labels, [{ type: 'label', name: 'Bug', color: '#ff0000' }])
  })

  it('says what is left out', async () => {
    assert.deepEqual((await readRecords(read, filesOf(backup))).leftOut, {
      'files that hold nothing for an import': 1,
      'tags that are not public': 1,
      'deleted posts': 1,
      'posts that wait for approval': 1,
      'deleted comments': 1,
      'authors who are not among the people': 1,
      'comments of things that are not there': 1,
      'votes of people who are not there': 1,
    })
  })
})

it('answers of the API give posts, and comments and votes by the name of their file', async () => {
  const { things, comments, votes, leftOut } = await readRecords(read, filesOf(answers))
  assert.deepEqual(
    [things[0]?.id, things[0]?.number, things[0]?.state, things[0]?.labels],
    ['51', 7, 'declined', ['UI']],
  )
  assert.deepEqual(
    comments.map(({ id, thing, author, text }) => [id, thing, author, text]),
    [
      ['61', '51', '1', 'Why?'],
      ['response to 51', '51', '2', 'No.'],
    ],
  )
  assert.deepEqual([votes[0]?.thing, votes[0]?.person], ['51', '3'])
  assert.deepEqual(leftOut, { 'reactions to comments': 2, 'votes whose voters are not in the files': 2 })
})

it('hostile files give records within the bounds, or are refused', async () => {
  assert.ok((await breakEachValue(read, backup)) > 150)
  await breakEachValue(read, answers)
  await breakOff(read, backup)
  assert.match(
    await refused(read, filesOf({ 'posts.json': '[{"x": 1}]' })),
    /^posts\.json, record 1, line 1: expected posts/,
  )
})

it('a colour that has no text is no colour', async () => {
  const tag = { id: 1, name: 'Bug', slug: 'bug', color: { toString: null, valueOf: null } }
  const { labels } = await readRecords(read, filesOf({ ...backup, 'backup/tags.json': JSON.stringify([tag]) }))
  assert.deepEqual(labels, [{ type: 'label', name: 'Bug' }])
})
