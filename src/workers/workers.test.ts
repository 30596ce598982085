// Work in other threads: what comes back, what is given up, and that nothing waits for it.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { GivenUp, inThread, jobOf } from './workers.ts'

type Works = typeof import('../../test/thread-works.ts')
const module = import.meta.resolve('../../test/thread-works.ts')
const job = <Name extends keyof Works>(name: Name, maxMilliseconds = 30_000) =>
  jobOf<Works[Name]>(module, name, maxMilliseconds)

describe('work in a thread', () => {
  it('gives back what it made, and throws what went wrong', async () => {
    assert.deepEqual(await inThread(job('double'), { of: 21 }, 'a'), { is: 42 })
    await assert.rejects(inThread(job('fail'), 'no', 'a'), /no/)
    assert.deepEqual(await inThread(job('double'), { of: 2 }, 'a'), { is: 4 })
  })

  it('sees nothing of the environment', async () => {
    assert.deepEqual(await inThread(job('environment'), null, 'a'), [])
  })

  it('loads no compiler of TypeScript where the cache has what it runs', (t) => {
    const cache = mkdtempSync(join(tmpdir(), 'thread-cache-'))
    t.after(() => rmSync(cache, { recursive: true }))
    const [program, workers] = [join(cache, 'program.mjs'), import.meta.resolve('./workers.ts')]
    const asked = `jobOf('${module}', 'hasCompiler', 30_000), null, 'a'`
    writeFileSync(
      program,
      `const { inThread, jobOf } = await import('${workers}')\nconsole.log(await inThread(${asked}))`,
    )
    const env = { ...process.env, NODE_COMPILE_CACHE: cache }
    const run = () => String(execFileSync(process.execPath, [program], { env })).trim()
    assert.equal(run(), 'true', 'the cache is empty')
    assert.equal(run(), 'false')
  })

  it('is given up after its time, or when it takes too much memory, and the next has its turn', async () => {
    await assert.rejects(inThread(job('spin', 50), null, 'a'), GivenUp)
    assert.deepEqual(await inThread(job('double'), { of: 1 }, 'a'), { is: 2 })
    await assert.rejects(inThread(job('hoard'), null, 'a'), GivenUp)
    assert.deepEqual(await inThread(job('double'), { of: 1 }, 'a'), { is: 2 })
  })

  it('has its time on the processor, however long that takes by the clock', async () => {
    await inThread(job('double'), { of: 1 }, 'a')
    assert.equal(await inThread(job('rest', 100), 1_000, 'a'), 'rested')
  })

  it('does not hold up the event loop', async () => {
    let beats = 0
    const beat = setInterval(() => beats++, 1)
    await assert.rejects(inThread(job('spin', 400), null, 'a'), GivenUp)
    clearInterval(beat)
    assert.ok(beats > 5, `${beats} beats`)
  })

  it('leaves the processor to requests', { skip: process.platform !== 'linux' }, async () => {
    assert.ok((await inThread(job('niceness'), null, 'a')) >= 10)
    assert.ok(getPriority(process.pid) < 10 || getPriority(process.pid) === 19, 'of the thread alone')
  })

  it('takes turns between members', async () => {
    const order: string[] = []
    const ask = async (by: string) => {
      await inThread(job('double'), { of: 1 }, by)
      order.push(by)
    }
    await Promise.all([...Array.from({ length: 12 }, () => ask('alice')), ask('bob')])
    assert.ok(order.indexOf('bob') < 6, order.join(' '))
  })
})
