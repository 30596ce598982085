// The reading of SQLite's log from another connection: every commit once, whatever happens to the log.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { LogHold } from '@guildhall/durable-sqlite/following'
import { temporaryDirectory } from '../../test/temporary.ts'
import { openDatabase } from '../database/open.ts'
import { type LogReading, WalTail } from './wal-tail.ts'

async function begin(t: TestContext, most?: number) {
  const path = join(await temporaryDirectory(t), 'guildhall.db')
  const { db } = await openDatabase(path)
  const hold = new LogHold(path)
  const tail = new WalTail({ path, hold, ...(most === undefined ? {} : { most }) })
  t.after(async () => {
    tail.close()
    hold.close()
    await db.destroy()
  })
  const write = (key: string) => db.insertInto('counter').values({ key, count: 1 }).execute()
  return { tail, write }
}

const pagesOf = (reads: readonly LogReading[]) =>
  Buffer.concat(reads.flatMap(({ changed }) => [...(changed?.changed.values() ?? [])]))

describe('the tail of the log', () => {
  it('reads every commit once, across the log starting over, however often', async (t) => {
    const { tail, write } = await begin(t)
    assert.equal(tail.read().changed, undefined)
    let missed = 0
    for (let turn = 0; turn < 60; turn++) {
      await write(`counter-${turn} ${'x'.repeat(turn * 400)}`)
      const reads: LogReading[] = []
      tail.holdOn()
      if (turn % 10 === 9) tail.startOver((read) => void reads.push(read))
      else reads.push(tail.read())
      if (!pagesOf(reads).includes(`counter-${turn}`)) missed++
      assert.equal(tail.read().changed, undefined)
    }
    assert.equal(missed, 0)
  })

  it('reads a long log in parts, each up to a commit, and says that there is more', async (t) => {
    const most = 10
    const { tail, write } = await begin(t, most)
    tail.read()
    for (let turn = 0; turn < 40; turn++) await write(`counter-${turn} ${'x'.repeat(3_000)}`)
    const reads: LogReading[] = []
    do reads.push(tail.read())
    while (reads.at(-1)?.hasMore)
    assert.ok(reads.length > 4, `${reads.length}`)
    const pages = pagesOf(reads)
    for (let turn = 0; turn < 40; turn++) assert.ok(pages.includes(`counter-${turn} `), `${turn}`)
    assert.equal(tail.read().changed, undefined)
  })

  it('starts over only while it is told to, though the server copies all of the log', async (t) => {
    const { tail, write } = await begin(t)
    const lengths: number[] = []
    for (let turn = 0; turn < 30; turn++) {
      await write(`counter-${turn} ${'x'.repeat(1_000_000)}`)
      tail.holdOn()
      tail.read()
      lengths.push(tail.bytes)
    }
    assert.deepEqual(
      lengths,
      lengths.toSorted((one, other) => one - other),
    )
    // While the server copies by itself, the log starts over at another time.
    for (let turn = 0; turn < 20 && tail.bytes > 1_000_000; turn++) {
      await setTimeout(20)
      tail.startOver(() => {})
      await write(`after-${turn}`)
    }
    assert.ok(tail.bytes < 1_000_000, `${tail.bytes}`)
  })
})
