// What votes come to, one after another.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { applyVotes, pairOf } from './rules.ts'

const before = {
  scores: new Map([
    ['bug', 3],
    ['post', 0],
  ]),
  values: new Map([[pairOf({ targetId: 'bug', userId: 'ann' }), 1 as const]]),
}

it('each vote has the score after it, and the last one of a person on a target is stored', () => {
  const { results, changed, scores } = applyVotes(before, [
    { targetId: 'bug', userId: 'ann', value: -1 },
    { targetId: 'bug', userId: 'ben', value: 1 },
    { targetId: 'post', userId: 'ann', value: 1 },
    { targetId: 'bug', userId: 'ann', value: 0 },
    { targetId: 'bug', userId: 'ben', value: 1 },
  ])
  assert.deepEqual(
    results.map(({ score, myVote }) => [score, myVote]),
    [
      [1, -1],
      [2, 1],
      [1, 1],
      [3, 0],
      [3, 1],
    ],
  )
  assert.deepEqual(
    changed.map(({ targetId, userId, value }) => [targetId, userId, value]),
    [
      ['bug', 'ann', 0],
      ['bug', 'ben', 1],
      ['post', 'ann', 1],
    ],
  )
  assert.deepEqual(scores, [{ id: 'post', score: 1 }])
})

it('what comes back to where it was changes nothing', () => {
  const { changed, scores } = applyVotes(before, [
    { targetId: 'bug', userId: 'ann', value: 0 },
    { targetId: 'bug', userId: 'ben', value: 0 },
    { targetId: 'bug', userId: 'ann', value: 1 },
  ])
  assert.deepEqual([changed, scores], [[], []])
})
