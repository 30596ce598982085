// What an import takes of UserVoice.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { breakEachValue, breakOff, filesOf, fixturesOf, readRecords, refused } from '../../../test/imports.ts'
import { read } from './uservoice.ts'

const answers = fixturesOf('uservoice', 'api')
const table = fixturesOf('uservoice', 'export')

describe('answers of the Admin API', () => {
  it('give suggestions with what is beside them', async () => {
    const { things } = await readRecords(read, filesOf(answers))
    assert.deepEqual(
      things.map(({ id, kind, state, stateWords, author, text }) => [id, kind, state, stateWords, author, text]),
      [
        ['1', 'feature', 'open', undefined, '1', 'Please'],
        ['2', 'feature', 'in_progress', 'Started', '1', 'In **HTML**'],
        ['3', 'feature', 'declined', 'Declined', undefined, 'Please'],
        ['4', 'feature', 'declined', 'merged into another', '1', 'Please'],
        ['6', 'feature', 'done', 'closed', undefined, 'Please'],
      ],
    )
    assert.deepEqual(things[0]?.labels, ['forum: General', 'category: Search', 'ui'])
    assert.equal(things[0]?.url, 'https://s.uservoice.com/forums/7/suggestions/1')
  })

  it('give comments, updates of the status, and supporters as votes', async () => {
    const { comments, votes, people } = await readRecords(read, filesOf(answers))
    assert.deepEqual(
      comments.map(({ id, thing, author, text }) => [id, thing, author, text]),
      [
        ['11', '1', '2', 'A comment'],
        ['status update 31', '2', '1', '**Started**\n\nWe have begun'],
      ],
    )
    assert.deepEqual(
      votes.map(({ thing, person, value }) => [thing, person, value]),
      [['1', '2', 1]],
    )
    assert.deepEqual(people[1], {
      ...{ type: 'person', id: '2', accountId: '2' },
      ...{ username: 'hubot', email: 'hubot@example.com' },
    })
  })

  it('say what is left out', async () => {
    const { leftOut, all } = await readRecords(read, filesOf(answers))
    assert.deepEqual(leftOut, {
      'suggestions that are spam, deleted or not approved': 1,
      'comments that are spam, deleted or not approved': 1,
      'comments of things that are not there': 1,
      'changes of status without a comment': 1,
      'notes of the team': 1,
      'authors who are not among the people': 1,
      'votes of people who are not there': 1,
      'votes whose voters are not in the files': 1,
    })
    assert.doesNotMatch(JSON.stringify(all), /secret/)
  })
})

it('an export in CSV gives suggestions', async () => {
  const { things, leftOut } = await readRecords(read, filesOf(table))
  assert.deepEqual(things, [
    {
      type: 'thing',
      id: '91',
      kind: 'feature',
      number: 91,
      url: 'https://s.uservoice.com/forums/7/suggestions/91',
      title: 'An idea, exported',
      text: 'Text',
      state: 'done',
      stateWords: 'Completed',
      labels: ['ui', 'api'],
      createdAt: '2017-02-24T16:27:36.000Z',
    },
  ])
  assert.deepEqual(leftOut, {
    'cells of the column suggestion.forum.name, which is no field': 1,
    'votes whose voters are not in the files': 12,
  })
})

it('hostile files give records within the bounds, or are refused', async () => {
  assert.ok((await breakEachValue(read, answers)) > 100)
  await breakOff(read, { ...answers, ...table })
  assert.match(
    await refused(read, filesOf({ 'a.json': '{"errors": {"message": "x"}}' })),
    /^a\.json, record 1, line 1: expected suggestions/,
  )
  assert.match(
    await refused(read, filesOf({ 'a.csv': 'a,b\n1,2\n' })),
    /^a\.csv, row of the columns: expected suggestions/,
  )
})
