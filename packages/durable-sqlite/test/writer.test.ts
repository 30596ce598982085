// When a write counts: once it is on disk, and not before for anybody.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openWriter, settled } from './open-writer.ts'

describe('a write', () => {
  it('is acknowledged, and seen by readers, once it is on disk; the next batch waits for that', async (t) => {
    const { write, visible, syncs } = await openWriter(t)
    const first = [write('a'), write('b')]
    assert.equal(await settled(Promise.race(first)), false)
    const second = write('c')
    assert.equal(await settled(second), false)
    assert.deepEqual([syncs.length, visible()], [1, []])
    syncs[0]!.resolve()
    await Promise.all(first)
    assert.deepEqual(visible(), ['a', 'b'])
    while (syncs.length < 2) await sleep(5)
    assert.equal(await settled(second), false)
    assert.deepEqual(visible(), ['a', 'b'])
    syncs[1]!.resolve()
    await second
    assert.deepEqual(visible(), ['a', 'b', 'c'])
  })

  it('shares its commit with those that come at the same time, and the commit is counted once', async (t) => {
    const { write, log, commits } = await openWriter(t)
    log.isHeld = false
    await Promise.all([write('a'), write('b'), write('c')])
    await write('d')
    assert.deepEqual(commits, [3, 1])
  })

  it('resolves a rollback only when the data it has read is on disk', async (t) => {
    const { writer, write, syncs } = await openWriter(t)
    const first = write('a')
    await sleep(5)
    await writer.begin()
    const undone = writer.rollback()
    assert.equal(await settled(undone), false)
    syncs[0]!.resolve()
    await Promise.all([first, undone])
  })

  it('that the disk does not take is refused with its batch, and every one after it', async (t) => {
    const { write, syncs } = await openWriter(t)
    const batch = [write('a'), write('b')]
    await sleep(5)
    syncs[0]!.reject(new Error('EIO'))
    for (const one of batch) await assert.rejects(one, /did not take/)
    await assert.rejects(write('c'), /did not take/)
  })

  it('of a batch that was open when another failed to sync is refused too, and never visible', async (t) => {
    const { writer, writing, write, visible, syncs } = await openWriter(t)
    const failing = write('a')
    await sleep(5)
    const waiting = write('b')
    await sleep(5)
    await writer.begin()
    writing.prepare('insert into thing values (?)').run('c')
    const queued = write('d')
    syncs[0]!.reject(new Error('EIO'))
    await assert.rejects(failing, /did not take/)
    assert.match(writer.fault!.message, /did not take/)
    await assert.rejects(writer.commit(), /did not take/)
    for (const one of [waiting, queued]) await assert.rejects(one, /did not take/)
    assert.deepEqual([visible(), writing.isOpen], [[], false])
    await writer.close()
    assert.deepEqual(visible(), [])
    assert.equal(syncs.length, 1)
  })

  it('reports the loss, not the data it has read, when it is rolled back after that data was lost', async (t) => {
    const { writer, write, syncs } = await openWriter(t)
    const failing = write('a')
    await sleep(5)
    await writer.begin()
    const undone = writer.rollback()
    syncs[0]!.reject(new Error('EIO'))
    await assert.rejects(failing, /did not take/)
    await assert.rejects(undone, /did not take/)
  })

  it('that fails to sync while the WAL starts over is never visible either', async (t) => {
    const { write, visible, log, syncs } = await openWriter(t)
    log.isDue = true
    const [first, second] = [write('a'), sleep(5).then(() => write('b'))]
    while (syncs.length === 0) await sleep(1)
    syncs[0]!.reject(new Error('EIO'))
    await assert.rejects(first, /did not take/)
    await assert.rejects(second, /did not take/)
    assert.deepEqual(visible(), [])
  })

  it('that cannot be prepared for the disk is refused, and the next one is not', async (t) => {
    const { write, visible, syncs, log } = await openWriter(t)
    log.isLongFault = new Error('EIO')
    await assert.rejects(write('a'), /EIO/)
    log.isLongFault = undefined
    const second = write('b')
    while (syncs.length === 0) await sleep(1)
    syncs[0]!.resolve()
    await second
    assert.deepEqual(visible(), ['b'])
  })

  it('is on disk before the database is closed', async (t) => {
    const { writer, write, visible, syncs } = await openWriter(t)
    const [first, second] = [write('a'), sleep(5).then(() => write('b'))]
    await sleep(10)
    const closed = writer.close()
    assert.equal(await settled(closed), false)
    syncs[0]!.resolve()
    await first
    await sleep(5)
    syncs[1]!.resolve()
    await Promise.all([second, closed])
    assert.deepEqual(visible(), ['a', 'b'])
  })
})
