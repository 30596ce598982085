// What an import takes of GitLab.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { breakEachValue, breakOff, filesOf, fixturesOf, readRecords, refused } from '../../../test/imports.ts'
import { read } from './gitlab.ts'

const exported = fixturesOf('gitlab', 'export')
const answers = fixturesOf('gitlab', 'api')

describe('an export of a project', () => {
  it('gives issues with their kind, state and labels', async () => {
    const { things, labels } = await readRecords(read, filesOf(exported))
    assert.deepEqual(
      things.map(({ id, kind, state, stateWords, severity, labels, author, isLocked }) => ({
        id,
        kind,
        state,
        stateWords,
        severity,
        labels,
        author,
        isLocked,
      })),
      [
        {
          id: '5#10',
          kind: 'bug',
          state: 'open',
          stateWords: undefined,
          severity: undefined,
          labels: ['type::bug', 'milestone: v1.0'],
          author: '22',
          isLocked: true,
        },
        {
          id: '5#9',
          kind: 'bug',
          state: 'declined',
          stateWords: 'closed',
          severity: undefined,
          labels: ['wontfix'],
          author: '22',
          isLocked: undefined,
        },
        {
          id: '5#8',
          kind: 'bug',
          state: 'declined',
          stateWords: 'closed as moved',
          severity: undefined,
          labels: [],
          author: '22',
          isLocked: undefined,
        },
        {
          id: '5#6',
          kind: 'bug',
          state: 'done',
          stateWords: 'closed',
          severity: 'critical',
          labels: [],
          author: undefined,
          isLocked: undefined,
        },
      ],
    )
    assert.match(things[0]!.text, /See #9, !3 and !\[screen\]\(\/uploads\/0b1c\/screen\.png\) 💥/)
    assert.equal(labels.find(({ name }) => name === 'unused')?.color, '#00ff00')
  })

  it('names people by their username where members have one', async () => {
    const { people } = await readRecords(read, filesOf(exported))
    assert.deepEqual(
      people.map(({ id, username, email }) => [id, username, email]),
      [
        ['22', 'mona', 'mona@example.com'],
        ['1', 'root', undefined],
        ['26', 'User 4', undefined],
      ],
    )
  })

  it('gives comments with their threads, and votes', async () => {
    const { comments, votes } = await readRecords(read, filesOf(exported))
    assert.deepEqual(
      comments.map(({ id, thing, parent, author }) => [id, thing, parent, author]),
      [
        ['351', '5#10', undefined, '26'],
        ['352', '5#10', '351', '22'],
        ['355', '5#10', undefined, undefined],
      ],
    )
    assert.deepEqual(
      votes.map(({ person, value }) => [person, value]),
      [
        ['1', 1],
        ['26', -1],
      ],
    )
  })

  it('may come without its folders, as a page uploads files', async () => {
    const bare = Object.entries(exported).map(([name, text]) => [name.replace(/^.*\//, ''), text])
    const { things, comments, leftOut } = await readRecords(read, filesOf(Object.fromEntries(bare)))
    assert.deepEqual([things.length, comments.length, leftOut['files that hold nothing for an import']], [4, 3, 2])
  })

  it('leaves out what only members may see, and says so', async () => {
    const { leftOut, all } = await readRecords(read, filesOf(exported))
    assert.deepEqual(leftOut, {
      'files that hold nothing for an import': 2,
      assignees: 1,
      'reactions that are no votes': 1,
      'reactions to comments': 1,
      'notes of the system': 1,
      'internal notes': 1,
      'confidential issues': 1,
      'comments of confidential issues': 1,
      'authors who are not among the people': 2,
    })
    assert.doesNotMatch(JSON.stringify(all), /secret/i)
  })
})

describe('answers of the API', () => {
  it('give issues, notes, threads and votes', async () => {
    const { things, comments, people, votes, leftOut } = await readRecords(read, filesOf(answers))
    assert.deepEqual(
      things.map(({ id, kind, state, author, url }) => [id, kind, state, author, url]),
      [
        ['8#6', 'feature', 'done', '1', 'https://gitlab.example.com/my/app/-/issues/6'],
        ['8#7', 'bug', 'open', undefined, 'https://gitlab.example.com/my/app/-/issues/7'],
      ],
    )
    assert.equal(things[0]?.createdAt, '2016-01-04T13:31:51.081Z')
    assert.deepEqual(
      comments.map(({ id, parent, author }) => [id, parent, author]),
      [
        ['400', undefined, '1'],
        ['401', '400', '1'],
        ['302', undefined, '1'],
        ['304', undefined, '5'],
      ],
    )
    assert.deepEqual(
      people.map(({ username, isBot }) => [username, isBot]),
      [
        ['root', undefined],
        ['project_8_bot_1f2e', true],
      ],
    )
    assert.deepEqual([votes.length, votes[0]?.person, votes[0]?.value], [1, '1', 1])
    assert.deepEqual(leftOut, {
      assignees: 1,
      'merge requests': 1,
      'notes of the system': 1,
      'notes of merge requests, commits and snippets': 1,
      'comments of things that are not there': 1,
      'votes whose voters are not in the files': 4,
    })
  })
})

describe('hostile files', () => {
  it('give records within the bounds, or are refused', async () => {
    assert.ok((await breakEachValue(read, exported)) > 200)
    assert.ok((await breakEachValue(read, answers)) > 150)
    await breakOff(read, answers)
  })

  it('have objects where ids are expected, even such that have no text', async () => {
    const emoji = { id: 1, name: 'thumbsup', awardable_type: 'Issue', awardable_id: { toString: null, valueOf: null } }
    const { votes } = await readRecords(read, filesOf({ ...answers, 'emoji.json': JSON.stringify([emoji]) }))
    assert.equal(votes.length, 1)
  })

  it('are refused if they are something else', async () => {
    assert.match(
      await refused(read, filesOf({ 'a.json': '{"message": "404 Project Not RawRecord"}' })),
      /^a\.json, record 1, line 1: expected issues/,
    )
    assert.match(
      await refused(read, filesOf({ 'merge_requests.ndjson': '{}' })),
      /expected files with issues of GitLab/,
    )
  })
})
