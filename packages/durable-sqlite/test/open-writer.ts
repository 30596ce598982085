// A writer on a database of its own, with a WAL on a disk that the tests of its folder direct.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { KeptLog } from '../src/kept-log.ts'
import { WriteAheadLog } from '../src/write-ahead-log.ts'
import { Writer } from '../src/writer.ts'

/** A new, empty directory, removed with its contents when the test ends. */
export async function temporaryDirectory(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'durable-sqlite-test-'))
  t.after(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/** The WAL on a disk that takes and refuses what the test says; the file is a real one. */
class TestedLog extends WriteAheadLog {
  readonly syncs: PromiseWithResolvers<void>[] = []
  checkpoints = 0
  /** Whether `sync` waits until the test settles it. */
  isHeld = true
  isLongFault: Error | undefined
  /** Whether a checkpoint is due at any length. */
  isDue = false

  override sync(): Promise<void> {
    if (!this.isHeld) return super.sync()
    const sync = Promise.withResolvers<void>()
    this.syncs.push(sync)
    return sync.promise
  }

  override isLong(): boolean {
    if (this.isLongFault) throw this.isLongFault
    return this.isDue || super.isLong()
  }

  /** Fulfilled when what is copied while writers go on is on disk. */
  ahead: Promise<void> | undefined

  override copyAhead(): Promise<void> | undefined {
    const ahead = super.copyAhead()
    this.ahead = ahead ?? this.ahead
    return ahead
  }

  override checkpoint(): Promise<void> {
    this.checkpoints++
    return super.checkpoint()
  }
}

/** A writer on a database of its own. */
export async function openWriter(t: TestContext) {
  const path = join(await temporaryDirectory(t), 'test.db')
  const writing = new DatabaseSync(path)
  writing.exec('pragma journal_mode = wal; create table thing (name text)')
  const reading = new DatabaseSync(path, { readOnly: true })
  const copying = new DatabaseSync(path)
  const guarding = new DatabaseSync(path, { readOnly: true })
  const kept = new KeptLog(path, { mostBytes: 0, onLetGo: () => {} })
  const log = new TestedLog({ path, kept }, { writing, reading, copying, guarding })
  /** How many transactions each commit had. */
  const commits: number[] = []
  const onCommit = (transactions: number) => void commits.push(transactions)
  const writer = new Writer(writing, (sql) => writing.prepare(sql), { log, onCommit })
  const write = async (name: string) => {
    await writer.begin()
    writing.prepare('insert into thing values (?)').run(name)
    await writer.commit()
  }
  const visible = () =>
    reading
      .prepare('select name from thing order by name')
      .all()
      .map(({ name }) => name)
  return { path, writer, writing, write, visible, syncs: log.syncs, log, commits }
}

/** Whether it settles within 20 ms. */
export const settled = async (promise: Promise<unknown>) => {
  const waiting = Symbol('waiting')
  const first = await Promise.race([
    promise.then(
      () => true,
      () => true,
    ),
    sleep(20, waiting),
  ])
  return first !== waiting
}
