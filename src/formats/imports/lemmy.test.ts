// What an import takes of Lemmy.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { breakEachValue, breakOff, filesOf, fixturesOf, readRecords, refused } from '../../../test/imports.ts'
import { read } from './lemmy.ts'

const answers = fixturesOf('lemmy')

describe('answers of the API', () => {
  it('give posts with their links and their marks', async () => {
    const { things } = await readRecords(read, filesOf(answers))
    assert.deepEqual(
      things.map(({ id, kind, author, text, isLocked, isPinned, createdAt }) => [
        id,
        kind,
        author,
        text,
        isLocked,
        isPinned,
        createdAt,
      ]),
      [
        ['100', 'post', '1', 'Text', true, true, '2023-06-10T08:00:00.123Z'],
        ['101', 'post', '3', '<https://example.com/page>', undefined, undefined, '2023-06-10T08:00:00.123Z'],
        ['103', 'post', undefined, 'Text', undefined, undefined, '2023-06-10T08:00:00.123Z'],
        ['200', 'post', '1', 'Text', undefined, undefined, '2026-09-01T10:00:00.000Z'],
      ],
    )
    assert.deepEqual(things[0]?.labels, ['community: Main'])
  })

  it('give comments after those they answer, by their path', async () => {
    const { comments } = await readRecords(read, filesOf(answers))
    assert.deepEqual(
      comments.map(({ id, thing, parent, author }) => [id, thing, parent, author]),
      [
        ['11', '100', undefined, '1'],
        ['17', '100', undefined, undefined],
        ['21', '200', undefined, '1'],
        ['12', '100', '11', '3'],
        ['13', '100', '12', '1'],
        ['15', '100', undefined, '1'],
      ],
    )
    assert.equal(comments[0]?.createdAt, '2023-06-10T09:00:00.000Z')
  })

  it('name people of other instances with these', async () => {
    const { people } = await readRecords(read, filesOf(answers))
    assert.deepEqual(
      people.map(({ id, username, isBot }) => [id, username, isBot]),
      [
        ['1', 'mona', undefined],
        ['3', 'hubot@far.example', true],
      ],
    )
  })

  it('say what is left out', async () => {
    assert.deepEqual((await readRecords(read, filesOf(answers))).leftOut, {
      'votes for comments': 6,
      'posts that are removed or deleted': 1,
      'comments that are removed or deleted': 1,
      'comments of things that are not there': 1,
      'places of answers to comments that are not there': 1,
      'votes, which do not say what they are for': 1,
      'votes whose voters are not in the files': 19,
    })
  })
})

describe('hostile files', () => {
  it('give records within the bounds, or are refused', async () => {
    assert.ok((await breakEachValue(read, answers)) > 300)
    await breakOff(read, answers)
    assert.match(
      await refused(read, filesOf({ 'a.json': '{"error": "not_logged_in"}' })),
      /^a\.json, record 1, line 1: expected answers of Lemmy/,
    )
  })

  it('have answers in the worst order, in circles, and deeper than any thread', async () => {
    const comment = (id: number, path: string) => ({
      comment: { id, post_id: 1, content: 'x', published: '2023-06-10T09:00:00Z', path },
      creator: { id: 1, name: 'mona' },
    })
    const post = {
      post: { id: 1, name: 'A post', published: '2023-06-10T09:00:00Z' },
      creator: { id: 1, name: 'mona' },
    }
    const chain = Array.from({ length: 200 }, (_, at) => comment(200 - at, `0.${199 - at}.${200 - at}`))
    const circle = [comment(301, '0.302.301'), comment(302, '0.301.302'), comment(303, '0.303.303')]
    const { comments, leftOut } = await readRecords(
      read,
      filesOf({ 'a.json': JSON.stringify([...chain, ...circle, post]) }),
    )
    assert.equal(comments.length, 203)
    assert.ok(leftOut['places of answers to comments that are not there']! > 3)
  })
})
