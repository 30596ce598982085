// Calls that gather while a run is in progress.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { Gathering } from './once.ts'

/** A gathering whose runs end when the test says so. */
function stepwise(most: number) {
  const runs: { calls: readonly number[]; end(error?: Error): void }[] = []
  const gathering = new Gathering<number, number>(
    (calls) => {
      const { promise, resolve, reject } = Promise.withResolvers<number[]>()
      runs.push({ calls, end: (error) => (error ? reject(error) : resolve(calls.map((call) => 10 * call))) })
      return promise
    },
    { most },
  )
  return { gathering, runs }
}

it('a call alone runs at once; those that come during a run share the next one, in order and up to a bound', async () => {
  const { gathering, runs } = stepwise(2)
  const results = [1, 2, 3, 4].map((call) => gathering.add(call))
  assert.deepEqual(
    runs.map(({ calls }) => calls),
    [[1]],
  )
  for (const index of [0, 1, 2]) {
    runs[index]!.end()
    await results[index]
    await new Promise(setImmediate)
  }
  assert.deepEqual(
    runs.map(({ calls }) => calls),
    [[1], [2, 3], [4]],
  )
  assert.deepEqual(await Promise.all(results), [10, 20, 30, 40])
  const later = gathering.add(5)
  runs[3]!.end()
  assert.equal(await later, 50)
})

it('a run that fails rejects its calls alone', async () => {
  const { gathering, runs } = stepwise(64)
  const outcomes = Promise.allSettled([1, 2, 3].map((call) => gathering.add(call)))
  runs[0]!.end()
  await new Promise(setImmediate)
  const after = gathering.add(4)
  runs[1]!.end(new Error('lost'))
  await new Promise(setImmediate)
  runs[2]!.end()
  assert.deepEqual(
    (await outcomes).map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected'],
  )
  assert.equal(await after, 40)
})
