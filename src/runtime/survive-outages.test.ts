// What an error does that nothing waits for.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, it } from 'node:test'

/** How a process ends in which a promise fails so, and what it says. */
function endOf(error: string) {
  const program = `
    import { StorageHealth, surviveOutages } from '${import.meta.resolve('./outage.ts')}'
    const log = { error: (_, line) => console.log(line) }
    surviveOutages(new StorageHealth(log))
    Promise.reject(${error})
    setTimeout(() => console.log('goes on'), 10)`
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  })
  return { status, said: stdout + stderr }
}

describe('an error that nothing waits for', () => {
  it('is logged and ends nothing if the database has gone', () => {
    const { status, said } = endOf(`new Error('Connection terminated unexpectedly')`)
    assert.equal(status, 0, said)
    assert.match(said, /database.*Connection terminated unexpectedly\ngoes on/)
  })

  it('ends the process if it is any other', () => {
    const { status, said } = endOf(`new TypeError('this is wrong')`)
    assert.notEqual(status, 0)
    assert.match(said, /this is wrong/)
    assert.doesNotMatch(said, /goes on/)
  })
})
