// 25 tasks of agents are solved through tools alone, with fewer calls and tokens than with one tool for each operation.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { listTokens } from '../bench/agent-tasks/sessions.ts'
import { solveAll, sum } from '../bench/agent-tasks/solve.ts'

it('needs fewer calls and fewer tokens for the same results', async () => {
  const solved = await solveAll()
  assert.equal(solved.length, 25)
  assert.ok(sum(solved, 'ours', 'calls') < sum(solved, 'plain', 'calls'))
  assert.ok(sum(solved, 'ours', 'tokens') < sum(solved, 'plain', 'tokens'))
  assert.ok(listTokens.ours < listTokens.plain / 4)
})
